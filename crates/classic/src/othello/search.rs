//! The null-window search: is the final score above a threshold?

use super::board::{Board, odd_quadrants};
use super::last_squares::solve_last_squares;
use super::ordering::Moves;
use super::{MAX_SCORE, MIN_SCORE};
use crate::exact::{Entry, TranspositionTable};
use search::{Budget, Stop};

/// Positions with at most this many empty squares are searched without a table.
const MAX_EMPTIES_WITHOUT_TABLE: u32 = 6;
/// Positions with at least this many empty squares try an enhanced transposition cut-off.
const MIN_EMPTIES_FOR_CUTOFF_LOOKUP: u32 = 10;

/// A search with its transposition table and budget.
pub(super) struct Search<'a, 'b> {
    pub(super) table: &'a mut TranspositionTable<Board>,
    pub(super) budget: &'a mut Budget<'b>,
}

impl Search<'_, '_> {
    /// A bound on the score of `board`: an upper bound if it is at most `threshold`, else a lower
    /// bound.
    pub(super) fn bound(&mut self, board: Board, threshold: i32) -> Result<i32, Stop> {
        self.budget.count()?;
        let empties = board.empty().count_ones();
        let odd = odd_quadrants(board.empty());
        if empties <= MAX_EMPTIES_WITHOUT_TABLE {
            return Ok(solve_last_squares(board, odd, threshold));
        }
        let places = board.mobility();
        if places == 0 {
            return self.bound_after_pass(board, threshold);
        }
        let known = self.table.probe(board);
        let (mut lower, mut upper) = (MIN_SCORE, MAX_SCORE);
        if let Some(entry) = known {
            (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
        }
        if upper <= threshold {
            return Ok(upper);
        }
        if lower > threshold {
            return Ok(lower);
        }
        let mut moves = Moves::ranked(board, places, odd, known.map(|entry| entry.best));
        if empties >= MIN_EMPTIES_FOR_CUTOFF_LOOKUP
            && let Some(bound) = self.enhanced_transposition_cutoff(&moves, threshold)
        {
            return Ok(bound);
        }
        let (found, best) = self.best_of(&mut moves, threshold)?;
        let (lower, upper) = if found > threshold { (found, upper) } else { (lower, found) };
        let entry = Entry { lower: lower as i8, upper: upper as i8, best, effort: empties as u8 };
        self.table.store(board, entry);
        Ok(found)
    }

    /// A lower bound above `threshold` from the table entry of one of the replies.
    fn enhanced_transposition_cutoff(&self, moves: &Moves, threshold: i32) -> Option<i32> {
        let known = |after| self.table.probe(after).map(|entry| -i32::from(entry.upper));
        let bounds = moves.as_slice().iter().filter_map(|ranked| known(ranked.after));
        bounds.into_iter().find(|&bound| bound > threshold)
    }

    fn bound_after_pass(&mut self, board: Board, threshold: i32) -> Result<i32, Stop> {
        let turned = board.turned();
        if turned.mobility() == 0 {
            return Ok(board.final_score());
        }
        Ok(-self.bound(turned, -threshold - 1)?)
    }

    /// The best bound over all moves, or the first above `threshold`, and the move.
    fn best_of(&mut self, moves: &mut Moves, threshold: i32) -> Result<(i32, u8), Stop> {
        let (mut best, mut square) = (MIN_SCORE - 1, 0);
        let mut taken = 0;
        while let Some(ranked) = moves.next(taken) {
            taken += 1;
            let bound = -self.bound(ranked.after, -threshold - 1)?;
            if bound > best {
                (best, square) = (bound, ranked.square);
            }
            if best > threshold {
                break;
            }
        }
        Ok((best, square))
    }
}
