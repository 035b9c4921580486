//! The left-right mirror, the only symmetry of a Geister board that keeps the sides apart.

use super::board::Board;
use super::moves::Move;
use super::position::Position;

impl<B: Board> Position<B> {
    /// The position with left and right exchanged.
    #[must_use]
    pub fn mirror(&self) -> Position<B> {
        self.map_squares(B::mirrored)
    }

    /// The lesser of the position and its mirror image, the same for both.
    #[must_use]
    pub fn canonical(&self) -> Position<B> {
        (*self).min(self.mirror())
    }
}

impl Move {
    /// The move with left and right exchanged.
    #[must_use]
    pub fn mirror<B: Board>(self) -> Move {
        self.map(B::mirrored)
    }
}
