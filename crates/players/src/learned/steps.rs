//! The steps of a side and what the model thinks of them.

use super::sums::Sums;
use super::view::View;
use super::weights::Weights;
use crate::purple::End;
use crate::rush::steps_to_exit;
use games::geister::{Move, Square, Standard};
use rand::Rng;

/// A step and what it is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// From where.
    pub from: Square,
    /// To where.
    pub to: Square,
    /// The logit of the chance to win with it.
    pub worth: f32,
}

impl Step {
    /// How many steps nearer to an exit it leads: one, or minus one for a step back.
    pub fn nearer(&self) -> f32 {
        let [from, to] =
            [self.from, self.to].map(|square| steps_to_exit::<Standard>(square) as f32);
        from - to
    }

    /// As a move.
    pub fn as_move(&self) -> Move {
        Move::Step { from: self.from, to: self.to }
    }
}

/// Every step of the side that sees this, with what it is worth; escapes are not among them.
/// `is_blue` says how likely a ghost of the others is blue.
pub fn steps(
    weights: &Weights,
    view: &View,
    is_blue: impl Fn(Square) -> f32,
    into: &mut Vec<Step>,
) {
    into.clear();
    let sums = Sums::of(weights, view);
    view.for_each_step(|from, to| {
        let worth = sums.worth(weights, view, [from, to], is_blue(to));
        into.push(Step { from, to, worth });
    });
}

/// Drops the steps after which the others win for sure within so many plies at the worst, unless all
/// are such.
pub fn keep_safe(view: &View, steps: &mut Vec<Step>, plies: u32) {
    let now = view.at_worst();
    let safe = |step: &Step| match now.step(step.from, step.to) {
        Err(end) => end == End::Won,
        Ok(after) => !after.is_lost_within(plies),
    };
    if steps.iter().any(safe) {
        steps.retain(safe);
    }
}

/// How somebody chooses among steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// Steps are chosen by the exponential of their worth over this.
    pub temperature: f32,
    /// With this chance, any step at all.
    pub whim: f32,
}

impl Choice {
    /// Turns what each step is worth into the chance that it is chosen.
    pub(super) fn likelihoods(&self, steps: &mut [Step]) {
        let most = steps.iter().map(|step| step.worth).fold(f32::MIN, f32::max);
        let mut sum = 0.0;
        for step in steps.iter_mut() {
            step.worth = ((step.worth - most) / self.temperature).exp();
            sum += step.worth;
        }
        let any = self.whim / steps.len() as f32;
        for step in steps {
            step.worth = (1.0 - self.whim) * step.worth / sum + any;
        }
    }

    /// One of the steps by chance; they must not be none. What they are worth is lost.
    pub fn draw(&self, steps: &mut [Step], rng: &mut impl Rng) -> Step {
        self.likelihoods(steps);
        let mut left = rng.random::<f32>();
        let drawn = steps.iter().find(|step| {
            left -= step.worth;
            left <= 0.0
        });
        // Rounding may leave a rest.
        *drawn.unwrap_or(&steps[0])
    }
}

#[cfg(test)]
mod tests {
    use super::super::weights::tests::samples;
    use super::*;

    #[test]
    fn likelihoods_add_up_and_order_stays() {
        let (views, weights) = samples();
        let mut found = Vec::new();
        for view in views.iter().step_by(7) {
            steps(&weights, view, |_| 0.5, &mut found);
            let worths: Vec<f32> = found.iter().map(|step| step.worth).collect();
            Choice { temperature: 0.5, whim: 0.1 }.likelihoods(&mut found);
            let sum: f32 = found.iter().map(|step| step.worth).sum();
            assert!((sum - 1.0).abs() < 1e-4, "{sum}");
            for (one, worth) in found.iter().zip(&worths) {
                for (two, other) in found.iter().zip(&worths) {
                    assert!(worth >= other || one.worth <= two.worth);
                }
            }
        }
    }
}
