//! The text of a position: 64 squares from a1 to h8 row by row, `X`, `O` or `-`, and the side to
//! move. Each position has exactly one text.

use super::moves::Square;
use super::position::Position;
use crate::Seat;
use std::fmt;
use std::str::FromStr;

/// Why a text is not a valid position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextError {
    /// Not two words.
    WordCount {
        /// The number given.
        count: usize,
    },
    /// Not 64 squares.
    SquareCount {
        /// The number given.
        found: usize,
    },
    /// A character that is not a square.
    NoSquare {
        /// The character.
        letter: char,
    },
    /// The second word is not a side.
    NoSide,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            TextError::WordCount { count } => write!(
                f,
                "a position is two words, 64 squares and the side to move, and there are {count}"
            ),
            TextError::SquareCount { found } => {
                write!(f, "the board has 64 squares, and there are {found}")
            }
            TextError::NoSquare { letter } => {
                write!(f, "{letter:?} is not a square; write X, O or - for an empty one")
            }
            TextError::NoSide => f.write_str("the side to move is X or O"),
        }
    }
}

impl std::error::Error for TextError {}

impl FromStr for Position {
    type Err = TextError;

    /// Surrounding and repeated white space is ignored.
    fn from_str(text: &str) -> Result<Position, TextError> {
        let mut words = text.split_ascii_whitespace();
        let (Some(squares), Some(side), None) = (words.next(), words.next(), words.next()) else {
            return Err(TextError::WordCount { count: text.split_ascii_whitespace().count() });
        };
        let found = squares.chars().count();
        if found != 64 {
            return Err(TextError::SquareCount { found });
        }
        let (mut first, mut second) = (0, 0);
        for (index, letter) in squares.chars().enumerate() {
            match letter {
                'X' => first |= 1 << index,
                'O' => second |= 1 << index,
                '-' => {}
                _ => return Err(TextError::NoSquare { letter }),
            }
        }
        match side {
            "X" => Ok(Position::new(first, second, Seat::First)),
            "O" => Ok(Position::new(second, first, Seat::Second)),
            _ => Err(TextError::NoSide),
        }
    }
}

/// The letter of a player's discs.
const fn letter(seat: Seat) -> char {
    match seat {
        Seat::First => 'X',
        Seat::Second => 'O',
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let squares = Square::all_of(u64::MAX).map(|square| self.get(square).map_or('-', letter));
        write!(f, "{} {}", squares.collect::<String>(), letter(self.turn()))
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_positions_are_refused() {
        let start = Position::START.to_string();
        let refusal = |text: &str| text.parse::<Position>().unwrap_err();
        assert_eq!(refusal(""), TextError::WordCount { count: 0 });
        assert_eq!(refusal(&format!("{start} X")), TextError::WordCount { count: 3 });
        assert_eq!(refusal("XO- X"), TextError::SquareCount { found: 3 });
        assert_eq!(refusal(&start.replacen('O', "o", 1)), TextError::NoSquare { letter: 'o' });
        assert_eq!(refusal(&start.replacen('O', "é", 1)), TextError::NoSquare { letter: 'é' });
        assert_eq!(refusal(&format!("{} W", &start[..64])), TextError::NoSide);
    }
}
