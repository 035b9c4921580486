//! Ways to the exits, counted in steps.

use games::geister::{Board, Square, Standard};

/// What a ghost is worth at so many steps from an exit.
pub(super) const NEAR: [i32; 11] = [90, 60, 38, 24, 14, 8, 4, 2, 0, 0, 0];

/// Steps of an own ghost to its nearest exit.
pub(super) fn out(square: Square) -> usize {
    out_below(Standard::turned(square))
}

/// The same for a ghost of the others.
pub(super) fn out_below(square: Square) -> usize {
    let side = square.column().min(Standard::COLUMNS - 1 - square.column());
    (side + square.row()) as usize
}
