//! Collections as they are read: a line is the record of a puzzle, or a bare position in either
//! form of its text, rows joined by `/` or the 36 characters of earlier collections.

use crate::record::{MAX_LINE_BYTES, Puzzle, RecordError};
use games::geister::{Position, TextError};
use std::fmt;
use std::str::FromStr;

/// A line of a collection.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// A puzzle with all that is known about it.
    Puzzle(Box<Puzzle>),
    /// A position that is still to be solved.
    Position(Position),
}

/// The error for an invalid line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryError {
    /// Longer than any record; it was not parsed.
    TooLong,
    /// It begins like a record but is invalid.
    Record(RecordError),
    /// It is not a position.
    Position(TextError),
}

impl fmt::Display for EntryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EntryError::TooLong => write!(f, "no puzzle has over {MAX_LINE_BYTES} bytes"),
            EntryError::Record(error) => error.fmt(f),
            EntryError::Position(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for EntryError {}

impl FromStr for Entry {
    type Err = EntryError;

    fn from_str(line: &str) -> Result<Entry, EntryError> {
        if line.len() > MAX_LINE_BYTES {
            return Err(EntryError::TooLong);
        }
        // No position begins like this, and every record does.
        if line.trim_ascii_start().starts_with('{') {
            let puzzle = Puzzle::from_json(line).map_err(EntryError::Record)?;
            return Ok(Entry::Puzzle(Box::new(puzzle)));
        }
        line.parse().map(Entry::Position).map_err(EntryError::Position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::sample;

    #[test]
    fn records_and_both_forms_of_a_position_are_read() {
        let puzzle = sample::puzzle();
        let position = Ok(Entry::Position(puzzle.position));
        assert_eq!("6/4u1/B5/6/6/Ru4 1".parse(), position);
        assert_eq!(" ..........u.B.................Ru.... 1\r".parse(), position);
        let Ok(Entry::Puzzle(read)) = puzzle.to_json().parse() else { panic!("a record") };
        assert_eq!(read.to_json(), puzzle.to_json());
    }

    #[test]
    fn a_record_that_could_not_be_written_again_is_refused() {
        for purity in ["1e308", "-0.5", "1.001"] {
            let json = sample::puzzle().to_json();
            let hostile = json.replace("\"purity\":0.667", &format!("\"purity\":{purity}"));
            assert_ne!(hostile, json);
            assert!(matches!(hostile.parse::<Entry>(), Err(EntryError::Record(_))), "{purity}");
        }
    }

    #[test]
    fn invalid_entries_are_refused_by_their_apparent_form() {
        let read = |line: &str| line.parse::<Entry>().unwrap_err();
        assert!(matches!(read("{\"v\":1}"), EntryError::Record(_)));
        assert!(matches!(read("6/4u1/B5/6/6/Ru4"), EntryError::Position(_)));
        assert!(matches!(read("notrv,1,1,1,1,0,0,5,..."), EntryError::Position(_)));
        assert_eq!(read(&"{".repeat(MAX_LINE_BYTES + 1)), EntryError::TooLong);
    }
}
