//! The posterior over the opponent's colours: a weight for each of up to 70 colourings, by the
//! likelihood of the observed moves under it.
//!
//! The opponent's policy is not known, so several opponent models are tried, each with some random
//! moves, and a model weighs the more the better it predicted the moves. Each has a *blind twin*,
//! which plays the average of the model over all colourings: a player that moves like the model in
//! general, but not by colour, gives no evidence about colours, and without the twins it was taken to
//! give much. Moves follow plans and are not independent, so that each counts for less than one
//! observation.

use super::scored_steps::{ScoredStep, SoftmaxChoice, score_steps};
use super::weights::Weights;
use crate::rush::step_score;
use games::geister::{Bitboard, Game, Move, Observation, Square, Standard};
use games::hidden::InformationState;
use geister::board::{neighbours, turned_square};
use geister::state::State;
use rand::Rng;

/// The likelihood that a player whose blue could leave the board stays.
const STAYS: f32 = 1e-3;
/// The probability of a uniformly random move, for every opponent model.
const EPSILON: f32 = 0.02;
/// The exponent of each likelihood: the part of an independent observation that a move counts for.
const TEMPERING: f32 = 0.36;

/// The policy of an opponent model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Policy {
    /// Chooses by the learned model.
    Thinker,
    /// Runs its blues for the exits.
    Runner,
    /// Keeps its blues out of reach, and offers its reds.
    Guard,
    /// The same, and its reds go ahead while blues stay behind.
    Decoy,
}

/// A model of the opponent.
struct OpponentModel {
    policy: Policy,
    /// The temperature of its [`SoftmaxChoice`].
    temperature: f32,
    /// The prior weights of the model and of its blind twin.
    prior: [f32; 2],
}

/// All of them. The numbers were fitted to the true colours in games with ten opponents
/// (docs/results/champion.md).
const MODELS: [OpponentModel; 4] = [
    OpponentModel { policy: Policy::Thinker, temperature: 0.27, prior: [0.06, 0.0] },
    OpponentModel { policy: Policy::Runner, temperature: 0.13, prior: [16.0, 1.0] },
    OpponentModel { policy: Policy::Guard, temperature: 0.5, prior: [8.0, 1.0] },
    OpponentModel { policy: Policy::Decoy, temperature: 0.5, prior: [1.0, 8.0] },
];

/// A value for each opponent model.
type PerModel = [f32; MODELS.len()];

impl OpponentModel {
    /// Turns the scores of the learned model into the probabilities that this model of the opponent
    /// makes each step.
    fn choose(&self, state: &State, steps: &mut [ScoredStep]) {
        for step in &mut *steps {
            step.score = match self.policy {
                Policy::Thinker => step.score,
                Policy::Runner => {
                    step_score::<Standard>(state.blue, state.hidden, step.from, step.to) as f32
                }
                Policy::Guard => guard(state, step),
                Policy::Decoy => {
                    let ahead = if state.red.has(step.from) { 0.5 } else { -0.3 };
                    guard(state, step) + ahead * step.nearer()
                }
            };
        }
        SoftmaxChoice { temperature: self.temperature, epsilon: EPSILON }.probabilities(steps);
    }
}

fn guard(state: &State, step: &ScoredStep) -> f32 {
    let after = state.after_own(step.from, step.to);
    let reach = neighbours(after.hidden);
    let captures = f32::from(u8::from(state.hidden.has(step.to)));
    captures + 0.4 * (after.red & reach).count() as f32 - 1.2 * (after.blue & reach).count() as f32
}

/// A colouring with its posterior weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Colouring {
    /// The blue pieces, on their present squares.
    pub blue: Bitboard,
    /// By opponent model and by blind twin; all weights of all colourings add up to 1.
    weights: [PerModel; 2],
}

impl Colouring {
    /// Its posterior probability.
    pub fn weight(&self) -> f32 {
        self.weights.iter().flatten().sum()
    }
}

/// The posterior over the opponent's colours.
#[derive(Clone, Debug, PartialEq)]
pub struct Belief {
    colourings: Vec<Colouring>,
}

impl Belief {
    /// The prior: all colourings alike.
    pub fn new(now: &Observation) -> Belief {
        let weights = prior();
        let colourings = now.colourings().map(|blue| Colouring { blue, weights }).collect();
        let mut belief = Belief { colourings };
        belief.normalise();
        belief
    }

    /// The posterior after a history, with this learned model.
    pub fn of(history: &InformationState<Game>, weights: &Weights) -> Belief {
        let first = history.steps().first().map_or(history.now(), |step| &step.before);
        let mut belief = Belief::new(first);
        let mut buffer = Vec::new();
        for (at, step) in history.steps().iter().enumerate() {
            let after = history.steps().get(at + 1).map_or(history.now(), |next| &next.before);
            if step.before.to_move() {
                belief.see_own(&step.before, step.event, after);
            } else {
                belief.see_opponent(&step.before, step.event, weights, &mut buffer);
            }
        }
        belief
    }

    /// Conditions on an own capture, which reveals a colour.
    fn see_own(&mut self, before: &Observation, mv: Move, after: &Observation) {
        let Some(to) = mv.to().filter(|&to| before.opponent().has(to)) else { return };
        let was_blue = after.opponent_captured().0 > before.opponent_captured().0;
        self.colourings.retain(|one| one.blue.has(to) == was_blue);
        for one in &mut self.colourings {
            one.blue = one.blue.without(to.bit());
        }
        self.normalise();
    }

    fn see_opponent(
        &mut self,
        before: &Observation,
        mv: Move,
        weights: &Weights,
        buffer: &mut Vec<ScoredStep>,
    ) {
        let Move::Step { from, to } = mv else { return };
        let state = State::from(before);
        let likely: Vec<Option<PerModel>> = (self.colourings.iter())
            .map(|one| likelihoods(&state.seen_by_opponent(one.blue), [from, to], weights, buffer))
            .collect();
        let blind = means(likely.iter().flatten());
        for (one, likely) in self.colourings.iter_mut().zip(likely) {
            let likely = likely.map_or([[STAYS; MODELS.len()]; 2], |own| {
                [own, blind].map(|each| each.map(|likely| likely.powf(TEMPERING)))
            });
            for (weight, likely) in one.weights.iter_mut().flatten().zip(likely.iter().flatten()) {
                *weight *= likely;
            }
            if one.blue.has(from) {
                one.blue = one.blue.without(from.bit()) | to.bit();
            }
        }
        self.normalise();
    }

    /// Scales all weights to a sum of 1. If the observed moves had no likelihood under any model, such
    /// as a blue that never left, the posterior is the prior again.
    fn normalise(&mut self) {
        let mut sum: f32 = self.colourings.iter().map(Colouring::weight).sum();
        if sum < f32::MIN_POSITIVE {
            self.colourings.iter_mut().for_each(|one| one.weights = prior());
            sum = self.colourings.iter().map(Colouring::weight).sum();
        }
        for one in &mut self.colourings {
            for weight in one.weights.iter_mut().flatten() {
                *weight /= sum;
            }
        }
    }

    /// Every colouring that is possible.
    pub fn colourings(&self) -> &[Colouring] {
        &self.colourings
    }

    /// The probability that each piece is blue, by the number of its square; 0 where there is none.
    pub fn blue(&self) -> [f32; Square::COUNT] {
        let mut probabilities = [0.0; Square::COUNT];
        for one in &self.colourings {
            for square in one.blue {
                probabilities[square.index()] += one.weight();
            }
        }
        probabilities
    }

    /// The blue pieces of a colouring that is drawn from the posterior.
    pub fn draw(&self, rng: &mut impl Rng) -> Bitboard {
        let mut left = rng.random::<f32>();
        let drawn = self.colourings.iter().find(|one| {
            left -= one.weight();
            left <= 0.0
        });
        drawn.or(self.colourings.first()).map_or(Bitboard::EMPTY, |one| one.blue)
    }
}

/// The prior weights of the opponent models and of their blind twins.
fn prior() -> [PerModel; 2] {
    [0, 1].map(|twin| MODELS.map(|one| one.prior[twin]))
}

/// The likelihood of a step under each opponent model. `opponent_view` is what the opponent sees;
/// `step` is named in the own state. `None` if it could have left the board instead.
fn likelihoods(
    opponent_view: &State,
    step: [Square; 2],
    weights: &Weights,
    buffer: &mut Vec<ScoredStep>,
) -> Option<PerModel> {
    if opponent_view.can_leave() {
        return None;
    }
    let share = opponent_view.share_of_blue();
    score_steps(weights, opponent_view, |_| share, buffer);
    let step = step.map(turned_square);
    let place = buffer.iter().position(|one| [one.from, one.to] == step);
    // The learned model comes first, while the steps have its scores.
    Some(MODELS.map(|model| {
        model.choose(opponent_view, buffer);
        place.map_or(STAYS, |place| buffer[place].score)
    }))
}

/// The mean for each opponent model.
fn means<'a>(all: impl Iterator<Item = &'a PerModel>) -> PerModel {
    let mut sums = [0.0; MODELS.len()];
    let mut count = 0;
    for each in all {
        sums.iter_mut().zip(each).for_each(|(sum, likely)| *sum += likely);
        count += 1;
    }
    sums.map(|sum| sum / count.max(1) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::any_placement;
    use crate::roster::BoardRoster;
    use games::Seat;
    use games::geister::DrawLimit;
    use play::Thinking;
    use rand::seq::SliceRandom;
    use std::time::Duration;

    /// Which pieces go for the exits.
    #[derive(Clone, Copy)]
    enum Gone {
        Blues,
        Reds,
        Any,
    }

    impl Gone {
        fn choose(self, history: &InformationState<Game>, thinking: &Thinking) -> Move {
            let now = history.now();
            let (blue, red) = (now.own().blue, now.own().red);
            let army = match self {
                Gone::Blues => blue,
                Gone::Reds => red,
                Gone::Any => blue | red,
            };
            let mut moves = now.legal_moves();
            moves.shuffle(&mut thinking.rng(now.ply()));
            let like = |mv: &Move| {
                mv.to().map_or(i32::MAX, |to| {
                    step_score::<Standard>(army, now.opponent(), mv.from(), to)
                })
            };
            moves.into_iter().max_by_key(like).unwrap()
        }
    }

    /// Games of runners: what the bottom side sees of each, and which of the others were blue.
    fn games(gone: Gone) -> Vec<(InformationState<Game>, Bitboard)> {
        let mut found = Vec::new();
        for seed in 0..60 {
            let thinking = Thinking { time: Duration::ZERO, seed };
            let mut rng = thinking.rng(u32::MAX);
            let [bottom, top] = [0, 1].map(|_| any_placement(&mut rng));
            let start = Game::new(bottom, top, 200);
            let (mut game, mut moves) = (start, Vec::new());
            while game.outcome().is_none() && moves.len() < 14 {
                let history = start.information_state(&moves, game.turn()).unwrap();
                moves.push(history.now().played(gone.choose(&history, &thinking)));
                game = game.play(*moves.last().unwrap()).unwrap();
            }
            if game.outcome().is_none() {
                let history = start.information_state(&moves, Seat::First).unwrap();
                found.push((history, game.army(Seat::Second).blue));
            }
        }
        found
    }

    /// How blue the others' blues and their reds are thought to be.
    fn thought(gone: Gone) -> [f32; 2] {
        let weights = Weights::shipped();
        let mut sums = [(0.0, 0.0); 2];
        for (history, blue) in games(gone) {
            let probabilities = Belief::of(&history, &weights).blue();
            for square in history.now().opponent() {
                let sum = &mut sums[usize::from(!blue.has(square))];
                *sum = (sum.0 + probabilities[square.index()], sum.1 + 1.0);
            }
        }
        sums.map(|(sum, count)| sum / count)
    }

    #[test]
    fn the_truth_stays_possible_and_weights_add_up() {
        let weights = Weights::shipped();
        for (history, blue) in games(Gone::Blues) {
            let belief = Belief::of(&history, &weights);
            let now = history.now();
            assert_eq!(belief.colourings().len(), now.colourings().count());
            assert!(belief.colourings().iter().any(|one| one.blue == blue && one.weight() > 0.0));
            let sum: f32 = belief.blue().iter().sum();
            assert!((sum - now.opponent_blue() as f32).abs() < 1e-3, "{sum}");
        }
    }

    #[test]
    fn what_was_thought_impossible_may_happen() {
        for (history, _) in games(Gone::Any).into_iter().take(5) {
            let mut belief = Belief::of(&history, &Weights::shipped());
            belief.colourings.iter_mut().for_each(|one| one.weights = [[0.0; 4]; 2]);
            belief.normalise();
            let all: f32 = belief.colourings().iter().map(Colouring::weight).sum();
            assert!((all - 1.0).abs() < 1e-4, "{all}");
        }
    }

    /// Pieces that run are believed blue rather than those that stay at home.
    #[test]
    fn runners_give_themselves_away() {
        let [blue, red] = thought(Gone::Blues);
        assert!(blue > red + 0.3, "{blue} and {red}");
    }

    /// A red that has run and was captured tells that the next that runs may be red as well.
    #[test]
    fn decoys_are_seen_through() {
        let [blue, red] = thought(Gone::Reds);
        assert!(blue > red - 0.1, "{blue} and {red}");
    }

    #[test]
    fn who_runs_with_any_colour_is_not_read() {
        let [blue, red] = thought(Gone::Any);
        assert!((blue - red).abs() < 0.15, "{blue} and {red}");
    }

    /// Every tenth ply of games that `name` plays as the top side: what the bottom side has seen,
    /// and which of the others are blue.
    fn games_of(name: &str) -> Vec<(InformationState<Game>, Bitboard)> {
        let mut players = ["careful", name].map(|name| Standard::player(name).unwrap());
        let mut found = Vec::new();
        for seed in 0..20 {
            // No time, so that the games are the same on every machine.
            let thinking = Thinking { time: Duration::ZERO, seed };
            let bottom = any_placement(&mut thinking.rng(u32::MAX));
            let start = Game::new(bottom, players[1].set_up(&DrawLimit(200), &thinking), 200);
            let (mut game, mut moves) = (start, Vec::new());
            while game.outcome().is_none() && moves.len() < 60 {
                let history = start.information_state(&moves, game.turn()).unwrap();
                let player = &mut players[moves.len() % 2];
                let mv = history.now().played(player.choose(&history, &thinking));
                if moves.len() % 10 == 0 {
                    found.push((history, game.army(Seat::Second).blue));
                }
                moves.push(mv);
                game = game.play(mv).unwrap();
            }
        }
        found
    }

    /// Calibration: the belief is wrong about at most one in twenty ghosts of whose colour it is
    /// 95 % sure, and it is often that sure. Counting steps as independent witnesses makes it
    /// overconfident.
    #[test]
    fn what_is_believed_firmly_is_true() {
        let weights = Weights::shipped();
        let (mut right, mut wrong, mut loss, mut ghosts) = (0, 0, 0.0, 0.0);
        for name in ["rush", "careful", "maximax", "champion"] {
            for (history, blue) in games_of(name) {
                let probabilities = Belief::of(&history, &weights).blue();
                for square in history.now().opponent() {
                    let is_blue = probabilities[square.index()];
                    let of_truth = if blue.has(square) { is_blue } else { 1.0 - is_blue };
                    right += u32::from(of_truth > 0.95);
                    wrong += u32::from(of_truth < 0.05);
                    loss -= of_truth.max(1e-6).ln();
                    ghosts += 1.0;
                }
            }
        }
        assert!(right >= 20 && 19 * wrong <= right, "{right} right and {wrong} wrong");
        // Knowing nothing costs ln 2, 0.69.
        assert!(loss / ghosts < 0.61, "{}", loss / ghosts);
    }
}
