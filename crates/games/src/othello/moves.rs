//! Squares and moves, and their text.

use std::fmt;
use std::str::FromStr;

/// A square, `a1` (top left, as Othello boards are drawn) to `h8`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square with this number, row by row from a1, if there is one.
    pub const fn from_index(index: u32) -> Option<Square> {
        if index < 64 { Some(Square(index as u8)) } else { None }
    }

    /// Its number, 0 to 63.
    #[inline]
    pub const fn index(self) -> u32 {
        self.0 as u32
    }

    /// The board with this square alone.
    #[inline]
    pub const fn bit(self) -> u64 {
        1 << self.0
    }

    /// The squares of a board, in order.
    pub fn all_of(mut board: u64) -> impl Iterator<Item = Square> {
        std::iter::from_fn(move || {
            let square = Square::from_index(board.trailing_zeros())?;
            board &= board - 1;
            Some(square)
        })
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.0 % 8), self.0 / 8 + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// A disc is placed here.
    Place(Square),
    /// No disc can be placed, though the opponent can place one.
    Pass,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place(square) => fmt::Display::fmt(square, f),
            Move::Pass => f.write_str("pass"),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The error for text that is not a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveTextError;

impl fmt::Display for MoveTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a move; write the square as `d3`, or `pass`")
    }
}

impl std::error::Error for MoveTextError {}

impl FromStr for Move {
    type Err = MoveTextError;

    /// Reads `d3`, `D3` or `pass`. Does not check whether it is legal.
    fn from_str(text: &str) -> Result<Move, MoveTextError> {
        if text.eq_ignore_ascii_case("pass") {
            return Ok(Move::Pass);
        }
        let [column, row] = text.as_bytes() else { return Err(MoveTextError) };
        let column = column.to_ascii_lowercase().checked_sub(b'a').filter(|&column| column < 8);
        let row = row.checked_sub(b'1').filter(|&row| row < 8);
        let (column, row) = column.zip(row).ok_or(MoveTextError)?;
        Ok(Move::Place(Square(row * 8 + column)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_as_they_are_written() {
        let all = (0..64).filter_map(Square::from_index).map(Move::Place).chain([Move::Pass]);
        for mv in all {
            assert_eq!(mv.to_string().parse(), Ok(mv));
            assert_eq!(mv.to_string().to_uppercase().parse(), Ok(mv));
        }
        for text in ["", "a", "a0", "a9", "i1", "a11", "é", "11", "passe"] {
            assert_eq!(text.parse::<Move>(), Err(MoveTextError), "{text}");
        }
    }
}
