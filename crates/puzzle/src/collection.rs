//! A file of puzzles that grows: one record a line, appended as they come.
//!
//! A line that has no end was cut off when a program was killed; it is taken off when the file is
//! opened again. Everything before it stays.

use crate::record::{LONGEST_LINE, Puzzle};
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// An open collection, at its end.
#[derive(Debug)]
pub struct Collection {
    file: File,
}

/// Why a collection cannot be used.
#[derive(Debug)]
pub enum CollectionError {
    /// Reading or writing failed.
    Io(io::Error),
    /// A line is no puzzle, or not one that belongs there.
    Line {
        /// Its number, from 1 on.
        number: usize,
        /// The reason.
        reason: String,
    },
}

impl fmt::Display for CollectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CollectionError::Io(error) => error.fmt(f),
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
    /// Opens the file, or makes it if there is none, and hands each puzzle in it to `each`, which
    /// may refuse it with a reason.
    ///
    /// # Errors
    /// If the file cannot be read and written, or a whole line in it is no puzzle or is refused; it
    /// is not changed then.
    pub fn open(
        path: &Path,
        each: &mut dyn FnMut(&Puzzle) -> Result<(), String>,
    ) -> Result<Collection, CollectionError> {
        let file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        let mut reader = BufReader::new(&file);
        let (mut whole, mut number) = (0, 0);
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = (&mut reader).take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut line)?;
            number += 1;
            let fail = |reason: String| CollectionError::Line { number, reason };
            if line.last() != Some(&b'\n') {
                if read > LONGEST_LINE {
                    return Err(fail("the line is too long for a record".into()));
                }
                break;
            }
            let text = std::str::from_utf8(&line).map_err(|error| fail(error.to_string()))?;
            let puzzle = Puzzle::from_json(text.trim_end()).map_err(|e| fail(e.to_string()))?;
            each(&puzzle).map_err(fail)?;
            whole += read as u64;
        }
        file.set_len(whole)?;
        (&file).seek(SeekFrom::End(0))?;
        Ok(Collection { file })
    }

    /// Appends a puzzle. When this returns, the record is with the operating system, whatever
    /// happens to the program.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, puzzle: &Puzzle) -> io::Result<()> {
        let mut line = puzzle.to_json();
        line.push('\n');
        self.file.write_all(line.as_bytes())
    }

    /// Makes sure that everything is on the disk.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }
}
