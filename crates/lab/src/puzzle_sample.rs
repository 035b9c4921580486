//! Random samples of the shipped puzzle collection.

use crate::{LabError, Run};
use common::rng::stream;
use puzzle::Puzzle;
use rand::seq::SliceRandom;

/// Up to `number` random puzzles of each length that `fit`, in the order of the lengths. A length
/// with fewer puzzles contributes all of them.
pub(crate) fn of_lengths(
    run: &Run<'_>,
    lengths: &[u32],
    number: u64,
    fit: impl Fn(&Puzzle) -> bool,
) -> Result<Vec<Puzzle>, LabError> {
    let all = puzzle::shipped::puzzles().map_err(|error| LabError::Input(error.to_string()))?;
    let mut sample = Vec::new();
    for &length in lengths {
        let of_length = all.iter().filter(|puzzle| puzzle.m_win == length && fit(puzzle));
        let mut of_length: Vec<&Puzzle> = of_length.collect();
        of_length.shuffle(&mut stream(run.seed, length.into()));
        sample.extend(of_length.into_iter().take(number as usize).cloned());
    }
    Ok(sample)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn the_seed_draws_puzzles_of_the_lengths() {
        let stop = AtomicBool::new(false);
        let draw = |seed| {
            let run = Run { seed, ..Run::small(&stop) };
            of_lengths(&run, &[7, 11], 3, |puzzle| !puzzle.red_wall).unwrap()
        };
        let lengths: Vec<u32> = draw(1).iter().map(|puzzle| puzzle.m_win).collect();
        assert_eq!(lengths, [7, 7, 7, 11, 11, 11]);
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        assert!(draw(1).iter().all(|puzzle| !puzzle.red_wall));
    }
}
