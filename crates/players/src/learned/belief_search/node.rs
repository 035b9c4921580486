//! A node of the belief search: the state, what is believed of it, and what the model makes of it.

use super::super::accumulator::{Accumulator, PieceKind};
use super::super::weights::Weights;
use games::Seat;
use games::geister::{Outcome, Square};
use geister::board::TOP_EXITS;
use geister::state::State;

/// The probability that a hidden piece is blue, by the number of its square.
pub type BlueProbabilities = [f32; Square::COUNT];

/// A node of the search.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) state: State,
    /// The posterior of each hidden piece.
    pub(super) blue: BlueProbabilities,
    accumulator: Accumulator,
}

/// The probability to win once the game is over.
fn result(outcome: Outcome) -> f32 {
    f32::from(u8::from(outcome.winner() == Some(Seat::First)))
}

impl Node {
    pub(super) fn new(weights: &Weights, state: State, blue: BlueProbabilities) -> Node {
        Node { state, blue, accumulator: Accumulator::of(weights, &state) }
    }

    /// The score of an own step by the model alone, as a logit.
    pub(super) fn score(&self, weights: &Weights, from: Square, to: Square) -> f32 {
        self.accumulator.score(weights, &self.state, [from, to], self.blue[to.index()])
    }

    /// After an own step to an empty square.
    pub(super) fn stepped(&self, weights: &Weights, from: Square, to: Square) -> Node {
        let kind = PieceKind::of_own(&self.state, from);
        Node {
            state: self.state.after_own(from, to),
            blue: self.blue,
            accumulator: self.accumulator.stepped(weights, kind.on(from), kind.on(to)),
        }
    }

    /// After an own capture of a hidden piece that turns out to be blue or red; or the probability
    /// to win if that ends the game.
    pub(super) fn captured(
        &self,
        weights: &Weights,
        from: Square,
        to: Square,
        was_blue: bool,
    ) -> Result<Node, f32> {
        let mut state = self.state.after_own(from, to);
        state.hidden_blue -= u32::from(was_blue);
        let ended = Outcome::by_captures(Seat::Second, state.hidden_blue, state.hidden_red());
        if let Some(outcome) = ended {
            return Err(result(outcome));
        }
        Ok(Node::new(weights, state, balanced(&self.blue, &state)))
    }

    /// After a step of the opponent, or the probability to win if that ends the game.
    pub(super) fn answered(
        &self,
        weights: &Weights,
        from: Square,
        to: Square,
    ) -> Result<Node, f32> {
        let state = self.state.after_opponent(from, to);
        if let Some(outcome) = state.outcome_by_opponent_captures() {
            return Err(result(outcome));
        }
        let accumulator = if self.state.own().has(to) {
            Accumulator::of(weights, &state)
        } else {
            self.accumulator.stepped(weights, PieceKind::Hidden.on(from), PieceKind::Hidden.on(to))
        };
        let mut after = Node { state, blue: self.blue, accumulator };
        after.blue[to.index()] = self.blue[from.index()];
        Ok(after)
    }

    /// The probability that no piece on an exit leaves now. Those that stay are red from then on.
    pub(super) fn nobody_leaves(&mut self) -> f32 {
        let mut stays = 1.0;
        for at in self.state.hidden & TOP_EXITS {
            stays *= 1.0 - self.blue[at.index()];
            self.blue[at.index()] = 0.0;
        }
        stays
    }

    /// The key of everything that a value depends on but the depth. The probabilities are part of
    /// it, so that it cannot be a Zobrist key with a fixed number for each fact.
    pub(super) fn key(&self, own_turn: bool) -> u64 {
        let State { blue, red, hidden, hidden_blue, .. } = self.state;
        let seen = [blue.0, red.0, hidden.0, u64::from(hidden_blue) << 1 | u64::from(own_turn)];
        let key = seen.into_iter().fold(0, |key, part| mixed(key ^ part));
        let believed = |at: Square| {
            let probability = u64::from(self.blue[at.index()].to_bits());
            mixed(probability << 8 | at.index() as u64)
        };
        hidden.map(believed).fold(key, u64::wrapping_add)
    }
}

fn mixed(word: u64) -> u64 {
    let word = (word ^ 0x9E37_79B9_7F4A_7C15).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (word ^ word >> 32).wrapping_mul(0x94D0_49BB_1331_11EB) ^ word >> 29
}

/// The probabilities of the hidden pieces left, scaled so that they add up to the number of blues.
pub(super) fn balanced(blue: &BlueProbabilities, state: &State) -> BlueProbabilities {
    let (pieces, blues) = (state.hidden.count() as f32, state.hidden_blue as f32);
    let sum: f32 = state.hidden.map(|at| blue[at.index()]).sum();
    let mut balanced = *blue;
    for at in state.hidden {
        let probability = &mut balanced[at.index()];
        if sum > blues {
            *probability *= blues / sum;
        } else if sum < pieces {
            *probability = 1.0 - (1.0 - *probability) * (pieces - blues) / (pieces - sum);
        }
    }
    balanced
}
