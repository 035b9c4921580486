//! The 6x6 board, without a type parameter: its squares and exits, and where pieces go on it.
//!
//! The rules in [`games::geister`] hold for every [`Board`]. Solver, tablebase, model and themes know
//! the [`Standard`] one only and take it from here, so that its masks are constants.

use games::geister::{Bitboard, Board, Square, Standard, Steps};

/// All 36 squares.
pub const ALL_SQUARES: Bitboard = Standard::FULL;
/// Where the blue ghosts of the bottom side leave: a6 and f6.
pub const BOTTOM_EXITS: Bitboard = Standard::BOTTOM_EXITS;
/// Where the blue ghosts of the top side leave: a1 and f1.
pub const TOP_EXITS: Bitboard = Standard::TOP_EXITS;

/// The squares one step away from any of these.
#[inline(always)]
pub const fn neighbours(set: Bitboard) -> Bitboard {
    set.neighbours::<Standard>()
}

/// Every step from one of `pieces` to a neighbouring square of `open`, as `(from, to)`, in ascending
/// order.
#[inline(always)]
pub const fn steps(pieces: Bitboard, open: Bitboard) -> Steps {
    pieces.steps(open)
}

/// These squares as the opponent sees them.
#[inline(always)]
pub const fn turned(set: Bitboard) -> Bitboard {
    set.turned::<Standard>()
}

/// This square as the opponent sees it.
#[inline]
pub fn turned_square(square: Square) -> Square {
    Standard::turned(square)
}

/// This square with left and right exchanged.
#[inline]
pub fn mirrored_square(square: Square) -> Square {
    Standard::mirrored(square)
}
