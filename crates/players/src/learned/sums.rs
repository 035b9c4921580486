//! The sum of the model, kept up from step to step, and with it what each place would add. Then a step
//! costs three look-ups in place of thirty, which is what looking ahead spends its time on.
//!
//! The slow twin is [`Weights::sum`].

use super::view::View;
use super::weights::{Ghosts, Numbers, PLACES, Weights, logit, squeezed};
use games::geister::Square;

/// Which of a view's ghosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Blue,
    Red,
    Other,
}

impl Kind {
    /// Of an own ghost.
    pub(super) fn of_own(view: &View, on: Square) -> Kind {
        if view.blue.has(on) { Kind::Blue } else { Kind::Red }
    }

    /// A ghost of this kind on a square, as the model counts places.
    pub(super) const fn on(self, square: Square) -> u8 {
        (36 * self as usize + square.index()) as u8
    }
}

/// What the ghosts of a view add up to.
#[derive(Clone, Copy)]
pub(super) struct Sums {
    /// Everything: the logit of the chance to win for whoever has just moved.
    total: f32,
    /// For each place, all pairs of a ghost there with the ghosts of the view.
    pairs: [f32; PLACES],
    numbers: Numbers,
}

impl Sums {
    pub(super) fn of(weights: &Weights, view: &View) -> Sums {
        let ghosts = Ghosts::of(view);
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

    /// What a ghost adds that goes from one place to another and captures nothing.
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

    /// The chance to win after an own step to where one of the others stands, who is blue with this
    /// chance.
    fn chance_of_capture(
        &self,
        weights: &Weights,
        view: &View,
        [from, to]: [Square; 2],
        is_blue: f32,
    ) -> f32 {
        let mut after = view.stepped(from, to);
        let red = match view.others_red() {
            _ if is_blue >= 1.0 => 0.0,
            ..=1 => 0.0,
            _ => weights.chance(&after),
        };
        after.others_blue = view.others_blue.saturating_sub(1);
        let blue = match view.others_blue {
            _ if is_blue <= 0.0 => 0.0,
            ..=1 => 1.0,
            _ => {
                let kind = Kind::of_own(view, from);
                squeezed(self.total_captured(weights, kind, [from, to], &after))
            }
        };
        is_blue * blue + (1.0 - is_blue) * red
    }

    /// The total after an own step to where a blue of the others stands: the reds being as many as
    /// before, all weights but that of the numbers are the same.
    fn total_captured(
        &self,
        weights: &Weights,
        kind: Kind,
        [from, to]: [Square; 2],
        after: &View,
    ) -> f32 {
        let (gone, numbers) = (Kind::Other.on(to), self.numbers);
        let [from, to] = [from, to].map(|square| kind.on(square));
        let lost = weights.place(numbers, gone) + self.pairs[usize::from(gone)]
            - weights.pair(numbers, gone, from)
            + weights.pair(numbers, gone, to);
        self.total + self.change(weights, from, to) - lost + weights.count(Numbers::of(after))
            - weights.count(numbers)
    }

    /// What a step is worth at sight, as a logit; `is_blue` says how likely the one it captures is blue.
    pub(super) fn worth(
        &self,
        weights: &Weights,
        view: &View,
        [from, to]: [Square; 2],
        is_blue: f32,
    ) -> f32 {
        if view.others.has(to) {
            return logit(self.chance_of_capture(weights, view, [from, to], is_blue));
        }
        let kind = Kind::of_own(view, from);
        self.total_stepped(weights, kind.on(from), kind.on(to))
    }
}

#[cfg(test)]
mod tests {
    use super::super::weights::tests::samples;
    use super::*;

    fn assert_near(one: f32, other: f32, view: &View) {
        let [one, other] = [one, other].map(|sum| sum.clamp(-9.0, 9.0));
        assert!((one - other).abs() < 2e-3, "{one} or {other} in {view:?}");
    }

    /// The slow twin: every position after a step summed up anew.
    #[test]
    fn steps_are_worth_what_their_positions_are() {
        let (views, weights) = samples();
        for view in views.iter().filter(|view| !view.can_leave()) {
            let sums = Sums::of(&weights, view);
            view.for_each_step(|from, to| {
                let after = view.stepped(from, to);
                if !view.others.has(to) {
                    let slow = weights.sum(&Ghosts::of(&after));
                    assert_near(sums.worth(&weights, view, [from, to], 0.5), slow, view);
                    return;
                }
                let less_blue = View { others_blue: view.others_blue - 1, ..after };
                let blue = if view.others_blue == 1 { 1.0 } else { weights.chance(&less_blue) };
                let red = if view.others_red() == 1 { 0.0 } else { weights.chance(&after) };
                for is_blue in [0.0, 0.3, 1.0] {
                    let slow = logit(is_blue * blue + (1.0 - is_blue) * red);
                    assert_near(sums.worth(&weights, view, [from, to], is_blue), slow, view);
                }
            });
        }
    }

    /// Sums that were kept up along a way are those of its end.
    #[test]
    fn sums_are_kept_up() {
        let (views, weights) = samples();
        for view in views.iter().step_by(10) {
            let (mut view, mut sums) = (*view, Sums::of(&weights, view));
            for turn in 0..6 {
                let mut quiet = Vec::new();
                let mut note = |from, to| quiet.push([from, to]);
                match turn % 2 {
                    0 => view.for_each_step(&mut note),
                    _ => view.for_each_answer(&mut note),
                }
                quiet.retain(|[_, to]| !(view.own() | view.others).has(*to));
                let Some(&[from, to]) = quiet.get(turn % quiet.len().max(1)) else { break };
                let kind = if turn % 2 == 0 { Kind::of_own(&view, from) } else { Kind::Other };
                sums = sums.stepped(&weights, kind.on(from), kind.on(to));
                if turn % 2 == 0 {
                    view = view.stepped(from, to);
                } else {
                    view.others = view.others.without(from.bit()) | to.bit();
                }
            }
            let slow = Sums::of(&weights, &view);
            assert_near(sums.total, weights.sum(&Ghosts::of(&view)), &view);
            for (one, other) in sums.pairs.iter().zip(&slow.pairs) {
                assert_near(*one, *other, &view);
            }
        }
    }
}
