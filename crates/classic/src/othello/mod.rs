//! Othello endgames, solved exactly.
//!
//! [`Solver::solve`] answers with the final score of a position with best play: the discs of the
//! player to move less the other's, the empty squares given to the winner.
//!
//! # Method
//!
//! Alpha-beta over bitboards with a table of bounds, asked for one threshold after the other, the
//! first one 0: who wins is known before the score is.
//!
//! * Fastest first: the move that leaves the fewest replies, corners counted twice, then the one
//!   that leaves the fewest squares to move to later (`ordering`).
//! * The table's move before all others; replies whose bounds are known are looked up before any is
//!   searched.
//! * The last six squares are played out without table or sorting, squares of odd quarters first
//!   (`last`).
//!
//! # What was tried and lost
//!
//! In processor time over 16 positions with 17 to 22 empty squares, 9.4 s as it is: playing out the
//! last five squares 10.5 s, the last seven 10.7 s; squares beside discs weighed twice as much
//! 11.7 s, half as much 10.0 s; parity weighed like mobility 13.6 s; no look at known replies
//! 11.6 s. Ranking moves by the best reply as well costs a third more.

mod board;
mod last;
mod ordering;
mod search;

use self::board::Board;
use self::search::Search;
use crate::exact::{Score, Table, close_in};
use ::search::{Budget, Stop};
use games::othello::{Move, Position};

/// Solves positions one after another, keeping its memory between them but nothing it has proved.
pub struct Solver {
    table: Table<Board>,
}

/// The highest score there is.
const HIGHEST: i32 = 64;
/// The lowest.
const LOWEST: i32 = -HIGHEST;

impl Solver {
    /// A solver whose table takes up to `memory` bytes. Less than 96 KiB counts as 96 KiB.
    pub fn new(memory: usize) -> Solver {
        Solver { table: Table::new(memory) }
    }

    /// The final score of `position` for the player to move. `budget` is charged for every position
    /// whose moves are generated, the last few squares of a game being one; its depth is not looked
    /// at. Same position, same nodes.
    pub fn solve(&mut self, position: &Position, budget: &mut Budget<'_>) -> Score {
        self.table.clear();
        close_in(LOWEST, HIGHEST, threshold, |threshold| self.bound(position, threshold, budget))
    }

    /// The moves that reach `score`, the exact score of `position`, which was solved last. A pass
    /// is a move.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn best_moves(
        &mut self,
        position: &Position,
        score: i32,
        budget: &mut Budget<'_>,
    ) -> Result<Vec<Move>, Stop> {
        let mut best = Vec::new();
        for mv in position.legal_moves() {
            // Not above what the other side has coming.
            if self.bound(&position.play_unchecked(mv), -score, budget)? <= -score {
                best.push(mv);
            }
        }
        Ok(best)
    }

    /// A bound of the score, on the side of `threshold` where the score lies.
    fn bound(
        &mut self,
        position: &Position,
        threshold: i32,
        budget: &mut Budget<'_>,
    ) -> Result<i32, Stop> {
        let board = Board { own: position.own(), other: position.other() };
        Search { table: &mut self.table, budget }.bound(board, threshold)
    }
}

/// First who wins, and then outwards in steps of two discs, since scores are even.
fn threshold(least: i32, most: i32) -> i32 {
    match (least, most) {
        (LOWEST, HIGHEST) => 0,
        (_, HIGHEST) => (least + 3).min(HIGHEST - 1),
        (LOWEST, _) => (most - 4).max(LOWEST),
        _ => least + (most - least) / 2,
    }
}
