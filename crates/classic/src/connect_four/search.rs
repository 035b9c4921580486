//! The search: is the score above a threshold?

use super::score_of_win;
use super::threats::{column_cells, landing, safe_moves, winning_cells};
use crate::exact::{Entry, Key, Table};
use games::connect_four::{CELLS, COLUMNS};
use search::{Budget, Stop};

/// The stones of the player to move, and all of them.
#[derive(Clone, Copy)]
pub(super) struct Board {
    pub(super) own: u64,
    pub(super) all: u64,
}

impl Board {
    /// The stones of the mover on top of all tell every position apart.
    #[inline]
    fn key(self) -> u64 {
        self.own + self.all
    }

    #[inline]
    fn plies(self) -> u32 {
        self.all.count_ones()
    }

    /// The position after a stone in `cell`.
    #[inline]
    fn after(self, cell: u64) -> Board {
        Board { own: self.own ^ self.all, all: self.all | cell }
    }
}

impl Key for u64 {
    #[inline]
    fn place(self) -> u64 {
        let mixed = self.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 32
    }
}

/// Columns from the middle outwards: more lines go through the middle.
const ORDER: [u32; COLUMNS as usize] = [3, 2, 4, 1, 5, 0, 6];

/// Landing cells in the order in which they are tried.
struct Moves {
    cells: [u64; COLUMNS as usize],
    count: usize,
}

impl Moves {
    /// `moves` by how many threats each makes, and then from the middle outwards.
    fn sorted(board: Board, moves: u64) -> Moves {
        let mut cells = [0; COLUMNS as usize];
        let mut worth = [0; COLUMNS as usize];
        let mut count = 0;
        for cell in ORDER.map(|column| moves & column_cells(column)).into_iter().filter(|&c| c != 0)
        {
            let threats = winning_cells(board.own | cell, board.all | cell).count_ones();
            let mut place = count;
            while place > 0 && worth[place - 1] < threats {
                (cells[place], worth[place]) = (cells[place - 1], worth[place - 1]);
                place -= 1;
            }
            (cells[place], worth[place]) = (cell, threats);
            count += 1;
        }
        Moves { cells, count }
    }
}

/// A search with its table and its account.
pub(super) struct Search<'a, 'b> {
    pub(super) table: &'a mut Table<u64>,
    pub(super) budget: &'a mut Budget<'b>,
}

impl Search<'_, '_> {
    /// A bound of the score of `board`: an upper one if it is no more than `threshold`, a lower one
    /// if it is more. The player to move must have no win with the next stone.
    pub(super) fn bound(&mut self, board: Board, threshold: i32) -> Result<i32, Stop> {
        self.budget.count()?;
        let plies = board.plies();
        let moves = safe_moves(board.own, board.all);
        if moves == 0 {
            // Whatever is played, the other side wins; or nothing can be played.
            let full = landing(board.all) == 0;
            return Ok(if full { 0 } else { -score_of_win(plies + 1) });
        }
        if plies + 2 >= CELLS {
            return Ok(0); // one stone each at most, and neither wins
        }
        let known = self.table.get(board.key());
        let mut upper = score_of_win(plies + 2);
        let mut lower = -score_of_win(plies + 3);
        if let Some(entry) = known {
            (lower, upper) = (lower.max(i32::from(entry.lower)), upper.min(i32::from(entry.upper)));
        }
        if upper <= threshold {
            return Ok(upper);
        }
        if lower > threshold {
            return Ok(lower);
        }
        let found = self.best_of(board, moves, threshold, lower)?;
        let effort = (CELLS - plies) as u8;
        let (lower, upper) = if found > threshold { (found, upper) } else { (lower, found) };
        let entry = Entry { lower: lower as i8, upper: upper as i8, best: 0, effort };
        self.table.put(board.key(), entry);
        Ok(found)
    }

    /// The best bound over all `moves`, or the first above `threshold`.
    fn best_of(
        &mut self,
        board: Board,
        moves: u64,
        threshold: i32,
        least: i32,
    ) -> Result<i32, Stop> {
        let moves = Moves::sorted(board, moves);
        let mut best = least;
        for &cell in &moves.cells[..moves.count] {
            // The other side is not above -threshold - 1 exactly if this one is above threshold.
            best = best.max(-self.bound(board.after(cell), -threshold - 1)?);
            if best > threshold {
                break;
            }
        }
        Ok(best)
    }
}
