//! Which of the others' ghosts are blue: a weight for each of up to 70 colourings, by how likely
//! somebody who thinks like the model, and has whims, makes the moves that were seen.

use super::steps::{Choice, Step, steps};
use super::view::View;
use super::weights::Weights;
use crate::history::History;
use games::geister::{Bitboard, Board, Move, Observation, Square, Standard};
use rand::Rng;

/// How likely somebody stays whose blue could leave: hardly anybody does.
const STAYS: f32 = 1e-3;

/// Which ghosts are blue, and how likely that is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Colouring {
    /// The blue ones, on their present squares.
    pub blue: Bitboard,
    /// All weights add up to 1.
    pub weight: f32,
}

/// What is believed of the others' colours.
#[derive(Clone, Debug, PartialEq)]
pub struct Belief {
    colourings: Vec<Colouring>,
}

impl Belief {
    /// Before anything was seen: all colourings alike.
    pub fn new(now: &Observation<Standard>) -> Belief {
        let all: Vec<Bitboard> = now.colourings().collect();
        let weight = 1.0 / all.len() as f32;
        Belief { colourings: all.into_iter().map(|blue| Colouring { blue, weight }).collect() }
    }

    /// After a history, if the others choose like that.
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
            one.weight *= likelihood(&theirs, [from, to], weights, choice, room);
            if one.blue.has(from) {
                one.blue = one.blue.without(from.bit()) | to.bit();
            }
        }
        self.level();
    }

    fn level(&mut self) {
        let sum: f32 = self.colourings.iter().map(|one| one.weight).sum();
        for one in &mut self.colourings {
            one.weight /= sum;
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
                chances[square.index()] += one.weight;
            }
        }
        chances
    }

    /// The blue ghosts of a colouring by chance, as likely as it is believed.
    pub fn draw(&self, chance: &mut impl Rng) -> Bitboard {
        let mut left = chance.random::<f32>();
        let drawn = self.colourings.iter().find(|one| {
            left -= one.weight;
            left <= 0.0
        });
        drawn.or(self.colourings.first()).map_or(Bitboard::EMPTY, |one| one.blue)
    }
}

/// How likely somebody who sees this makes a step, which is named in the other's view.
fn likelihood(
    theirs: &View,
    step: [Square; 2],
    weights: &Weights,
    choice: Choice,
    room: &mut Vec<Step>,
) -> f32 {
    if theirs.can_leave() {
        return STAYS;
    }
    let share = theirs.share_of_blue();
    steps(weights, theirs, |_| share, room);
    choice.likelihoods(room);
    let step = step.map(Standard::turned);
    room.iter().find(|one| [one.from, one.to] == step).map_or(STAYS, |one| one.worth)
}
