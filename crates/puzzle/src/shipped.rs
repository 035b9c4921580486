//! The collection of `puzzles/`, embedded in the program.

use crate::record::{Puzzle, RecordError};

/// A part by its name, with its records, one a line.
type Part = (&'static str, &'static str);

macro_rules! parts {
    ($($name:literal),+ $(,)?) => {
        [$(($name, include_str!(concat!("../../../puzzles/", $name, ".jsonl")))),+]
    };
}

/// The parts of the collection, as their README lists them.
const PARTS: [Part; 17] = parts![
    "first-steps",
    "hidden-07-09",
    "hidden-11-13",
    "hidden-15-17",
    "hidden-19-21",
    "hidden-long",
    "partly-07-13",
    "partly-15-21",
    "partly-long",
    "partly-longest",
    "open-07-13",
    "open-15-21",
    "open-long",
    "random-hidden",
    "random-partly",
    "grown-hidden",
    "grown-partly",
];

/// Every puzzle of the collection, part by part.
///
/// # Errors
/// If a record is inconsistent, which the tests of the collection rule out.
pub fn puzzles() -> Result<Vec<Puzzle>, RecordError> {
    PARTS.iter().flat_map(|(_, records)| records.lines()).map(Puzzle::from_json).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A part that is added to the folder has to be added here.
    #[test]
    fn the_whole_folder_is_inside() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../puzzles");
        let names = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
        let parts = names.filter(|path| path.extension().is_some_and(|ending| ending == "jsonl"));
        assert_eq!(parts.count(), PARTS.len());
        let lines: usize = PARTS.iter().map(|(_, records)| records.lines().count()).sum();
        assert_eq!(puzzles().unwrap().len(), lines);
    }
}
