//! The search: is the final score above a threshold?

use super::board::{Board, odd_quarters};
use super::last::play_out;
use super::ordering::Moves;
use super::{HIGHEST, LOWEST};
use crate::exact::{Entry, Table};
use search::{Budget, Stop};

/// Up to so many empty squares are played out at once.
const PLAYED_OUT: u32 = 6;
/// From so many empty squares on, replies are looked up before they are searched.
const LOOKED_UP: u32 = 10;

/// A search with its table and its account.
pub(super) struct Search<'a, 'b> {
    pub(super) table: &'a mut Table<Board>,
    pub(super) budget: &'a mut Budget<'b>,
}

impl Search<'_, '_> {
    /// A bound of the score of `board`: an upper one if it is no more than `threshold`, a lower one
    /// if it is more.
    pub(super) fn bound(&mut self, board: Board, threshold: i32) -> Result<i32, Stop> {
        self.budget.count()?;
        let empties = board.empty().count_ones();
        let odd = odd_quarters(board.empty());
        if empties <= PLAYED_OUT {
            return Ok(play_out(board, odd, threshold));
        }
        let places = board.mobility();
        if places == 0 {
            return self.bound_after_pass(board, threshold);
        }
        let known = self.table.get(board);
        let (mut lower, mut upper) = (LOWEST, HIGHEST);
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
        if empties >= LOOKED_UP
            && let Some(bound) = self.known_reply(&moves, threshold)
        {
            return Ok(bound);
        }
        let (found, best) = self.best_of(&mut moves, threshold)?;
        let (lower, upper) = if found > threshold { (found, upper) } else { (lower, found) };
        let entry = Entry { lower: lower as i8, upper: upper as i8, best, effort: empties as u8 };
        self.table.put(board, entry);
        Ok(found)
    }

    /// A lower bound above `threshold` that the table gives for one of the moves.
    fn known_reply(&self, moves: &Moves, threshold: i32) -> Option<i32> {
        let known = |after| self.table.get(after).map(|entry| -i32::from(entry.upper));
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
        let (mut best, mut square) = (LOWEST - 1, 0);
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
