//! What misleads: wrong first moves that look as good as the key, and how far one has to look to
//! tell them from it. An estimate of what misleads a person, not a measurement of persons.
//!
//! A first move is wrong if it does not keep the shortest win. Seen `k` plies deep ([`Look`]), it is
//! told from the key once its value is less than the key's. Looking as deep as the puzzle is long
//! always tells; looks deeper than five plies are not made, and count as two plies more.

use super::{Feature, Features};
use crate::glance::Look;
use crate::record::Puzzle;
use games::geister::Move;

/// The deepest look, in plies.
const DEEPEST: u32 = 5;

/// Moves that are thought of in a position, the best looking ones.
const BREADTH: usize = 8;

/// Fills in the features of temptation.
pub(super) fn fill(puzzle: &Puzzle, features: &mut Features) {
    let keys: Vec<Move> = puzzle.keys().collect();
    let wrong: Vec<Move> = puzzle.first_moves.iter().map(|first| first.mv).collect();
    let wrong: Vec<Move> = wrong.into_iter().filter(|mv| !keys.contains(mv)).collect();
    let mut told = vec![None; wrong.len()];
    for plies in (1..=DEEPEST).step_by(2) {
        let better = better_than_key(puzzle, &keys, plies);
        for (mv, told) in wrong.iter().zip(&mut told) {
            if told.is_none() && !better.contains(mv) {
                *told = Some(plies);
            }
        }
    }
    let depths = told.into_iter().map(|told| told.unwrap_or(DEEPEST + 2));
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

/// The first moves that look as good as the best key or better, seen so deep.
fn better_than_key(puzzle: &Puzzle, keys: &[Move], plies: u32) -> Vec<Move> {
    // At the root nothing is left out: every first move is to be judged.
    let look = Look { plies, breadth: BREADTH };
    let values = look.every_value(&puzzle.position);
    let key = values.iter().filter(|(mv, _)| keys.contains(mv)).map(|(_, value)| *value).max();
    let as_good = |&(mv, value): &(Move, i32)| (key.is_none_or(|key| value >= key)).then_some(mv);
    values.iter().filter_map(as_good).collect()
}
