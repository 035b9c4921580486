//! Alpha-beta search with two values (Knuth & Moore 1975).
//!
//! With only "win" and "no win" as values, the window between alpha and beta is empty after the
//! first good move: the mover's first success cuts off the remaining moves.

use crate::and_or::{AndOr, Player, moves_of, result_without_search};
use crate::deepening::DepthSearch;
use crate::limits::{Budget, Stop};
use crate::transposition_table::{Entry, TranspositionTable};

/// Alpha-beta search, with or without a transposition table.
///
/// The result is exact with a table of any size: a replaced entry only costs time. There is no move
/// ordering beyond the order in which the game generates the moves.
#[derive(Debug)]
pub struct AlphaBeta {
    transposition_table: Option<TranspositionTable<Bounds>>,
}

impl AlphaBeta {
    /// A search without a transposition table.
    #[must_use]
    pub fn plain() -> Self {
        Self { transposition_table: None }
    }

    /// A search with a transposition table of at most `memory` bytes, kept between depths.
    #[must_use]
    pub fn with_table(memory: usize) -> Self {
        Self { transposition_table: Some(TranspositionTable::new(memory)) }
    }

    /// The size of the transposition table in bytes.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.transposition_table.as_ref().map_or(0, TranspositionTable::memory)
    }

    fn wins<P: AndOr>(
        &mut self,
        position: &P,
        remaining: u32,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Stop> {
        if let Some(won) = result_without_search(position, remaining) {
            return Ok(won);
        }
        if let Some(won) = self.probe(position, remaining) {
            return Ok(won);
        }
        let before = budget.nodes();
        budget.count()?;
        let won = self.best(position, remaining, budget)?;
        self.store(position, remaining, won, budget.nodes() - before);
        Ok(won)
    }

    /// The best value of the children for the mover; stops at the first success.
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

    fn probe<P: AndOr>(&self, position: &P, remaining: u32) -> Option<bool> {
        self.transposition_table.as_ref()?.probe(position.key())?.result_within(remaining)
    }

    fn store<P: AndOr>(&mut self, position: &P, remaining: u32, won: bool, nodes: u64) {
        if let Some(table) = &mut self.transposition_table {
            let key = position.key();
            let bounds = table.probe(key).unwrap_or(Bounds::UNKNOWN);
            table.store(key, nodes, bounds.with_result(remaining, won));
        }
    }
}

impl<P: AndOr> DepthSearch<P> for AlphaBeta {
    fn prove(&mut self, position: &P, depth: u32, budget: &mut Budget<'_>) -> Result<bool, Stop> {
        self.wins(position, depth, budget)
    }
}

/// The proved bounds on the length of OR's win, valid at any remaining depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bounds {
    /// OR wins within this many plies; the maximum if no win is proved.
    win_within: u32,
    /// OR does not win within this many plies.
    no_win_within: u32,
}

impl Bounds {
    /// Nothing is proved yet.
    const UNKNOWN: Self = Self { win_within: u32::MAX, no_win_within: 0 };

    fn result_within(self, remaining: u32) -> Option<bool> {
        if remaining >= self.win_within {
            Some(true)
        } else if remaining <= self.no_win_within {
            Some(false)
        } else {
            None
        }
    }

    fn with_result(self, remaining: u32, won: bool) -> Self {
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
    fn bounds_answer_outside_the_gap_between_them() {
        let bounds = Bounds::UNKNOWN
            .with_result(9, true)
            .with_result(4, false)
            .with_result(12, true)
            .with_result(2, false);
        assert_eq!(bounds, Bounds { win_within: 9, no_win_within: 4 });
        assert_eq!(bounds.result_within(9), Some(true));
        assert_eq!(bounds.result_within(8), None);
        assert_eq!(bounds.result_within(4), Some(false));
        assert_eq!(Bounds::unpack(bounds.pack()), bounds);
    }
}
