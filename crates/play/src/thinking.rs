//! What a player may use besides what it knows.

use common::rng::stream;
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

/// The time for a move and the seed of its random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thinking {
    /// About this long; a player may take less.
    pub time: Duration,
    /// The seed of the game. Together with the number of the step it fixes the random numbers.
    pub seed: u64,
}

impl Thinking {
    /// The random numbers for this step.
    pub fn rng(&self, step: u32) -> ChaCha8Rng {
        stream(self.seed, u64::from(step))
    }
}
