//! The accumulator: the logit of the model, updated incrementally from step to step, and with it what
//! a piece on each place would add. Then a step costs three look-ups instead of thirty, which is what
//! the belief search spends its time on.
//!
//! Places are indices into the weights, by kind of piece and square; bitboards and their masks are
//! those of [`State`].
//!
//! The slow twin is [`Weights::logit`].

use super::weights::{Features, PLACES, PieceCounts, Weights, logit, sigmoid};
use games::geister::Square;
use geister::state::State;

/// The kind of a piece: its row of places in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PieceKind {
    Blue,
    Red,
    Hidden,
}

impl PieceKind {
    /// Of an own piece.
    pub(super) fn of_own(state: &State, on: Square) -> PieceKind {
        if state.blue.has(on) { PieceKind::Blue } else { PieceKind::Red }
    }

    /// The place of a piece of this kind on a square, as the model counts places.
    pub(super) const fn on(self, square: Square) -> u8 {
        (Square::COUNT * self as usize + square.index()) as u8
    }
}

/// The logit of a state, and the parts of which it is updated.
#[derive(Clone, Copy)]
pub(super) struct Accumulator {
    /// Everything: the logit of the probability to win for the side that has just moved.
    total: f32,
    /// For each place, all pairs of a piece there with the pieces of the state.
    pairs: [f32; PLACES],
    counts: PieceCounts,
}

impl Accumulator {
    pub(super) fn of(weights: &Weights, state: &State) -> Accumulator {
        let features = Features::of(state);
        let counts = features.counts();
        let mut accumulator =
            Accumulator { total: weights.count(counts), pairs: [0.0; PLACES], counts };
        for &place in features.places() {
            accumulator.total +=
                weights.place(counts, place) + accumulator.pairs[usize::from(place)];
            for (sum, pair) in accumulator.pairs.iter_mut().zip(weights.pairs_of(counts, place)) {
                *sum += pair;
            }
        }
        accumulator
    }

    /// The change of the total when a piece goes from one place to another and captures nothing.
    fn change(&self, weights: &Weights, from: u8, to: u8) -> f32 {
        let counts = self.counts;
        let [was, is] =
            [from, to].map(|at| weights.place(counts, at) + self.pairs[usize::from(at)]);
        is - was - weights.pair(counts, to, from)
    }

    /// The total after a step to an empty square.
    fn total_stepped(&self, weights: &Weights, from: u8, to: u8) -> f32 {
        self.total + self.change(weights, from, to)
    }

    /// After a step to an empty square.
    pub(super) fn stepped(&self, weights: &Weights, from: u8, to: u8) -> Accumulator {
        let total = self.total_stepped(weights, from, to);
        let [was, is] = [from, to].map(|at| weights.pairs_of(self.counts, at));
        let mut pairs = self.pairs;
        for ((sum, was), is) in pairs.iter_mut().zip(was).zip(is) {
            *sum += is - was;
        }
        Accumulator { total, pairs, counts: self.counts }
    }

    /// The probability to win after an own capture of a hidden piece, which is blue with this
    /// probability.
    fn win_probability_of_capture(
        &self,
        weights: &Weights,
        state: &State,
        [from, to]: [Square; 2],
        is_blue: f32,
    ) -> f32 {
        let mut after = state.after_own(from, to);
        let red = match state.hidden_red() {
            _ if is_blue >= 1.0 => 0.0,
            ..=1 => 0.0,
            _ => weights.win_probability(&after),
        };
        after.hidden_blue = state.hidden_blue.saturating_sub(1);
        let blue = match state.hidden_blue {
            _ if is_blue <= 0.0 => 0.0,
            ..=1 => 1.0,
            _ => {
                let kind = PieceKind::of_own(state, from);
                sigmoid(self.total_captured(weights, kind, [from, to], &after))
            }
        };
        is_blue * blue + (1.0 - is_blue) * red
    }

    /// The total after an own capture of a blue: as many reds are left as before, so that all weights
    /// but that of the numbers are the same.
    fn total_captured(
        &self,
        weights: &Weights,
        kind: PieceKind,
        [from, to]: [Square; 2],
        after: &State,
    ) -> f32 {
        let (gone, counts) = (PieceKind::Hidden.on(to), self.counts);
        let [from, to] = [from, to].map(|square| kind.on(square));
        let lost = weights.place(counts, gone) + self.pairs[usize::from(gone)]
            - weights.pair(counts, gone, from)
            + weights.pair(counts, gone, to);
        self.total + self.change(weights, from, to) - lost + weights.count(PieceCounts::of(after))
            - weights.count(counts)
    }

    /// The score of a step, as a logit; `is_blue` is the probability that the piece it captures is
    /// blue.
    pub(super) fn score(
        &self,
        weights: &Weights,
        state: &State,
        [from, to]: [Square; 2],
        is_blue: f32,
    ) -> f32 {
        if state.hidden.has(to) {
            return logit(self.win_probability_of_capture(weights, state, [from, to], is_blue));
        }
        let kind = PieceKind::of_own(state, from);
        self.total_stepped(weights, kind.on(from), kind.on(to))
    }
}

#[cfg(test)]
mod tests {
    use super::super::weights::tests::samples;
    use super::*;

    fn assert_near(one: f32, other: f32, state: &State) {
        let [one, other] = [one, other].map(|sum| sum.clamp(-9.0, 9.0));
        assert!((one - other).abs() < 2e-3, "{one} or {other} in {state:?}");
    }

    /// The slow twin: every position after a step summed up anew.
    #[test]
    fn the_score_of_a_step_is_that_of_the_state_after_it() {
        let (states, weights) = samples();
        for state in states.iter().filter(|state| !state.can_leave()) {
            let accumulator = Accumulator::of(&weights, state);
            for (from, to) in state.own_steps() {
                let after = state.after_own(from, to);
                if !state.hidden.has(to) {
                    let slow = weights.logit(&Features::of(&after));
                    assert_near(accumulator.score(&weights, state, [from, to], 0.5), slow, state);
                    continue;
                }
                let less_blue = State { hidden_blue: state.hidden_blue - 1, ..after };
                let blue =
                    if state.hidden_blue == 1 { 1.0 } else { weights.win_probability(&less_blue) };
                let red =
                    if state.hidden_red() == 1 { 0.0 } else { weights.win_probability(&after) };
                for is_blue in [0.0, 0.3, 1.0] {
                    let slow = logit(is_blue * blue + (1.0 - is_blue) * red);
                    assert_near(
                        accumulator.score(&weights, state, [from, to], is_blue),
                        slow,
                        state,
                    );
                }
            }
        }
    }

    /// An accumulator that was updated step by step is that of the last state.
    #[test]
    fn updates_add_up() {
        let (states, weights) = samples();
        for state in states.iter().step_by(10) {
            let (mut state, mut accumulator) = (*state, Accumulator::of(&weights, state));
            for turn in 0..6 {
                let mut quiet: Vec<(Square, Square)> = match turn % 2 {
                    0 => state.own_steps().collect(),
                    _ => state.opponent_steps().collect(),
                };
                quiet.retain(|(_, to)| !(state.own() | state.hidden).has(*to));
                let Some(&(from, to)) = quiet.get(turn % quiet.len().max(1)) else { break };
                let kind =
                    if turn % 2 == 0 { PieceKind::of_own(&state, from) } else { PieceKind::Hidden };
                accumulator = accumulator.stepped(&weights, kind.on(from), kind.on(to));
                if turn % 2 == 0 {
                    state = state.after_own(from, to);
                } else {
                    state.hidden = state.hidden.without(from.bit()) | to.bit();
                }
            }
            let slow = Accumulator::of(&weights, &state);
            assert_near(accumulator.total, weights.logit(&Features::of(&state)), &state);
            for (one, other) in accumulator.pairs.iter().zip(&slow.pairs) {
                assert_near(*one, *other, &state);
            }
        }
    }
}
