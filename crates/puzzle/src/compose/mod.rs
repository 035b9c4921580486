//! Making puzzles: sources propose positions, the solver proves or drops them.

pub mod random;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// The random numbers of one trial: a pure function of seed and trial, so that trials can be made
/// in any order, on any thread, and again.
pub fn chance(seed: u64, trial: u64) -> ChaCha8Rng {
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    chance.set_stream(trial);
    chance
}
