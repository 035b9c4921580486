//! The board of the search: no colours, only the player to move and the opponent.

use crate::exact::Key;
use games::othello::{flips, mobility};

/// The discs of the player to move and of the opponent, a1 in the lowest bit.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Board {
    pub(super) own: u64,
    pub(super) other: u64,
}

impl Key for Board {
    #[inline]
    fn place(self) -> u64 {
        let mixed = self.own.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 32 ^ self.other).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^ mixed >> 32
    }
}

impl Board {
    #[inline]
    pub(super) fn empty(self) -> u64 {
        !(self.own | self.other)
    }

    #[inline]
    pub(super) fn mobility(self) -> u64 {
        mobility(self.own, self.other)
    }

    /// The discs that a disc on `square` flips.
    #[inline]
    pub(super) fn flips(self, square: u32) -> u64 {
        flips(self.own, self.other, square)
    }

    /// The board after a disc on `square` that flips `turned`, from the opponent's view.
    #[inline]
    pub(super) fn after(self, square: u32, turned: u64) -> Board {
        Board { own: self.other & !turned, other: self.own | turned | 1 << square }
    }

    /// The board after a pass.
    #[inline]
    pub(super) fn turned(self) -> Board {
        Board { own: self.other, other: self.own }
    }

    /// The score of a finished game: the winner gets the empty squares.
    pub(super) fn final_score(self) -> i32 {
        let difference = self.own.count_ones() as i32 - self.other.count_ones() as i32;
        difference + difference.signum() * self.empty().count_ones() as i32
    }
}

/// A quadrant of the board. Parity: the player who enters a quadrant with an odd number of empty
/// squares tends to get the last move there.
const QUADRANT: u64 = 0x0000_0000_0f0f_0f0f;

/// The quadrant of `square`.
#[inline]
pub(super) const fn quadrant(square: u32) -> u64 {
    QUADRANT << (square & 4 | square & 32)
}

/// The quadrants with an odd number of empty squares.
pub(super) fn odd_quadrants(empty: u64) -> u64 {
    let quadrants = [0, 4, 32, 36].map(quadrant);
    quadrants.into_iter().filter(|quadrant| (empty & quadrant).count_ones() % 2 == 1).sum()
}
