//! Puzzle files as input of commands: a record or a bare position per line.

use crate::Failure;
use crate::output::quoted;
use common::lines::LineReader;
use games::geister::Position;
use puzzle::compose::{Criteria, Verifier};
use puzzle::export::entry::Entry;
use puzzle::record::MAX_LINE_BYTES;
use puzzle::{Origin, Puzzle, SourceKind};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// The non-blank lines of a file, with their numbers.
pub(crate) struct PuzzleLines {
    reader: LineReader<Box<dyn BufRead>>,
    path: PathBuf,
}

impl PuzzleLines {
    /// Opens a file; `-` is standard input.
    pub(crate) fn open(path: &Path) -> Result<PuzzleLines, Failure> {
        let input: Box<dyn BufRead> = if path == Path::new("-") {
            Box::new(io::stdin().lock())
        } else {
            Box::new(BufReader::new(File::open(path).map_err(|error| unreadable(path, &error))?))
        };
        // One byte more, so that an overlong line can be recognised.
        let reader = LineReader::new(input, MAX_LINE_BYTES + 1);
        Ok(PuzzleLines { reader, path: path.to_owned() })
    }

    /// The next non-blank line. A line that is too long for a record is cut, but stays too long.
    pub(crate) fn next(&mut self) -> Result<Option<(usize, String)>, Failure> {
        let line = self.reader.next_non_blank_line();
        let line = line.map_err(|error| unreadable(&self.path, &error))?;
        Ok(line.map(|line| (line.number, line.text_lossy().into_owned())))
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
        Err(error) => Err(format!("{}: {error}; correct or remove the line", quoted(line))),
    }
}

/// The puzzle of a bare position, which has to be won.
pub(crate) fn from_position(
    position: &Position,
    verifier: &mut Verifier<'_>,
    depth: u32,
) -> Result<Puzzle, Failure> {
    let criteria = Criteria { length: 1..=depth, ..Criteria::default() };
    let origin = Origin { kind: SourceKind::Given, trial: 0, request: String::new(), seed: 0 };
    verifier.verify(position, &criteria, origin).map_err(|reason| {
        let position = quoted(&position.to_string());
        format!("position {position} is not a puzzle: {reason}; try a larger --depth or --time")
    })
}
