//! The text of a position: `ROWS BLUE`, the top row first.
//!
//! `ROWS` is either rows joined by `/` with digits for empty squares, or one character per square
//! with `.` for an empty one. Each setup has exactly one text in either form, and only these two
//! texts are read: what is read and written again in the same form comes out unchanged.

use super::board::{Bitboard, Board, Square};
use super::position::Position;
use super::setup::{Ghost, RefusedSetup, Setup};
use crate::Seat;
use std::fmt;
use std::str::FromStr;

/// A longer text cannot be a position; nothing of it is looked at.
const MAX_TEXT_BYTES: usize = 100;

/// The squares of `B` as they are written: the top row first, each from left to right.
fn rows<B: Board>() -> impl Iterator<Item = impl Iterator<Item = Square>> {
    (0..B::ROWS).rev().map(|row| (0..B::COLUMNS).filter_map(move |column| Square::at(column, row)))
}

impl<B: Board> Setup<B> {
    /// One character per square, such as `..........u.B.................Ru.... 1`.
    pub fn compact(&self) -> String {
        let letters = rows::<B>().flatten().map(|s| self.get(s).map_or('.', Ghost::letter));
        format!("{} {}", letters.collect::<String>(), self.blue)
    }

    fn row_text(&self, row: impl Iterator<Item = Square>) -> String {
        let mut text = String::new();
        let mut empty = 0;
        let flush = |empty: &mut u32, text: &mut String| {
            if *empty > 0 {
                text.push_str(&empty.to_string());
            }
            *empty = 0;
        };
        for square in row {
            match self.get(square) {
                Some(ghost) => {
                    flush(&mut empty, &mut text);
                    text.push(ghost.letter());
                }
                None => empty += 1,
            }
        }
        flush(&mut empty, &mut text);
        text
    }
}

/// Rows joined by `/`, such as `6/4u1/B5/6/6/Ru4 1`.
impl<B: Board> fmt::Display for Setup<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows: Vec<String> = rows::<B>().map(|row| self.row_text(row)).collect();
        write!(f, "{} {}", rows.join("/"), self.blue)
    }
}

impl<B: Board> FromStr for Setup<B> {
    type Err = LineError;

    /// Reads either form. White space around and between the two words does not matter.
    fn from_str(text: &str) -> Result<Setup<B>, LineError> {
        let text = text.trim_ascii();
        if text.len() > MAX_TEXT_BYTES {
            return Err(LineError::TooLong { bytes: text.len() });
        }
        let mut words = text.split_ascii_whitespace();
        let (Some(squares), Some(blue), None) = (words.next(), words.next(), words.next()) else {
            return Err(LineError::WordCount { count: text.split_ascii_whitespace().count() });
        };
        let mut setup =
            if squares.contains('/') { read_rows(squares)? } else { read_compact(squares)? };
        setup.blue = read_blue(blue)?;
        Ok(setup)
    }
}

fn read_letter(letter: char) -> Result<Ghost, LineError> {
    Ghost::from_letter(letter).ok_or(LineError::Letter { letter })
}

fn read_compact<B: Board>(text: &str) -> Result<Setup<B>, LineError> {
    let (found, wanted) = (text.chars().count(), B::FULL.count() as usize);
    let mut setup = Setup::empty();
    for (square, letter) in rows::<B>().flatten().zip(text.chars()) {
        setup.set(square, if letter == '.' { None } else { Some(read_letter(letter)?) });
    }
    if found != wanted {
        return Err(LineError::SquareCount { found, wanted });
    }
    Ok(setup)
}

fn read_rows<B: Board>(text: &str) -> Result<Setup<B>, LineError> {
    let (found, wanted) = (text.split('/').count(), B::ROWS as usize);
    if found != wanted {
        return Err(LineError::RowCount { found, wanted });
    }
    let mut setup = Setup::empty();
    for (row, text) in (0..B::ROWS).rev().zip(text.split('/')) {
        read_row(&mut setup, row, text)?;
    }
    Ok(setup)
}

fn read_row<B: Board>(setup: &mut Setup<B>, row: u32, text: &str) -> Result<(), LineError> {
    let mut column = 0;
    let mut after_digit = false;
    for letter in text.chars() {
        match letter.to_digit(10) {
            Some(0) => return Err(LineError::Letter { letter }),
            Some(_) if after_digit => return Err(LineError::TwoDigits { row: row + 1 }),
            Some(empty) => column += empty,
            None => {
                let ghost = read_letter(letter)?;
                if let Some(square) = Square::at(column, row) {
                    setup.set(square, Some(ghost));
                }
                column += 1;
            }
        }
        after_digit = letter.is_ascii_digit();
    }
    if column != B::COLUMNS {
        return Err(LineError::RowWidth { row: row + 1, found: column, wanted: B::COLUMNS });
    }
    Ok(())
}

fn read_blue(text: &str) -> Result<u32, LineError> {
    let canonical =
        text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    match text.parse() {
        Ok(blue) if canonical => Ok(blue),
        _ => Err(LineError::Blue),
    }
}

/// Text that is not even a setup.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineError {
    /// Longer than any position.
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// Not two words.
    WordCount {
        /// How many there are.
        count: usize,
    },
    /// A character that stands for nothing.
    Letter {
        /// The character.
        letter: char,
    },
    /// The one-character-a-square form has the wrong length.
    SquareCount {
        /// Characters found.
        found: usize,
        /// Squares of the board.
        wanted: usize,
    },
    /// The wrong number of rows.
    RowCount {
        /// Rows found.
        found: usize,
        /// Rows of the board.
        wanted: usize,
    },
    /// A row that is too short or too long.
    RowWidth {
        /// Its name on the board, 1 at the bottom.
        row: u32,
        /// Squares found.
        found: u32,
        /// Columns of the board.
        wanted: u32,
    },
    /// Two digits side by side.
    TwoDigits {
        /// The row's name on the board, 1 at the bottom.
        row: u32,
    },
    /// The second word is no plain number.
    Blue,
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            LineError::TooLong { bytes } => {
                write!(f, "the text has {bytes} bytes or more and no position has over {MAX_TEXT_BYTES}")
            }
            LineError::WordCount { count } => write!(
                f,
                "a position is two words, the rows and BLUE (how many of the top side's ghosts are blue), and there are {count}"
            ),
            LineError::Letter { letter } => {
                write!(f, "{letter:?} is no square; use B R b r u, and digits or dots for empty squares")
            }
            LineError::SquareCount { found, wanted } => {
                write!(f, "there are {found} squares and the board has {wanted}")
            }
            LineError::RowCount { found, wanted } => {
                write!(f, "there are {found} rows and the board has {wanted}")
            }
            LineError::RowWidth { row, found, wanted } => {
                write!(f, "row {row} has {found} squares in place of {wanted}")
            }
            LineError::TwoDigits { row } => {
                write!(f, "row {row} has two digits side by side; add them up")
            }
            LineError::Blue => f.write_str(
                "the second word is not BLUE, the plain number of the top side's ghosts that are blue",
            ),
        }
    }
}

impl std::error::Error for LineError {}

/// Text that is no position: it is not even a setup, or the setup is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TextError<B: Board = super::board::Standard> {
    /// Not a setup.
    Malformed(LineError),
    /// A setup, but no position.
    Refused(Box<RefusedSetup<B>>),
}

impl<B: Board> fmt::Display for TextError<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextError::Malformed(error) => error.fmt(f),
            TextError::Refused(refused) => refused.fmt(f),
        }
    }
}

impl<B: Board> std::error::Error for TextError<B> {}

impl<B: Board> FromStr for Position<B> {
    type Err = TextError<B>;

    fn from_str(text: &str) -> Result<Position<B>, TextError<B>> {
        let setup = text.parse().map_err(TextError::Malformed)?;
        Position::from_setup(setup).map_err(|refused| TextError::Refused(Box::new(refused)))
    }
}

impl<B: Board> Position<B> {
    /// The position as a setup again. Whose turn it is is not part of a setup.
    pub fn setup(&self) -> Setup<B> {
        let mut setup = Setup::empty();
        for ghost in Ghost::ALL {
            for square in self.ghosts(ghost) {
                setup.set(square, Some(ghost));
            }
        }
        setup.blue = self.blue_count();
        setup
    }

    /// The text with one character per square, and the turn as [`Position`]'s `Display` says it.
    pub fn compact(&self) -> String {
        self.setup().compact() + self.turn_note()
    }

    fn turn_note(&self) -> &'static str {
        match self.turn() {
            Seat::First => "",
            Seat::Second => " (top to move)",
        }
    }
}

/// The text in rows. A position with the top side to move, which no puzzle starts with and no text
/// is read as, says so behind it.
impl<B: Board> fmt::Display for Position<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.setup(), self.turn_note())
    }
}

impl<B: Board> fmt::Debug for Position<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The set of squares that hold `ghost`.
pub(super) fn squares_of<B: Board>(setup: &Setup<B>, ghost: Ghost) -> Bitboard {
    B::FULL.filter(|&square| setup.get(square) == Some(ghost)).collect()
}
