//! The steps of a side and what the model thinks of them.

use super::view::View;
use super::weights::{Ghosts, Weights, logit};
use crate::purple::End;
use crate::rush::steps_to_exit;
use games::geister::{Bitboard, Move, Square, Standard};
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
    let ghosts = Ghosts::of(view);
    let now = weights.sum(&ghosts);
    let own = view.own();
    for (kind, army) in [(0, view.blue), (36, view.red)] {
        for from in army {
            for to in Bitboard::neighbours::<Standard>(from.bit()).without(own) {
                let worth = if view.others.has(to) {
                    logit(capture(weights, view, from, to, is_blue(to)))
                } else {
                    let [from, to] = [from, to].map(|square| (kind + square.index()) as u8);
                    now + weights.change(&ghosts, from, to)
                };
                into.push(Step { from, to, worth });
            }
        }
    }
}

/// The chance to win with a capture of a ghost that is blue with this chance.
fn capture(weights: &Weights, view: &View, from: Square, to: Square, is_blue: f32) -> f32 {
    let mut after = view.stepped(from, to);
    let red = if view.others_red() <= 1 { 0.0 } else { weights.chance(&after) };
    after.others_blue = view.others_blue.saturating_sub(1);
    let blue = if view.others_blue <= 1 { 1.0 } else { weights.chance(&after) };
    is_blue * blue + (1.0 - is_blue) * red
}

/// Drops the steps after which the others win for sure within so many plies at the worst, unless all
/// are such.
pub(super) fn keep_safe(view: &View, steps: &mut Vec<Step>, plies: u32) {
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
pub(super) struct Choice {
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
    pub(super) fn draw(&self, steps: &mut [Step], chance: &mut impl Rng) -> Step {
        self.likelihoods(steps);
        let mut left = chance.random::<f32>();
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

    /// The slow twin: every position after a step summed up anew.
    #[test]
    fn steps_are_worth_what_their_positions_are() {
        let (views, weights) = samples();
        let mut found = Vec::new();
        for view in views.iter().filter(|view| !view.can_leave()) {
            steps(&weights, view, |_| 1.0, &mut found);
            for step in &found {
                let mut after = view.stepped(step.from, step.to);
                let captures = view.others.has(step.to);
                let slow = if captures && view.others_blue == 1 {
                    logit(1.0)
                } else {
                    after.others_blue -= u32::from(captures);
                    weights.sum(&Ghosts::of(&after))
                };
                let most = logit(1.0);
                let [fast, slow] = [step.worth, slow].map(|worth| worth.clamp(-most, most));
                assert!((fast - slow).abs() < 2e-3, "{} or {slow}", step.worth);
            }
        }
    }

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
