//! Which of the others' ghosts are blue: a weight for each of up to 70 colourings, by how likely the
//! moves that were seen are with it.
//!
//! Nobody knows how the others think. So several characters are tried on them, each with whims, and
//! a character counts the more the better it foresaw what they did.

use super::steps::{Choice, Step, steps};
use super::view::View;
use super::weights::Weights;
use crate::history::History;
use crate::rush::liking;
use games::geister::{Bitboard, Board, Move, Observation, Square, Standard};
use rand::Rng;

/// How likely somebody stays whose blue could leave: hardly anybody does.
const STAYS: f32 = 1e-3;

/// Who the others may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Character {
    /// Chooses as the model.
    Thinker,
    /// Runs its blues for the exits.
    Runner,
    /// Keeps its blues out of reach, and offers its reds.
    Guard,
    /// Does anything.
    Drifter,
}

const CHARACTERS: [Character; 4] =
    [Character::Thinker, Character::Runner, Character::Guard, Character::Drifter];

impl Character {
    /// Says how this character likes the steps of somebody who sees this; they come with what the
    /// model thinks of them.
    fn like(self, view: &View, steps: &mut [Step]) {
        for step in steps {
            step.worth = match self {
                Character::Thinker => step.worth,
                Character::Runner => {
                    liking::<Standard>(view.blue, view.others, step.from, step.to) as f32 / 50.0
                }
                Character::Guard => guard(view, step),
                Character::Drifter => 0.0,
            };
        }
    }
}

fn guard(view: &View, step: &Step) -> f32 {
    let after = view.stepped(step.from, step.to);
    let reach = after.others.neighbours::<Standard>();
    let captures = f32::from(u8::from(view.others.has(step.to)));
    captures + 0.4 * (after.red & reach).count() as f32 - 1.2 * (after.blue & reach).count() as f32
}

/// Which ghosts are blue, and how likely that is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Colouring {
    /// The blue ones, on their present squares.
    pub blue: Bitboard,
    /// By character; all weights of all colourings add up to 1.
    weights: [f32; CHARACTERS.len()],
}

impl Colouring {
    /// How likely it is.
    pub fn weight(&self) -> f32 {
        self.weights.iter().sum()
    }
}

/// What is believed of the others' colours.
#[derive(Clone, Debug, PartialEq)]
pub struct Belief {
    colourings: Vec<Colouring>,
}

impl Belief {
    /// Before anything was seen: all colourings alike, all characters alike.
    pub fn new(now: &Observation<Standard>) -> Belief {
        let all: Vec<Bitboard> = now.colourings().collect();
        let weights = [1.0 / (all.len() * CHARACTERS.len()) as f32; CHARACTERS.len()];
        Belief { colourings: all.into_iter().map(|blue| Colouring { blue, weights }).collect() }
    }

    /// After a history, if the others choose like that, by the likings of their character.
    pub fn of(history: &History, weights: &Weights, choice: Choice) -> Belief {
        let first = history.steps().first().map_or(history.now(), |step| &step.before);
        let mut belief = Belief::new(first);
        let mut room = Vec::new();
        for (at, step) in history.steps().iter().enumerate() {
            let after = history.steps().get(at + 1).map_or(history.now(), |next| &next.before);
            if step.is_own() {
                belief.see_own(&step.before, step.mv, after);
            } else {
                belief.see_theirs(&step.before, step.mv, weights, choice, &mut room);
            }
        }
        belief
    }

    /// An own capture tells a colour.
    fn see_own(&mut self, before: &Observation<Standard>, mv: Move, after: &Observation<Standard>) {
        let Some(to) = mv.to().filter(|&to| before.others().has(to)) else { return };
        let was_blue = after.others_captured().0 > before.others_captured().0;
        self.colourings.retain(|one| one.blue.has(to) == was_blue);
        for one in &mut self.colourings {
            one.blue = one.blue.without(to.bit());
        }
        self.level();
    }

    fn see_theirs(
        &mut self,
        before: &Observation<Standard>,
        mv: Move,
        weights: &Weights,
        choice: Choice,
        room: &mut Vec<Step>,
    ) {
        let Move::Step { from, to } = mv else { return };
        let view = View::new(before);
        for one in &mut self.colourings {
            let theirs = view.turned(one.blue);
            let likely = likelihoods(&theirs, [from, to], weights, choice, room);
            for (weight, likely) in one.weights.iter_mut().zip(likely) {
                *weight *= likely;
            }
            if one.blue.has(from) {
                one.blue = one.blue.without(from.bit()) | to.bit();
            }
        }
        self.level();
    }

    fn level(&mut self) {
        let sum: f32 = self.colourings.iter().map(Colouring::weight).sum();
        for one in &mut self.colourings {
            for weight in &mut one.weights {
                *weight /= sum;
            }
        }
    }

    /// Every colouring that is possible.
    pub fn colourings(&self) -> &[Colouring] {
        &self.colourings
    }

    /// How likely each ghost is blue, by the number of its square; 0 where there is none.
    pub fn blue(&self) -> [f32; Square::COUNT] {
        let mut chances = [0.0; Square::COUNT];
        for one in &self.colourings {
            for square in one.blue {
                chances[square.index()] += one.weight();
            }
        }
        chances
    }

    /// The blue ghosts of a colouring by chance, as likely as it is believed.
    pub fn draw(&self, chance: &mut impl Rng) -> Bitboard {
        let mut left = chance.random::<f32>();
        let drawn = self.colourings.iter().find(|one| {
            left -= one.weight();
            left <= 0.0
        });
        drawn.or(self.colourings.first()).map_or(Bitboard::EMPTY, |one| one.blue)
    }
}

/// How likely somebody who sees this makes a step, which is named in the other's view, by character.
fn likelihoods(
    theirs: &View,
    step: [Square; 2],
    weights: &Weights,
    choice: Choice,
    room: &mut Vec<Step>,
) -> [f32; CHARACTERS.len()] {
    if theirs.can_leave() {
        return [STAYS; CHARACTERS.len()];
    }
    let share = theirs.share_of_blue();
    steps(weights, theirs, |_| share, room);
    let step = step.map(Standard::turned);
    let place = room.iter().position(|one| [one.from, one.to] == step);
    CHARACTERS.map(|character| {
        // The thinker comes first, while the steps are worth what the model says.
        character.like(theirs, room);
        choice.likelihoods(room);
        place.map_or(STAYS, |place| room[place].worth)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::{Player, Thinking};
    use crate::random::any_placement;
    use games::geister::{Game, Side};
    use std::time::Duration;

    const CHOICE: Choice = Choice { temperature: 1.0, whim: 0.3 };

    /// Games of runners: what the bottom side sees of each, and which of the others were blue.
    fn games() -> Vec<(History, Bitboard)> {
        let mut found = Vec::new();
        for seed in 0..60 {
            let thinking = Thinking { time: Duration::ZERO, seed };
            let mut chance = thinking.chance(u32::MAX);
            let [bottom, top] = [0, 1].map(|_| any_placement(&mut chance));
            let start = Game::<Standard>::new(bottom, top, 200);
            let (mut game, mut moves) = (start, Vec::new());
            while game.outcome().is_none() && moves.len() < 14 {
                let history = History::of_game(&start, &moves, game.turn()).unwrap();
                let mv = crate::rush::Rush.choose(&history, &thinking);
                moves.push(history.now().played(mv));
                game = game.play(*moves.last().unwrap()).unwrap();
            }
            if game.outcome().is_none() {
                let history = History::of_game(&start, &moves, Side::Bottom).unwrap();
                found.push((history, game.army(Side::Top).blue));
            }
        }
        found
    }

    #[test]
    fn the_truth_stays_possible_and_weights_add_up() {
        let weights = Weights::shipped();
        for (history, blue) in games() {
            let belief = Belief::of(&history, &weights, CHOICE);
            let now = history.now();
            assert_eq!(belief.colourings().len(), now.colourings().count());
            assert!(belief.colourings().iter().any(|one| one.blue == blue && one.weight() > 0.0));
            let sum: f32 = belief.blue().iter().sum();
            assert!((sum - now.others_blue() as f32).abs() < 1e-3, "{sum}");
        }
    }

    /// Who runs is thought blue rather than who stays at home.
    #[test]
    fn runners_give_themselves_away() {
        let weights = Weights::shipped();
        let (mut blues, mut reds) = ((0.0, 0.0), (0.0, 0.0));
        for (history, blue) in games() {
            let chances = Belief::of(&history, &weights, CHOICE).blue();
            for square in history.now().others() {
                let sum = if blue.has(square) { &mut blues } else { &mut reds };
                *sum = (sum.0 + chances[square.index()], sum.1 + 1.0);
            }
        }
        let (blue, red) = (blues.0 / blues.1, reds.0 / reds.1);
        assert!(blue > red + 0.1, "{blue} and {red}");
    }
}
