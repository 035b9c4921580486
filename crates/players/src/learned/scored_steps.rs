//! The steps of a side with the scores that the model gives them, and how players choose by them.

use super::accumulator::Accumulator;
use super::weights::Weights;
use crate::purple::Purple;
use crate::rush::steps_to_exit;
use games::Seat;
use games::geister::{Move, Square, Standard};
use geister::state::State;
use rand::Rng;

/// A step with its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoredStep {
    /// From where.
    pub from: Square,
    /// To where.
    pub to: Square,
    /// The logit of the probability to win with it.
    pub score: f32,
}

impl ScoredStep {
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

/// Fills `into` with every step of the viewer and its score; leaving the board is not among them.
/// `is_blue` gives the probability that a hidden piece is blue.
pub fn score_steps(
    weights: &Weights,
    state: &State,
    is_blue: impl Fn(Square) -> f32,
    into: &mut Vec<ScoredStep>,
) {
    into.clear();
    let accumulator = Accumulator::of(weights, state);
    into.extend(state.own_steps().map(|(from, to)| {
        let score = accumulator.score(weights, state, [from, to], is_blue(to));
        ScoredStep { from, to, score }
    }));
}

/// Drops the steps after which the opponent has a forced win within `plies` plies in the worst case,
/// unless all of them lose.
pub fn keep_safe(state: &State, steps: &mut Vec<ScoredStep>, plies: u32) {
    let now = Purple::new(*state, true);
    let safe = |step: &ScoredStep| match now.step(step.from, step.to) {
        Err(end) => end.winner() == Some(Seat::First),
        Ok(after) => !after.is_lost_within(plies),
    };
    if steps.iter().any(safe) {
        steps.retain(safe);
    }
}

/// A random choice among steps by their scores: softmax, mixed with a uniform choice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftmaxChoice {
    /// The temperature of the softmax.
    pub temperature: f32,
    /// The probability of a uniform choice instead.
    pub epsilon: f32,
}

impl SoftmaxChoice {
    /// Turns the score of each step into the probability that it is chosen.
    pub(super) fn probabilities(&self, steps: &mut [ScoredStep]) {
        let most = steps.iter().map(|step| step.score).fold(f32::MIN, f32::max);
        let mut sum = 0.0;
        for step in steps.iter_mut() {
            step.score = ((step.score - most) / self.temperature).exp();
            sum += step.score;
        }
        let any = self.epsilon / steps.len() as f32;
        for step in steps {
            step.score = (1.0 - self.epsilon) * step.score / sum + any;
        }
    }

    /// A random one of the steps. Their scores are lost.
    ///
    /// # Panics
    /// If there are none.
    pub fn draw(&self, steps: &mut [ScoredStep], rng: &mut impl Rng) -> ScoredStep {
        self.probabilities(steps);
        let mut left = rng.random::<f32>();
        let drawn = steps.iter().find(|step| {
            left -= step.score;
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
    fn probabilities_add_up_and_order_stays() {
        let (states, weights) = samples();
        let mut found = Vec::new();
        for state in states.iter().step_by(7) {
            score_steps(&weights, state, |_| 0.5, &mut found);
            let scores: Vec<f32> = found.iter().map(|step| step.score).collect();
            SoftmaxChoice { temperature: 0.5, epsilon: 0.1 }.probabilities(&mut found);
            let sum: f32 = found.iter().map(|step| step.score).sum();
            assert!((sum - 1.0).abs() < 1e-4, "{sum}");
            for (one, score) in found.iter().zip(&scores) {
                for (two, other) in found.iter().zip(&scores) {
                    assert!(score >= other || one.score <= two.score);
                }
            }
        }
    }
}
