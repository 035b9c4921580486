//! Move ordering.

use super::board::{Board, quadrant};

/// A move with the board after it and its rank; lower ranks are searched first.
#[derive(Clone, Copy, Default)]
pub(super) struct RankedMove {
    pub(super) square: u8,
    pub(super) rank: i32,
    pub(super) after: Board,
}

/// An upper bound on the moves of any position.
const MAX_MOVES: usize = 40;

/// The moves of a position.
pub(super) struct Moves {
    list: [RankedMove; MAX_MOVES],
    count: usize,
}

const CORNERS: u64 = 0x8100_0000_0000_0081;

impl Moves {
    /// The moves of `places`, ranked but not sorted; `first` comes first if it is one of them.
    pub(super) fn ranked(board: Board, places: u64, odd: u64, first: Option<u8>) -> Moves {
        let mut moves = Moves { list: [RankedMove::default(); MAX_MOVES], count: 0 };
        let mut squares = places;
        while squares != 0 {
            let square = squares.trailing_zeros();
            squares &= squares - 1;
            let after = board.after(square, board.flips(square));
            let rank =
                if first == Some(square as u8) { i32::MIN } else { rank(after, square, odd) };
            moves.push(RankedMove { square: square as u8, rank, after });
        }
        moves
    }

    fn push(&mut self, ranked: RankedMove) {
        if let Some(place) = self.list.get_mut(self.count) {
            *place = ranked;
            self.count += 1;
        }
    }

    /// All moves, unsorted except for those already taken.
    pub(super) fn as_slice(&self) -> &[RankedMove] {
        &self.list[..self.count]
    }

    /// The best move after the first `taken` ones, by selection sort.
    pub(super) fn next(&mut self, taken: usize) -> Option<RankedMove> {
        let rest = self.list.get_mut(taken..self.count)?;
        let best = (0..rest.len()).min_by_key(|&index| rest[index].rank)?;
        rest.swap(0, best);
        rest.first().copied()
    }
}

/// Fastest first: few replies, corners counted twice, then the parity of the quadrant.
fn rank(after: Board, square: u32, odd: u64) -> i32 {
    let replies = after.mobility();
    let mobility = (replies.count_ones() + (replies & CORNERS).count_ones()) as i32;
    let potential = frontier(after.other, after.empty()).count_ones() as i32;
    let corner = i32::from(1u64 << square & CORNERS != 0);
    let parity = i32::from(quadrant(square) & odd != 0);
    16 * mobility + 4 * potential - 16 * corner - 4 * parity
}

/// The empty squares next to `discs`: the potential mobility of the opponent.
fn frontier(discs: u64, empty: u64) -> u64 {
    let (not_a, not_h) = (discs & !0x0101_0101_0101_0101, discs & !0x8080_8080_8080_8080);
    let row = discs | not_a >> 1 | not_h << 1;
    (row | row << 8 | row >> 8) & empty
}
