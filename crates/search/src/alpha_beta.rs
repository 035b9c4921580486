//! Alpha-beta with two values (Knuth & Moore 1975).
//!
//! With only "win" and "no win" to tell apart, the window between alpha and beta is empty after
//! the first good move: the mover's first success cuts off the rest.

use crate::and_or::{AndOr, Player, known, moves_of};
use crate::deepening::DepthSearch;
use crate::limits::{Budget, Stop};
use crate::table::{Entry, Table};

/// Depth-first search with cut-offs, plain or with a transposition table.
///
/// The answer is exact with any size of table: a forgotten entry costs time only. Moves are tried
/// in the order in which the game generates them.
#[derive(Debug)]
pub struct AlphaBeta {
    table: Option<Table<Bounds>>,
}

impl AlphaBeta {
    /// Without a table.
    #[must_use]
    pub fn plain() -> Self {
        Self { table: None }
    }

    /// With a table of at most `memory` bytes, kept from depth to depth.
    #[must_use]
    pub fn with_table(memory: usize) -> Self {
        Self { table: Some(Table::new(memory)) }
    }

    /// The bytes of the table.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.table.as_ref().map_or(0, Table::memory)
    }

    fn wins<P: AndOr>(
        &mut self,
        position: &P,
        remaining: u32,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Stop> {
        if let Some(won) = known(position, remaining) {
            return Ok(won);
        }
        if let Some(won) = self.recall(position, remaining) {
            return Ok(won);
        }
        let before = budget.nodes();
        budget.count()?;
        let won = self.best(position, remaining, budget)?;
        self.remember(position, remaining, won, budget.nodes() - before);
        Ok(won)
    }

    /// The best value among the children for the mover, up to the first success.
    fn best<P: AndOr>(
        &mut self,
        position: &P,
        remaining: u32,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Stop> {
        let success = position.to_move() == Player::Or;
        for m in moves_of(position) {
            if self.wins(&position.play(m), remaining - 1, budget)? == success {
                return Ok(success);
            }
        }
        Ok(!success)
    }

    fn recall<P: AndOr>(&self, position: &P, remaining: u32) -> Option<bool> {
        self.table.as_ref()?.get(position.key())?.answer(remaining)
    }

    fn remember<P: AndOr>(&mut self, position: &P, remaining: u32, won: bool, nodes: u64) {
        if let Some(table) = &mut self.table {
            let key = position.key();
            let bounds = table.get(key).unwrap_or(Bounds::NOTHING);
            table.put(key, nodes, bounds.learn(remaining, won));
        }
    }
}

impl<P: AndOr> DepthSearch<P> for AlphaBeta {
    fn prove(&mut self, position: &P, depth: u32, budget: &mut Budget<'_>) -> Result<bool, Stop> {
        self.wins(position, depth, budget)
    }
}

/// What is proved of a position, whatever the remaining depth it was met with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bounds {
    /// OR wins within this many plies; the maximum if no win is proved.
    win_within: u32,
    /// OR does not win within this many plies.
    no_win_within: u32,
}

impl Bounds {
    /// The position is undecided, and that is all.
    const NOTHING: Self = Self { win_within: u32::MAX, no_win_within: 0 };

    fn answer(self, remaining: u32) -> Option<bool> {
        if remaining >= self.win_within {
            Some(true)
        } else if remaining <= self.no_win_within {
            Some(false)
        } else {
            None
        }
    }

    fn learn(self, remaining: u32, won: bool) -> Self {
        if won {
            Self { win_within: self.win_within.min(remaining), ..self }
        } else {
            Self { no_win_within: self.no_win_within.max(remaining), ..self }
        }
    }
}

impl Entry for Bounds {
    fn pack(self) -> u64 {
        u64::from(self.win_within) << 32 | u64::from(self.no_win_within)
    }

    fn unpack(word: u64) -> Self {
        Self { win_within: (word >> 32) as u32, no_win_within: word as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_answer_on_both_sides_and_not_between() {
        let bounds = Bounds::NOTHING.learn(9, true).learn(4, false).learn(12, true).learn(2, false);
        assert_eq!(bounds, Bounds { win_within: 9, no_win_within: 4 });
        assert_eq!(bounds.answer(9), Some(true));
        assert_eq!(bounds.answer(8), None);
        assert_eq!(bounds.answer(4), Some(false));
        assert_eq!(Bounds::unpack(bounds.pack()), bounds);
    }
}
