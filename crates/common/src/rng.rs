//! Random numbers that are the same for the same seed, on every machine and in every version.
//!
//! [`stream`] is what players, composers and experiments draw from. [`SplitMix64`] is for playouts,
//! which need one small number per ply and as fast as possible, and for numbers that are fixed when
//! the program is compiled, such as Zobrist keys. [`derive_seed`] makes independent seeds from one.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// The increment of SplitMix64: 2^64 divided by the golden ratio, made odd.
const GOLDEN_GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

/// The finalizer of SplitMix64 (Steele, Lea and Flood 2014): a bijection that spreads every bit
/// over all others.
#[must_use]
pub const fn mix64(number: u64) -> u64 {
    let z = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// SplitMix64, a small and fast generator.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The generator whose state is `seed`.
    pub const fn new(seed: u64) -> SplitMix64 {
        SplitMix64(seed)
    }

    /// The next number.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN_GAMMA);
        mix64(self.0)
    }

    /// A number from 0 to `n - 1`, uniform but for `n / 2^64`; 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }
}

/// A hash of one number: the first output of [`SplitMix64`] for it. Unlike [`mix64`] it does not
/// map 0 to 0.
#[must_use]
pub const fn hash64(number: u64) -> u64 {
    SplitMix64::new(number).next()
}

/// A hash of several numbers that depends on their order.
pub fn hash_all(numbers: impl IntoIterator<Item = u64>) -> u64 {
    numbers.into_iter().fold(0, |hash, number| hash64(hash ^ number))
}

/// An independent seed for part number `part`: the output of [`SplitMix64`] with `seed` at that
/// index.
#[must_use]
pub const fn derive_seed(seed: u64, part: u64) -> u64 {
    mix64(seed.wrapping_add(part.wrapping_add(1).wrapping_mul(GOLDEN_GAMMA)))
}

/// A random generator: stream `number` of `seed`. Streams are independent of each other, so that
/// parts of a job can run in any order.
pub fn stream(seed: u64, number: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number);
    rng
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs for the seed 1234567, as published with the reference implementation.
    #[test]
    fn splitmix64_gives_the_published_numbers() {
        let mut rng = SplitMix64::new(1_234_567);
        let published = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973];
        assert_eq!([rng.next(), rng.next()], published);
    }

    #[test]
    fn every_number_comes_equally_often() {
        let mut rng = SplitMix64::new(7);
        let mut counts = [0_i32; 6];
        for _ in 0..60_000 {
            counts[rng.below(6)] += 1;
        }
        // Five standard deviations of a binomial distribution.
        assert!(counts.iter().all(|count| (count - 10_000).abs() < 456), "{counts:?}");
        assert_eq!(rng.below(0), 0);
    }

    #[test]
    fn derived_seeds_are_the_numbers_of_the_generator() {
        let mut rng = SplitMix64::new(99);
        for part in 0..10 {
            assert_eq!(derive_seed(99, part), rng.next());
        }
    }
}
