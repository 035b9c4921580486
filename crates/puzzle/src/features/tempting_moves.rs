//! Tempting moves: wrong first moves that look as good as the key, and the depth that refutes them.
//! An estimate of what misleads a person, not a measurement.
//!
//! A first move is wrong if it does not keep the shortest win. A [`Lookahead`] of `k` plies refutes
//! it if its value is less than the key's. A lookahead of the full length always refutes it; moves
//! that five plies do not refute count as seven.

use super::{Feature, Features};
use crate::lookahead::Lookahead;
use crate::record::Puzzle;
use games::geister::Move;

/// The deepest lookahead in plies.
const MAX_DEPTH_PLIES: u32 = 5;

/// The beam width of the lookahead.
const BEAM_WIDTH: usize = 8;

/// Sets the features of tempting moves.
pub(super) fn fill(puzzle: &Puzzle, features: &mut Features) {
    let keys: Vec<Move> = puzzle.keys().collect();
    let wrong: Vec<Move> = puzzle.first_moves.iter().map(|first| first.mv).collect();
    let wrong: Vec<Move> = wrong.into_iter().filter(|mv| !keys.contains(mv)).collect();
    let mut refutation_depths = vec![None; wrong.len()];
    for plies in (1..=MAX_DEPTH_PLIES).step_by(2) {
        let better = better_than_key(puzzle, &keys, plies);
        for (mv, depth) in wrong.iter().zip(&mut refutation_depths) {
            if depth.is_none() && !better.contains(mv) {
                *depth = Some(plies);
            }
        }
    }
    let depths = refutation_depths.into_iter().map(|depth| depth.unwrap_or(MAX_DEPTH_PLIES + 2));
    let (mut tempting, mut deepest, mut sum) = (0, 0, 0);
    for depth in depths {
        tempting += u32::from(depth > 1);
        deepest = deepest.max(depth);
        sum += depth;
    }
    features.set(Feature::Temptations, f64::from(tempting));
    features.set(Feature::DeepestTemptation, f64::from(deepest));
    features.set(Feature::TemptationMean, f64::from(sum) / wrong.len().max(1) as f64);
}

/// The first moves that look at least as good as the best key at this depth.
fn better_than_key(puzzle: &Puzzle, keys: &[Move], plies: u32) -> Vec<Move> {
    // Every first move is evaluated, so the beam does not apply at the root.
    let lookahead = Lookahead { plies, beam_width: BEAM_WIDTH };
    let values = lookahead.evaluate_all_moves(&puzzle.position);
    let key = values.iter().filter(|(mv, _)| keys.contains(mv)).map(|(_, value)| *value).max();
    let as_good = |&(mv, value): &(Move, i32)| (key.is_none_or(|key| value >= key)).then_some(mv);
    values.iter().filter_map(as_good).collect()
}
