//! The null-window search: is the score above a threshold?

use super::score_of_win;
use super::threats::{column_cells, landing, safe_moves, winning_cells};
use crate::exact::{Entry, Key, TranspositionTable};
use games::connect_four::{CELLS, COLUMNS};
use search::{Budget, Stop};

/// The stones of the player to move, and all of them.
#[derive(Clone, Copy)]
pub(super) struct Board {
    pub(super) own: u64,
    pub(super) all: u64,
}

impl Board {
    /// A unique key: the sum identifies every position.
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

/// Move ordering: landing cells in the order in which they are searched.
struct Moves {
    cells: [u64; COLUMNS as usize],
    count: usize,
}

impl Moves {
    /// `moves` sorted by the number of threats each makes, ties from the middle outwards.
    fn sorted(board: Board, moves: u64) -> Moves {
        let mut cells = [0; COLUMNS as usize];
        let mut threat_counts = [0; COLUMNS as usize];
        let mut count = 0;
        for cell in ORDER.map(|column| moves & column_cells(column)).into_iter().filter(|&c| c != 0)
        {
            let threats = winning_cells(board.own | cell, board.all | cell).count_ones();
            let mut place = count;
            while place > 0 && threat_counts[place - 1] < threats {
                (cells[place], threat_counts[place]) = (cells[place - 1], threat_counts[place - 1]);
                place -= 1;
            }
            (cells[place], threat_counts[place]) = (cell, threats);
            count += 1;
        }
        Moves { cells, count }
    }
}

/// A search with its transposition table and budget.
pub(super) struct Search<'a, 'b> {
    pub(super) table: &'a mut TranspositionTable<u64>,
    pub(super) budget: &'a mut Budget<'b>,
}

impl Search<'_, '_> {
    /// A bound on the score of `board`: an upper bound if it is at most `threshold`, else a lower
    /// bound. The player to move must have no win with the next stone.
    pub(super) fn bound(&mut self, board: Board, threshold: i32) -> Result<i32, Stop> {
        self.budget.count()?;
        let plies = board.plies();
        let moves = safe_moves(board.own, board.all);
        if moves == 0 {
            // The opponent wins after every move, or the board is full.
            let full = landing(board.all) == 0;
            return Ok(if full { 0 } else { -score_of_win(plies + 1) });
        }
        if plies + 2 >= CELLS {
            return Ok(0); // one stone each at most, and neither wins
        }
        let entry = self.table.probe(board.key());
        let mut upper = score_of_win(plies + 2);
        let mut lower = -score_of_win(plies + 3);
        if let Some(entry) = entry {
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
        self.table.store(board.key(), entry);
        Ok(found)
    }

    /// The best bound over all `moves`, or the first above `threshold`.
    fn best_of(
        &mut self,
        board: Board,
        moves: u64,
        threshold: i32,
        lower_bound: i32,
    ) -> Result<i32, Stop> {
        let moves = Moves::sorted(board, moves);
        let mut best = lower_bound;
        for &cell in &moves.cells[..moves.count] {
            // The opponent's score is at most -threshold - 1 exactly if this one is above
            // threshold.
            best = best.max(-self.bound(board.after(cell), -threshold - 1)?);
            if best > threshold {
                break;
            }
        }
        Ok(best)
    }
}
