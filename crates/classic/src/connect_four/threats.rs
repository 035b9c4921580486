//! Threats: cells that complete four in a row, and the moves that do not lose immediately.

use games::connect_four::{COLUMNS, ROWS};

/// Bits from one column to the next.
const STRIDE: u32 = ROWS + 1;

/// The lowest cell of every column.
const BOTTOM: u64 = bottom_row();

/// All cells.
pub(super) const FULL: u64 = BOTTOM * ((1 << ROWS) - 1);

const fn bottom_row() -> u64 {
    let (mut row, mut column) = (0, 0);
    while column < COLUMNS {
        row |= 1 << (column * STRIDE);
        column += 1;
    }
    row
}

/// The cells of a column.
pub(super) const fn column_cells(column: u32) -> u64 {
    ((1 << ROWS) - 1) << (column * STRIDE)
}

/// The cell of each column where the next stone falls.
#[inline]
pub(super) const fn landing(all: u64) -> u64 {
    (all + BOTTOM) & FULL
}

/// The empty cells that would complete four in a row of `stones`.
#[inline]
pub(super) const fn winning_cells(stones: u64, all: u64) -> u64 {
    // A stack of three.
    let up = stones << 1 & stones << 2 & stones << 3;
    let found = up
        | completing(stones, STRIDE)
        | completing(stones, STRIDE - 1)
        | completing(stones, STRIDE + 1);
    found & (FULL ^ all)
}

/// The cells that lie with three of `stones` in a row of four, by rows of two.
#[inline]
const fn completing(stones: u64, step: u32) -> u64 {
    let pairs_below = stones << step & stones << (2 * step);
    let pairs_above = stones >> step & stones >> (2 * step);
    pairs_below & stones << (3 * step)
        | pairs_below & stones >> step
        | pairs_above & stones << step
        | pairs_above & stones >> (3 * step)
}

/// Whether the next stone of `own` can complete four.
#[inline]
pub(super) const fn wins_immediately(own: u64, all: u64) -> bool {
    winning_cells(own, all) & landing(all) != 0
}

/// The landing cells after which the opponent cannot win with its next stone.
#[inline]
pub(super) const fn safe_moves(own: u64, all: u64) -> u64 {
    let losing = winning_cells(own ^ all, all);
    let open = landing(all);
    let forced = open & losing;
    let moves = if forced == 0 {
        open
    } else if forced & (forced - 1) == 0 {
        forced
    } else {
        return 0; // two wins cannot both be stopped
    };
    // A stone directly below a winning cell of the opponent would let it win there.
    moves & !(losing >> 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::connect_four::{Column, Position, has_four};

    /// Positions of random games.
    fn positions() -> Vec<Position> {
        let mut state = 99u64;
        let mut found = Vec::new();
        for _ in 0..300 {
            let mut position = Position::START;
            loop {
                found.push(position);
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                position = position.play_unchecked(moves[(state >> 33) as usize % moves.len()]);
            }
        }
        found
    }

    #[test]
    fn threats_are_the_cells_that_complete_four() {
        for position in positions().iter().filter(|p| p.ending().is_none()) {
            let (own, all) = (position.own(), position.all());
            for stones in [own, own ^ all] {
                let empty = (0..49).map(|bit| 1u64 << bit).filter(|cell| cell & FULL & !all != 0);
                let slow = empty.filter(|cell| has_four(stones | cell)).sum::<u64>();
                assert_eq!(winning_cells(stones, all), slow, "{position}");
            }
        }
    }

    #[test]
    fn safe_moves_are_those_without_a_winning_reply() {
        let wins = |p: &Position| p.legal_moves().iter().any(|&c| has_four_after(p, c));
        for position in positions().iter().filter(|p| p.ending().is_none() && !wins(p)) {
            let safe = |column: &Column| !wins(&position.play_unchecked(*column));
            let slow: Vec<Column> = position.legal_moves().into_iter().filter(safe).collect();
            let cells = safe_moves(position.own(), position.all());
            let fast = Column::all().filter(|column| cells & column_cells(column.index()) != 0);
            assert_eq!(fast.collect::<Vec<_>>(), slow, "{position}");
            assert!(!wins_immediately(position.own(), position.all()));
        }
    }

    fn has_four_after(position: &Position, column: Column) -> bool {
        position.play_unchecked(column).ending().is_some_and(|ending| ending.winner().is_some())
    }
}
