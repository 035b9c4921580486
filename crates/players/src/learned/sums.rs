//! The sum of the model, updated from step to step, and with it what each place would add. Then a
//! step costs three look-ups instead of thirty, which is what the belief search spends its time on.
//!
//! The slow twin is [`Weights::sum`].

use super::weights::{Ghosts, Numbers, PLACES, Weights, logit, sigmoid};
use games::geister::Square;
use geister::state::State;

/// Which pieces of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Blue,
    Red,
    Hidden,
}

impl Kind {
    /// Of an own piece.
    pub(super) fn of_own(state: &State, on: Square) -> Kind {
        if state.blue.has(on) { Kind::Blue } else { Kind::Red }
    }

    /// The place of a piece of this kind on a square, as the model counts places.
    pub(super) const fn on(self, square: Square) -> u8 {
        (36 * self as usize + square.index()) as u8
    }
}

/// What the pieces of a state add up to.
#[derive(Clone, Copy)]
pub(super) struct Sums {
    /// Everything: the logit of the probability to win for the side that has just moved.
    total: f32,
    /// For each place, all pairs of a piece there with the pieces of the state.
    pairs: [f32; PLACES],
    numbers: Numbers,
}

impl Sums {
    pub(super) fn of(weights: &Weights, state: &State) -> Sums {
        let ghosts = Ghosts::of(state);
        let numbers = ghosts.numbers();
        let mut sums = Sums { total: weights.count(numbers), pairs: [0.0; PLACES], numbers };
        for &ghost in ghosts.places() {
            sums.total += weights.place(numbers, ghost) + sums.pairs[usize::from(ghost)];
            for (sum, pair) in sums.pairs.iter_mut().zip(weights.pairs_of(numbers, ghost)) {
                *sum += pair;
            }
        }
        sums
    }

    /// The change of the total when a piece goes from one place to another and captures nothing.
    fn change(&self, weights: &Weights, from: u8, to: u8) -> f32 {
        let numbers = self.numbers;
        let [was, is] =
            [from, to].map(|at| weights.place(numbers, at) + self.pairs[usize::from(at)]);
        is - was - weights.pair(numbers, to, from)
    }

    /// The total after a step to an empty square.
    fn total_stepped(&self, weights: &Weights, from: u8, to: u8) -> f32 {
        self.total + self.change(weights, from, to)
    }

    /// After a step to an empty square.
    pub(super) fn stepped(&self, weights: &Weights, from: u8, to: u8) -> Sums {
        let total = self.total_stepped(weights, from, to);
        let [was, is] = [from, to].map(|at| weights.pairs_of(self.numbers, at));
        let mut pairs = self.pairs;
        for ((sum, was), is) in pairs.iter_mut().zip(was).zip(is) {
            *sum += is - was;
        }
        Sums { total, pairs, numbers: self.numbers }
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
                let kind = Kind::of_own(state, from);
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
        kind: Kind,
        [from, to]: [Square; 2],
        after: &State,
    ) -> f32 {
        let (gone, numbers) = (Kind::Hidden.on(to), self.numbers);
        let [from, to] = [from, to].map(|square| kind.on(square));
        let lost = weights.place(numbers, gone) + self.pairs[usize::from(gone)]
            - weights.pair(numbers, gone, from)
            + weights.pair(numbers, gone, to);
        self.total + self.change(weights, from, to) - lost + weights.count(Numbers::of(after))
            - weights.count(numbers)
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
        let kind = Kind::of_own(state, from);
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
            let sums = Sums::of(&weights, state);
            for (from, to) in state.own_steps() {
                let after = state.after_own(from, to);
                if !state.hidden.has(to) {
                    let slow = weights.sum(&Ghosts::of(&after));
                    assert_near(sums.score(&weights, state, [from, to], 0.5), slow, state);
                    continue;
                }
                let less_blue = State { hidden_blue: state.hidden_blue - 1, ..after };
                let blue =
                    if state.hidden_blue == 1 { 1.0 } else { weights.win_probability(&less_blue) };
                let red =
                    if state.hidden_red() == 1 { 0.0 } else { weights.win_probability(&after) };
                for is_blue in [0.0, 0.3, 1.0] {
                    let slow = logit(is_blue * blue + (1.0 - is_blue) * red);
                    assert_near(sums.score(&weights, state, [from, to], is_blue), slow, state);
                }
            }
        }
    }

    /// Sums that were kept up along a way are those of its end.
    #[test]
    fn sums_are_kept_up() {
        let (states, weights) = samples();
        for state in states.iter().step_by(10) {
            let (mut state, mut sums) = (*state, Sums::of(&weights, state));
            for turn in 0..6 {
                let mut quiet: Vec<(Square, Square)> = match turn % 2 {
                    0 => state.own_steps().collect(),
                    _ => state.opponent_steps().collect(),
                };
                quiet.retain(|(_, to)| !(state.own() | state.hidden).has(*to));
                let Some(&(from, to)) = quiet.get(turn % quiet.len().max(1)) else { break };
                let kind = if turn % 2 == 0 { Kind::of_own(&state, from) } else { Kind::Hidden };
                sums = sums.stepped(&weights, kind.on(from), kind.on(to));
                if turn % 2 == 0 {
                    state = state.after_own(from, to);
                } else {
                    state.hidden = state.hidden.without(from.bit()) | to.bit();
                }
            }
            let slow = Sums::of(&weights, &state);
            assert_near(sums.total, weights.sum(&Ghosts::of(&state)), &state);
            for (one, other) in sums.pairs.iter().zip(&slow.pairs) {
                assert_near(*one, *other, &state);
            }
        }
    }
}
