//! The model: a weight for each ghost on its square, for each two of them, and for how many are
//! left; a sigmoid makes a probability of their sum.

use games::geister::Square;
use geister::state::State;

/// Own blue, own red or hidden, on one of 36 squares.
pub(super) const PLACES: usize = 3 * Square::COUNT;
/// Combinations of the reds left on both sides, 1 to 4 each.
const STAGES: usize = 16;
/// How near either side is to its last red, one, two or more being left: then everything means
/// something else.
pub(super) const BRINKS: usize = 9;
/// Combinations of the ghosts left of each colour and side, 1 to 4 each.
const COUNTS: usize = 256;

/// The weights of the model. A position and its mirror image have the same ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// By how many of each colour are left on each side.
    pub(super) counts: Vec<f32>,
    /// By how many reds are left, and a ghost's place.
    pub(super) places: Vec<f32>,
    /// By how near the last reds are, and the places of two ghosts, in either order.
    pub(super) pairs: Vec<f32>,
}

impl Default for Weights {
    /// Nothing learned: every probability is one half.
    fn default() -> Weights {
        Weights {
            counts: vec![0.0; COUNTS],
            places: vec![0.0; STAGES * PLACES],
            pairs: vec![0.0; BRINKS * PLACES * PLACES],
        }
    }
}

/// How many ghosts are left, as indices into the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PieceCounts {
    count: u8,
    stage: u8,
    brink: u8,
}

impl PieceCounts {
    /// Of a state in which the game is not over: each side has both colours left.
    pub(super) fn of(state: &State) -> PieceCounts {
        let left = |number: u32| (number.clamp(1, 4) - 1) as u8;
        let (blue, red) = (left(state.blue.count()), left(state.red.count()));
        let (hidden_blue, hidden_red) = (left(state.hidden_blue), left(state.hidden_red()));
        PieceCounts {
            count: blue << 6 | red << 4 | hidden_blue << 2 | hidden_red,
            stage: red << 2 | hidden_red,
            brink: 3 * red.min(2) + hidden_red.min(2),
        }
    }
}

/// The features of a state: the places of its pieces, and how many are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features {
    places: [u8; 16],
    len: u8,
    counts: PieceCounts,
}

impl Features {
    /// Of a state in which the game is not over: each side has both colours left.
    pub fn of(state: &State) -> Features {
        let mut features = Features { places: [0; 16], len: 0, counts: PieceCounts::of(state) };
        for (kind, squares) in [state.blue, state.red, state.hidden].into_iter().enumerate() {
            for square in squares {
                features.places[usize::from(features.len)] =
                    (Square::COUNT * kind + square.index()) as u8;
                features.len += 1;
            }
        }
        features
    }

    pub(super) fn places(&self) -> &[u8] {
        &self.places[..usize::from(self.len)]
    }

    pub(super) fn counts(&self) -> PieceCounts {
        self.counts
    }

    fn mirrored(&self) -> Features {
        Features { places: self.places.map(mirrored), ..*self }
    }
}

/// The place in a mirror that stands beside the board.
pub(super) const fn mirrored(place: u8) -> u8 {
    place / 6 * 6 + (5 - place % 6)
}

impl Weights {
    /// All parameters of the model, in a fixed order.
    pub fn parameters(&self) -> impl Iterator<Item = &f32> {
        self.counts.iter().chain(&self.places).chain(&self.pairs)
    }

    /// The same, to be changed.
    pub fn parameters_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        self.counts.iter_mut().chain(&mut self.places).chain(&mut self.pairs)
    }

    /// The weights of all pairs of a ghost on this place with another, by the place of that.
    pub(super) fn pairs_of(&self, counts: PieceCounts, one: u8) -> &[f32] {
        let row = usize::from(counts.brink) * PLACES + usize::from(one);
        &self.pairs[row * PLACES..(row + 1) * PLACES]
    }

    pub(super) fn pair(&self, counts: PieceCounts, one: u8, other: u8) -> f32 {
        self.pairs_of(counts, one)[usize::from(other)]
    }

    pub(super) fn place(&self, counts: PieceCounts, place: u8) -> f32 {
        self.places[usize::from(counts.stage) * PLACES + usize::from(place)]
    }

    pub(super) fn count(&self, counts: PieceCounts) -> f32 {
        self.counts[usize::from(counts.count)]
    }

    /// The logit of the probability to win: the sum of the weights of these features. `Accumulator`
    /// updates it incrementally.
    pub fn logit(&self, features: &Features) -> f32 {
        let mut sum = self.count(features.counts);
        let places = features.places();
        for (at, &one) in places.iter().enumerate() {
            sum += self.place(features.counts, one);
            let pairs = self.pairs_of(features.counts, one);
            sum += places[at + 1..].iter().map(|&other| pairs[usize::from(other)]).sum::<f32>();
        }
        sum
    }

    /// The probability to win for the viewer, which has just moved.
    pub fn win_probability(&self, state: &State) -> f32 {
        sigmoid(self.logit(&Features::of(state)))
    }

    /// Adds to the weight of each of these features and of their mirror images, a gradient step.
    pub fn update(&mut self, features: &Features, by: f32) {
        let PieceCounts { count, stage, brink } = features.counts;
        self.counts[usize::from(count)] += by;
        let [stage, brink] = [stage, brink].map(|part| usize::from(part) * PLACES);
        for seen in [features, &features.mirrored()] {
            for (at, &one) in seen.places().iter().enumerate() {
                let one = usize::from(one);
                self.places[stage + one] += by / 2.0;
                for &other in &seen.places()[at + 1..] {
                    let other = usize::from(other);
                    self.pairs[(brink + one) * PLACES + other] += by / 2.0;
                    self.pairs[(brink + other) * PLACES + one] += by / 2.0;
                }
            }
        }
    }
}

/// The probability of a logit.
pub fn sigmoid(sum: f32) -> f32 {
    1.0 / (1.0 + (-sum).exp())
}

/// The logit of a probability, which is kept off 0 and 1 by a ten-thousandth.
pub fn logit(probability: f32) -> f32 {
    let probability = probability.clamp(1e-4, 1.0 - 1e-4);
    (probability / (1.0 - probability)).ln()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use games::Seat;
    use games::geister::Game;
    use play::Thinking;
    use rand::Rng;
    use rand::seq::IndexedRandom;
    use std::time::Duration;

    /// States along random games, and random weights.
    pub(in crate::learned) fn samples() -> (Vec<State>, Weights) {
        let mut rng = Thinking { time: Duration::ZERO, seed: 3 }.rng(0);
        let mut states = Vec::new();
        while states.len() < 2000 {
            let [bottom, top] = [0, 1].map(|_| crate::random::any_placement(&mut rng));
            let mut game = Game::new(bottom, top, 200);
            while game.outcome().is_none() {
                states.push(State::from(&game.observe(game.turn())));
                game = game.play_unchecked(*game.legal_moves().choose(&mut rng).unwrap());
            }
            assert!(game.observe(Seat::First).outcome().is_some());
        }
        let mut weights = Weights::default();
        for state in &states {
            weights.update(&Features::of(state), rng.random_range(-0.01..0.01));
        }
        (states, weights)
    }

    #[test]
    fn a_mirror_changes_nothing() {
        let (states, weights) = samples();
        for state in states {
            let features = Features::of(&state);
            let difference = weights.logit(&features) - weights.logit(&features.mirrored());
            assert!(difference.abs() < 1e-4, "{difference}");
        }
    }

    #[test]
    fn an_update_moves_the_logit_that_way() {
        let (states, mut weights) = samples();
        for state in states.iter().step_by(10) {
            let features = Features::of(state);
            let before = weights.logit(&features);
            weights.update(&features, 0.01);
            assert!(weights.logit(&features) > before);
        }
    }

    #[test]
    fn logits_and_probabilities_are_inverse() {
        for sum in [-5.0_f32, -1.0, 0.0, 0.3, 4.0] {
            assert!((logit(sigmoid(sum)) - sum).abs() < 1e-2);
        }
        assert!(logit(1.0).is_finite() && logit(0.0).is_finite());
    }
}
