//! Random numbers for playouts: SplitMix64 (Steele, Lea & Flood 2014).
//!
//! A playout needs one small number per ply, fast, and the same ones for the same seed in every
//! version of the program. Four lines do that, so the crate needs no dependency for it.

use crate::table::mix;

/// A stream of pseudo-random numbers, fixed by its seed.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(mix(seed))
    }

    fn next(&mut self) -> u64 {
        let number = mix(self.0);
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        number
    }

    /// One of 0 to `n - 1`, each as likely as the others but for `n / 2^64`; 0 if `n` is 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_equally_often() {
        let mut random = Random::new(7);
        let mut counts = [0_i32; 6];
        for _ in 0..60_000 {
            counts[random.below(6)] += 1;
        }
        // Five standard deviations of a binomial distribution.
        assert!(counts.iter().all(|count| (count - 10_000).abs() < 456), "{counts:?}");
    }

    #[test]
    fn the_seed_fixes_the_stream() {
        let stream = |seed| {
            let mut random = Random::new(seed);
            [(); 20].map(|()| random.below(1000))
        };
        assert_eq!(stream(3), stream(3));
        assert_ne!(stream(3), stream(4));
        assert_ne!(stream(0), stream(1));
    }
}
