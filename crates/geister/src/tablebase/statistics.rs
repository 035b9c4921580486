//! Statistics of a table: how many positions are won, how fast, and which win takes longest.

use super::file::FileError;
use super::store::ClassTable;
use games::geister::Position;

/// Statistics of one table. Mirror images count as two positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    /// All positions of the class.
    pub positions: u64,
    /// Those that are won.
    pub wins: u64,
    /// The number of won positions by plies to the win: 1, 3, 5 and so on.
    pub by_distance: Vec<(u32, u64)>,
    /// A position that takes longest to win; `None` if none is won.
    pub longest: Option<Position>,
}

impl Statistics {
    /// The statistics of `table`.
    ///
    /// # Errors
    /// If the file is damaged where the longest win is looked up.
    pub fn of(table: &ClassTable) -> Result<Statistics, FileError> {
        let counts = &table.file().header().weighted_counts;
        let longest_moves = counts.len().saturating_sub(1) as u8;
        let rank = if longest_moves == 0 { None } else { table.file().find(longest_moves)? };
        Ok(Statistics {
            positions: counts.iter().sum(),
            wins: counts.iter().skip(1).sum(),
            by_distance: (1u32..).step_by(2).zip(counts.iter().copied().skip(1)).collect(),
            longest: rank.map(|rank| table.index().position(rank)),
        })
    }

    /// Plies of the longest win; 0 if no position is won.
    pub fn longest_plies(&self) -> u32 {
        self.by_distance.last().map_or(0, |&(plies, _)| plies)
    }
}
