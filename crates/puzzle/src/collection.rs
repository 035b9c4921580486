//! A collection file: puzzles as JSON Lines, appended as they are found.
//!
//! A last line without a line break was cut off by a crash; it is removed when the file is opened
//! again.

use crate::record::{MAX_LINE_BYTES, Puzzle};
use common::file_lock::{self, LockError};
use common::lines::LineReader;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Seek, SeekFrom, Write};
use std::path::Path;

/// A collection file, open for appending.
#[derive(Debug)]
pub struct Collection {
    file: File,
    /// Whether this is a file on a disk, and not a device or a pipe, which can only be written to.
    is_regular: bool,
}

/// The error for a collection that cannot be used.
#[derive(Debug)]
pub enum CollectionError {
    /// Reading or writing failed.
    Io(io::Error),
    /// Another run appends to it.
    Locked(LockError),
    /// A line is not a puzzle record, or was refused by the caller.
    Line {
        /// The line number, from 1.
        number: usize,
        /// The reason.
        reason: String,
    },
}

impl fmt::Display for CollectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CollectionError::Io(error) => error.fmt(f),
            CollectionError::Locked(error) => error.fmt(f),
            CollectionError::Line { number, reason } => write!(f, "line {number}: {reason}"),
        }
    }
}

impl std::error::Error for CollectionError {}

impl From<io::Error> for CollectionError {
    fn from(error: io::Error) -> CollectionError {
        CollectionError::Io(error)
    }
}

impl Collection {
    /// Opens or creates the file and passes each puzzle in it to `each`, which may refuse it with a
    /// reason. The file is locked until the collection is gone. A device such as `/dev/null` is only
    /// written to.
    ///
    /// # Errors
    /// If the file cannot be read and written, another run has locked it, or a complete line is not a puzzle record or is
    /// refused; then the file is not changed.
    pub fn open(
        path: &Path,
        each: &mut dyn FnMut(&Puzzle) -> Result<(), String>,
    ) -> Result<Collection, CollectionError> {
        let is_regular = fs::metadata(path).map_or(true, |metadata| metadata.is_file());
        let file = OpenOptions::new().read(is_regular).append(true).create(true).open(path)?;
        if !is_regular {
            return Ok(Collection { file, is_regular });
        }
        file_lock::lock(&file).map_err(CollectionError::Locked)?;
        let mut lines = LineReader::new(BufReader::new(&file), MAX_LINE_BYTES + 1);
        let mut whole = 0;
        while let Some(line) = lines.next_line()? {
            let fail = |reason: String| CollectionError::Line { number: line.number, reason };
            if !line.is_complete {
                if line.bytes.len() > MAX_LINE_BYTES {
                    return Err(fail("the line is too long for a record".into()));
                }
                break;
            }
            whole = line.end;
            if line.is_blank() {
                continue;
            }
            let text = line.text().map_err(|error| fail(error.to_string()))?;
            let puzzle = Puzzle::from_json(text.trim_end()).map_err(|e| fail(e.to_string()))?;
            each(&puzzle).map_err(fail)?;
        }
        file.set_len(whole)?;
        (&file).seek(SeekFrom::End(0))?;
        Ok(Collection { file, is_regular })
    }

    /// Appends a puzzle. When this returns, the record has been passed to the operating system and
    /// survives a crash of the program.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, puzzle: &Puzzle) -> io::Result<()> {
        let mut line = puzzle.to_json();
        line.push('\n');
        self.file.write_all(line.as_bytes())
    }

    /// Flushes everything to the disk.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn sync(&self) -> io::Result<()> {
        if self.is_regular { self.file.sync_all() } else { Ok(()) }
    }
}
