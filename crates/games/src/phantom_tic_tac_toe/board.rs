//! The squares of the board and its lines.

use std::fmt;
use std::ops::{BitOr, Sub};
use std::str::FromStr;

/// Squares in a row and in a column.
const SIZE: u8 = 3;

/// A square of the board. Its text is a column from `a` to `c` and a row from `1` to `3`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// Text that is not a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SquareError;

impl Square {
    /// All squares from a1 to c3, row by row.
    pub const ALL: [Square; 9] = {
        let mut all = [Square(0); 9];
        let mut index = 0;
        while index < 9 {
            all[index as usize] = Square(index);
            index += 1;
        }
        all
    };
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (column, row) = (self.0 % SIZE, self.0 / SIZE);
        write!(f, "{}{}", char::from(b'a' + column), row + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Square, SquareError> {
        match *text.as_bytes() {
            [column @ b'a'..=b'c', row @ b'1'..=b'3'] => {
                Ok(Square((row - b'1') * SIZE + column - b'a'))
            }
            _ => Err(SquareError),
        }
    }
}

impl fmt::Display for SquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a square is one of a1 to c3")
    }
}

impl std::error::Error for SquareError {}

/// A set of squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Squares(u16);

impl Squares {
    /// No square.
    pub const EMPTY: Squares = Squares(0);
    /// The whole board.
    pub const ALL: Squares = Squares(0o777);

    /// Whether `square` is in the set.
    #[must_use]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.0 & 1 == 1
    }

    /// The set with `square`.
    #[must_use]
    pub const fn with(self, square: Square) -> Squares {
        Squares(self.0 | 1 << square.0)
    }

    /// Whether all squares of this set are in `other`.
    #[must_use]
    pub const fn is_within(self, other: Squares) -> bool {
        self.0 & !other.0 == 0
    }

    /// The number of squares.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is no square.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether three squares in a row are in the set.
    #[must_use]
    pub fn has_line(self) -> bool {
        LINES.iter().any(|line| line.is_within(self))
    }

    /// The squares from a1 to c3.
    pub fn iter(self) -> impl Iterator<Item = Square> {
        Square::ALL.into_iter().filter(move |&square| self.has(square))
    }
}

impl FromIterator<Square> for Squares {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Squares {
        squares.into_iter().fold(Squares::EMPTY, Squares::with)
    }
}

impl BitOr for Squares {
    type Output = Squares;

    fn bitor(self, other: Squares) -> Squares {
        Squares(self.0 | other.0)
    }
}

impl Sub for Squares {
    type Output = Squares;

    fn sub(self, other: Squares) -> Squares {
        Squares(self.0 & !other.0)
    }
}

impl fmt::Debug for Squares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The eight lines that win: rows, columns and diagonals.
pub const LINES: [Squares; 8] = [
    Squares(0o007),
    Squares(0o070),
    Squares(0o700),
    Squares(0o111),
    Squares(0o222),
    Squares(0o444),
    Squares(0o421),
    Squares(0o124),
];
