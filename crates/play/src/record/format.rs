//! Formats of records: text for files and for other programs.

use super::Record;
use games::hidden::HiddenGame;
use std::fmt;

/// What a format is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatInfo {
    /// Its name, which is also the extension of its files. Formats of different games may share it.
    pub name: &'static str,
    /// Its media type.
    pub media_type: &'static str,
}

/// Whether a text is in a format, as far as can be seen without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Recognition {
    /// It is in another format.
    No,
    /// It may be, if no other format claims it.
    Possible,
    /// It claims to be.
    Certain,
}

/// Why a text was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormatError {
    /// It is not a valid record, for this reason.
    Invalid(String),
    /// It holds another number of games than one.
    NotOneGame(usize),
}

impl FormatError {
    /// An invalid record.
    pub fn invalid(reason: &dyn fmt::Display) -> FormatError {
        FormatError::Invalid(reason.to_string())
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatError::Invalid(reason) => f.write_str(reason),
            FormatError::NotOneGame(games) => {
                write!(f, "it holds {games} games; give one at a time")
            }
        }
    }
}

impl std::error::Error for FormatError {}

/// A way to write records of `G` as text.
pub trait RecordFormat<G: HiddenGame>: Sync {
    /// What it is called.
    fn info(&self) -> FormatInfo;

    /// Whether a text is in this format. Of the formats of all games at most one is certain.
    fn recognizes(&self, text: &str) -> Recognition;

    /// What separates two records in one file.
    fn separator(&self) -> &'static str {
        ""
    }

    /// The text of a record that [`Record::replay`] accepts. It ends with a line feed.
    ///
    /// # Errors
    /// If the format has no room for it, with the reason.
    fn write(&self, record: &Record<G>) -> Result<String, String>;

    /// Reads a record and replays it.
    ///
    /// # Errors
    /// If the text is not the record of one game, or the record is inconsistent.
    fn read(&self, text: &str) -> Result<Record<G>, FormatError>;
}
