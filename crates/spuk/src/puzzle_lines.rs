//! Files of puzzles as commands read them: records or bare positions, one a line.

use crate::Failure;
use crate::output::quoted;
use crate::stream::read_line;
use games::geister::Position;
use puzzle::compose::{Criteria, Verifier};
use puzzle::export::entry::Entry;
use puzzle::record::MAX_LINE_BYTES;
use puzzle::{Origin, Puzzle, SourceKind};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// The lines of a file that are not empty, with their numbers.
pub(crate) struct PuzzleLines {
    input: Box<dyn BufRead>,
    path: PathBuf,
    number: usize,
}

impl PuzzleLines {
    /// Opens a file; `-` is standard input.
    pub(crate) fn open(path: &Path) -> Result<PuzzleLines, Failure> {
        let input: Box<dyn BufRead> = if path == Path::new("-") {
            Box::new(io::stdin().lock())
        } else {
            Box::new(BufReader::new(File::open(path).map_err(|error| unreadable(path, &error))?))
        };
        Ok(PuzzleLines { input, path: path.to_owned(), number: 0 })
    }

    /// The next line that is not empty; one that is too long for a record is cut where that can be
    /// seen.
    pub(crate) fn next(&mut self) -> Result<Option<(usize, String)>, Failure> {
        loop {
            let line = read_line(&mut *self.input, MAX_LINE_BYTES as u64 + 1);
            let line = line.map_err(|error| unreadable(&self.path, &error))?;
            self.number += 1;
            match line {
                None => return Ok(None),
                Some(line) if line.trim_ascii().is_empty() => {}
                Some(line) => return Ok(Some((self.number, line))),
            }
        }
    }
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    format!("cannot read {}: {error}; name a file of puzzles", quoted(&path.to_string_lossy()))
}

/// The puzzle of a line.
pub(crate) fn read(line: &str, verifier: &mut Verifier<'_>, depth: u32) -> Result<Puzzle, Failure> {
    match line.parse() {
        Ok(Entry::Puzzle(puzzle)) => Ok(*puzzle),
        Ok(Entry::Position(position)) => from_position(&position, verifier, depth),
        Err(error) => Err(format!("{}: {error}; mend or remove the line", quoted(line))),
    }
}

/// The puzzle that a bare position is, if it is won.
pub(crate) fn from_position(
    position: &Position,
    verifier: &mut Verifier<'_>,
    depth: u32,
) -> Result<Puzzle, Failure> {
    let criteria = Criteria { length: 1..=depth, ..Criteria::default() };
    let origin = Origin { kind: SourceKind::Given, trial: 0, request: String::new(), seed: 0 };
    verifier.verify(position, &criteria, origin).map_err(|reason| {
        let position = quoted(&position.to_string());
        format!("position {position} is no puzzle: {reason}; try a larger --depth or --time")
    })
}
