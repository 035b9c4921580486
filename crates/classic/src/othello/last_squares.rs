//! The search of the last few empty squares, without transposition table, move list or node count.

use super::board::{Board, quadrant};
use games::othello::flips;

/// The squares around each.
static NEIGHBOURS: [u64; 64] = neighbours();

const fn neighbours() -> [u64; 64] {
    let mut all = [0; 64];
    let mut square = 0;
    while square < 64 {
        let bit = 1u64 << square;
        let (not_a, not_h) = (bit & !0x0101_0101_0101_0101, bit & !0x8080_8080_8080_8080);
        let row = bit | not_a >> 1 | not_h << 1;
        all[square] = (row | row << 8 | row >> 8) & !bit;
        square += 1;
    }
    all
}

/// A bound on the score of `board`, as in `Search::bound`. `odd` are the quadrants with an odd
/// number of empty squares, which are searched first.
pub(super) fn solve_last_squares(board: Board, odd: u64, threshold: i32) -> i32 {
    let empty = board.empty();
    if empty & empty.wrapping_sub(1) == 0 {
        return score_last_square(board, empty);
    }
    let found = try_all(board, odd, threshold);
    if found > NO_MOVE {
        return found;
    }
    let turned = board.turned();
    let found = try_all(turned, odd, -threshold - 1);
    if found > NO_MOVE { -found } else { board.final_score() }
}

/// Lower than every score.
const NO_MOVE: i32 = -65;

/// The best bound over all moves, or the first above `threshold`; [`NO_MOVE`] without moves.
#[inline]
fn try_all(board: Board, odd: u64, threshold: i32) -> i32 {
    let mut best = NO_MOVE;
    for part in [board.empty() & odd, board.empty() & !odd] {
        let mut squares = part;
        while squares != 0 {
            let square = squares.trailing_zeros();
            squares &= squares - 1;
            if NEIGHBOURS[square as usize] & board.other == 0 {
                continue;
            }
            let turned = board.flips(square);
            if turned == 0 {
                continue;
            }
            let after = board.after(square, turned);
            let bound = -solve_last_squares(after, odd ^ quadrant(square), -threshold - 1);
            if bound > best {
                best = bound;
                if best > threshold {
                    return best;
                }
            }
        }
    }
    best
}

/// The score with at most one empty square.
#[inline]
fn score_last_square(board: Board, empty: u64) -> i32 {
    if empty == 0 {
        return board.final_score();
    }
    let square = empty.trailing_zeros();
    // The board is full after this: the opponent has 64 minus the own discs.
    let own = board.own.count_ones() as i32;
    let turned = board.flips(square).count_ones() as i32;
    if turned > 0 {
        return 2 * (own + 1 + turned) - 64;
    }
    let turned = flips(board.other, board.own, square).count_ones() as i32;
    if turned > 0 {
        return 2 * (own - turned) - 64;
    }
    board.final_score()
}
