//! The text of a position: the moves that lead to it, such as `4455`, or its rows.
//!
//! Moves are the columns 1 to 7 from left to right; the first player's stone comes first. Rows are
//! six words of seven letters joined by `/`, the top row first: `X` the first player, `O` the
//! second, `.` an empty cell. Rows are the
//! complete text of a position and its output; people and test collections write moves.

use super::position::{COLUMNS, Column, Position, ROWS, has_four};
use crate::Seat;
use std::fmt;
use std::str::FromStr;

/// Why a text is not a valid position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextError {
    /// A character that is not a column.
    NoColumn {
        /// The character.
        letter: char,
    },
    /// A move into a full column.
    Full {
        /// Which move, from 1.
        number: usize,
        /// The column.
        column: Column,
    },
    /// A move after the game is over.
    Over {
        /// Which move, from 1.
        number: usize,
    },
    /// Not six rows of seven.
    Shape,
    /// A character that is not a cell.
    NoCell {
        /// The character.
        letter: char,
    },
    /// A stone above an empty cell.
    Floating {
        /// Its column.
        column: Column,
    },
    /// The first player has neither as many stones as the second nor one more.
    Counts {
        /// Stones of the first player.
        first: u32,
        /// Stones of the second.
        second: u32,
    },
    /// Four in a row for the player to move: the game was over before.
    PlayedOn,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            TextError::NoColumn { letter } => {
                write!(f, "{letter:?} is not a column; write the moves as columns 1 to 7")
            }
            TextError::Full { number, column } => {
                write!(f, "move {number} goes into column {column}, which is full")
            }
            TextError::Over { number } => write!(f, "the game is over before move {number}"),
            TextError::Shape => {
                write!(f, "rows are {ROWS} words of {COLUMNS} letters joined by `/`")
            }
            TextError::NoCell { letter } => {
                write!(f, "{letter:?} is not a cell; write X, O or a dot for an empty one")
            }
            TextError::Floating { column } => {
                write!(f, "a stone of column {column} lies above an empty cell")
            }
            TextError::Counts { first, second } => write!(
                f,
                "X begins and has as many stones as O or one more, not {first} against {second}"
            ),
            TextError::PlayedOn => {
                f.write_str("the player to move has four in a row, so the game was over before")
            }
        }
    }
}

impl std::error::Error for TextError {}

impl FromStr for Position {
    type Err = TextError;

    /// Reads moves or rows; empty text is the empty board. Surrounding white space is ignored.
    fn from_str(text: &str) -> Result<Position, TextError> {
        let text = text.trim_ascii();
        if text.contains('/') { read_rows(text) } else { read_moves(text) }
    }
}

fn read_moves(text: &str) -> Result<Position, TextError> {
    let mut position = Position::START;
    for (index, letter) in text.chars().enumerate() {
        let number = index + 1;
        let column = letter.to_digit(10).and_then(|digit| digit.checked_sub(1));
        let column = column.and_then(Column::from_index).ok_or(TextError::NoColumn { letter })?;
        if position.ending().is_some() {
            return Err(TextError::Over { number });
        }
        position = position.play(column).map_err(|_| TextError::Full { number, column })?;
    }
    Ok(position)
}

fn read_rows(text: &str) -> Result<Position, TextError> {
    let rows: Vec<&str> = text.split('/').collect();
    let fits = |row: &&str| row.chars().count() == COLUMNS as usize;
    if rows.len() != ROWS as usize || !rows.iter().all(fits) {
        return Err(TextError::Shape);
    }
    let (mut first, mut second) = (0u64, 0u64);
    for (row, letters) in (0..ROWS).rev().zip(rows) {
        for (column, letter) in (0..COLUMNS).zip(letters.chars()) {
            let cell = 1 << ((ROWS + 1) * column + row);
            match letter {
                'X' => first |= cell,
                'O' => second |= cell,
                '.' => {}
                _ => return Err(TextError::NoCell { letter }),
            }
        }
    }
    checked(first, second)
}

fn checked(first: u64, second: u64) -> Result<Position, TextError> {
    let position = Position::with_stones(first, second);
    let rests = |column: &Column| {
        let heights = (0..ROWS).map(|row| position.get(*column, row).is_some());
        heights.is_sorted_by(|below, above| below >= above)
    };
    if let Some(column) = Column::all().find(|column| !rests(column)) {
        return Err(TextError::Floating { column });
    }
    let counts = (first.count_ones(), second.count_ones());
    if counts.0 != counts.1 && counts.0 != counts.1 + 1 {
        return Err(TextError::Counts { first: counts.0, second: counts.1 });
    }
    if has_four(position.own()) {
        return Err(TextError::PlayedOn);
    }
    Ok(position)
}

impl Position {
    /// The letter of a cell, both counted from 0 and from the bottom left.
    pub fn letter(&self, column: Column, row: u32) -> char {
        match self.get(column, row) {
            Some(Seat::First) => 'X',
            Some(Seat::Second) => 'O',
            None => '.',
        }
    }
}

/// Six rows joined by `/`, the top row first.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |row| Column::all().map(|column| self.letter(column, row)).collect::<String>();
        f.write_str(&(0..ROWS).rev().map(row).collect::<Vec<_>>().join("/"))
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

    fn refusal(text: &str) -> TextError {
        text.parse::<Position>().unwrap_err()
    }

    #[test]
    fn invalid_positions_are_refused() {
        let column = |number: u32| Column::from_index(number - 1).unwrap();
        assert_eq!(refusal("448"), TextError::NoColumn { letter: '8' });
        assert_eq!(refusal("4é"), TextError::NoColumn { letter: 'é' });
        assert_eq!(refusal("0"), TextError::NoColumn { letter: '0' });
        assert_eq!(refusal("4444444"), TextError::Full { number: 7, column: column(4) });
        assert_eq!(refusal("12121212"), TextError::Over { number: 8 });
        assert_eq!(refusal("......./......."), TextError::Shape);
        assert_eq!(refusal("////////"), TextError::Shape);
        let rows = |two: &str| format!("......./......./......./......./{two}");
        assert_eq!(refusal(&rows("......./..x....")), TextError::NoCell { letter: 'x' });
        assert_eq!(refusal(&rows("X....../......O")), TextError::Floating { column: column(1) });
        let counts = TextError::Counts { first: 0, second: 1 };
        assert_eq!(refusal(&rows("......./O......")), counts);
        assert_eq!(refusal(&rows("OOOO.../XXXX...")), TextError::PlayedOn);
    }

    #[test]
    fn a_finished_game_is_read() {
        let won: Position = "1212121".parse().unwrap();
        assert_eq!(won.ending(), Some(crate::Ending::Win(Seat::First)));
        assert_eq!(won.to_string().parse(), Ok(won));
        assert_eq!(" \n".parse(), Ok(Position::START));
    }
}
