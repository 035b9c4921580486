//! The position as two words of bits.
//!
//! A column takes seven bits, six for its cells from the bottom up and one that stays empty, so
//! that no line of four runs over the edge of the board:
//!
//! ```text
//!   6 13 20 27 34 41 48      always empty
//!   5 12 19 26 33 40 47
//!   4 11 18 25 32 39 46
//!   3 10 17 24 31 38 45
//!   2  9 16 23 30 37 44
//!   1  8 15 22 29 36 43
//!   0  7 14 21 28 35 42
//! ```

use crate::{Ending, IllegalMove, Keyed, Rules, Seat, TwoPlayer};
use common::rng::mix64;
use std::fmt;

/// Columns of the board.
pub const COLUMNS: u32 = 7;
/// Cells of a column.
pub const ROWS: u32 = 6;
/// Cells of the board.
pub const CELLS: u32 = COLUMNS * ROWS;

/// Bits from one column to the next.
const STRIDE: u32 = ROWS + 1;

/// The bits of a column's cells, moved to the first one.
const FIRST_COLUMN: u64 = (1 << ROWS) - 1;

/// A column, which is also a move; the first is the leftmost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Column(u8);

impl Column {
    /// The column with this number, 0 being the leftmost, if there is one.
    pub const fn from_index(index: u32) -> Option<Column> {
        if index < COLUMNS { Some(Column(index as u8)) } else { None }
    }

    /// Its number, 0 to 6.
    pub const fn index(self) -> u32 {
        self.0 as u32
    }

    /// All seven, from left to right.
    pub fn all() -> impl Iterator<Item = Column> {
        (0..COLUMNS).filter_map(Column::from_index)
    }

    const fn cells(self) -> u64 {
        FIRST_COLUMN << (self.index() * STRIDE)
    }

    const fn bottom(self) -> u64 {
        1 << (self.index() * STRIDE)
    }
}

/// `1` to `7`.
impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

impl fmt::Debug for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Whether `stones` hold four in a row. Bits are numbered as this module's source draws them:
/// cell `row` of column `column` is bit `7 * column + row`.
#[inline]
pub const fn has_four(stones: u64) -> bool {
    // Up, right, and the two diagonals.
    lines_of_four(stones, 1)
        || lines_of_four(stones, STRIDE)
        || lines_of_four(stones, STRIDE - 1)
        || lines_of_four(stones, STRIDE + 1)
}

const fn lines_of_four(stones: u64, step: u32) -> bool {
    let pairs = stones & stones >> step;
    pairs & pairs >> (2 * step) != 0
}

/// A position whose stones rest on each other and have matching counts. Whether some order of moves
/// reaches it is not checked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The stones of the player to move.
    own: u64,
    /// All stones.
    all: u64,
}

impl Position {
    /// The empty board.
    pub const START: Position = Position { own: 0, all: 0 };

    /// The position with these stones, which the caller has checked.
    pub(super) const fn with_stones(first: u64, second: u64) -> Position {
        let all = first | second;
        Position { own: if all.count_ones().is_multiple_of(2) { first } else { second }, all }
    }

    /// The stones of the player to move, as bits (see [`has_four`]).
    #[inline]
    pub const fn own(&self) -> u64 {
        self.own
    }

    /// All stones, as bits (see [`has_four`]).
    #[inline]
    pub const fn all(&self) -> u64 {
        self.all
    }

    /// The number of stones on the board.
    pub const fn plies(&self) -> u32 {
        self.all.count_ones()
    }

    /// The player to move.
    pub const fn turn(&self) -> Seat {
        if self.plies().is_multiple_of(2) { Seat::First } else { Seat::Second }
    }

    /// Whose stone lies in this cell, both counted from 0 and from the bottom left.
    pub fn get(&self, column: Column, row: u32) -> Option<Seat> {
        let cell = if row < ROWS { column.bottom() << row } else { 0 };
        match (self.own & cell != 0, self.all & cell != 0) {
            (true, _) => Some(self.turn()),
            (false, true) => Some(self.turn().opponent()),
            (false, false) => None,
        }
    }

    /// How the game ended, or `None` while it continues.
    pub fn ending(&self) -> Option<Ending> {
        if has_four(self.own ^ self.all) {
            return Some(Ending::Win(self.turn().opponent()));
        }
        (self.plies() == CELLS).then_some(Ending::Draw)
    }

    /// Every legal move from left to right. Empty exactly when the game is over.
    pub fn legal_moves(&self) -> Vec<Column> {
        if self.ending().is_some() {
            return Vec::new();
        }
        Column::all().filter(|&column| self.has_room(column)).collect()
    }

    const fn has_room(&self, column: Column) -> bool {
        self.all & column.cells() != column.cells()
    }

    /// The position after a stone in `column`.
    ///
    /// # Errors
    ///
    /// If the column is full or the game is over.
    pub fn play(&self, column: Column) -> Result<Position, IllegalMove<Column>> {
        let legal = self.has_room(column) && self.ending().is_none();
        if legal { Ok(self.play_unchecked(column)) } else { Err(IllegalMove(column)) }
    }

    /// The position after a stone in `column`, which the caller knows to be legal. Never panics,
    /// but after an illegal move the position means nothing.
    #[must_use]
    pub const fn play_unchecked(&self, column: Column) -> Position {
        // Adding to the lowest cell carries through the stones of the column to its first empty one.
        let all = self.all | self.all.wrapping_add(column.bottom());
        Position { own: self.own ^ self.all, all }
    }

    /// The position with left and right exchanged.
    #[must_use]
    pub fn mirror(&self) -> Position {
        let mirrored = |stones: u64| {
            Column::all().fold(0, |image, column| {
                let cells = stones >> (column.index() * STRIDE) & FIRST_COLUMN;
                image | cells << ((COLUMNS - 1 - column.index()) * STRIDE)
            })
        };
        Position { own: mirrored(self.own), all: mirrored(self.all) }
    }
}

impl Rules for Position {
    type Move = Column;

    fn legal_moves(&self) -> Vec<Column> {
        self.legal_moves()
    }

    fn play_unchecked(&self, column: Column) -> Position {
        self.play_unchecked(column)
    }
}

impl TwoPlayer for Position {
    fn seat(&self) -> Seat {
        self.turn()
    }

    fn ending(&self) -> Option<Ending> {
        self.ending()
    }
}

impl Keyed for Position {
    /// The sum of own and all stones differs between positions, since a column's sum has one value
    /// for each filling. So there are no collisions.
    fn key(&self) -> u64 {
        mix64(self.own.wrapping_add(self.all))
    }
}
