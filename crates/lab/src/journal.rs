//! The journal: finished trials on disk, so that a long experiment can be resumed.
//!
//! The first line identifies the run; every other line is one trial: the part of the experiment,
//! the number of the trial, its result. A last line without a line break was cut off by a crash and
//! is removed when the file is opened again.

use common::lines::LineReader;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The header that identifies a run. Runs with equal headers have equal trials.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalHeader {
    /// The version of the format.
    pub v: u32,
    /// The program version, since another one may give other results.
    pub program: String,
    /// The name of the experiment.
    pub experiment: String,
    /// Whether it runs at full size.
    pub full: bool,
    /// The number of trials, if it was given.
    pub trials: Option<u64>,
    /// The depth, if it was given.
    pub depth: Option<u32>,
    /// The seed.
    pub seed: u64,
    /// A hash of the input, by [`common::fnv`].
    pub input: Option<u64>,
}

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: Mutex<File>,
    /// Results by part and trial number.
    found: HashMap<(u64, u64), Value>,
    parts: AtomicU64,
}

/// The error of opening a journal.
#[derive(Debug)]
pub enum JournalError {
    /// Reading or writing failed.
    Io(io::Error),
    /// It belongs to another run.
    AnotherRun,
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JournalError::Io(error) => error.fmt(f),
            JournalError::AnotherRun => {
                f.write_str("it keeps the trials of a run with other settings")
            }
        }
    }
}

impl std::error::Error for JournalError {}

impl From<io::Error> for JournalError {
    fn from(error: io::Error) -> JournalError {
        JournalError::Io(error)
    }
}

impl Journal {
    /// Opens or creates the journal at `path` for the run with this header.
    ///
    /// # Errors
    /// If it cannot be read and written, or belongs to another run; then it is not changed.
    pub fn open(path: &Path, heading: &JournalHeader) -> Result<Journal, JournalError> {
        let file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        let (mut found, mut whole, mut begun) = (HashMap::new(), 0, false);
        let mut lines = LineReader::new(BufReader::new(&file), usize::MAX);
        while let Some(line) = lines.next_line()? {
            if !line.is_complete {
                break;
            }
            if begun {
                // A line that is not a trial is ignored, and the trial is run again.
                if let Ok((part, trial, result)) = serde_json::from_slice(&line.bytes) {
                    found.insert((part, trial), result);
                }
            } else if serde_json::from_slice::<JournalHeader>(&line.bytes).ok().as_ref()
                == Some(heading)
            {
                begun = true;
            } else {
                return Err(JournalError::AnotherRun);
            }
            whole = line.end;
        }
        file.set_len(whole)?;
        if !begun {
            (&file).write_all(text(heading)?.as_bytes())?;
        }
        let (path, file) = (path.to_owned(), Mutex::new(file));
        Ok(Journal { path, file, found, parts: AtomicU64::new(0) })
    }

    /// Whether it contains no trial.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty() && self.parts.load(Relaxed) == 0
    }

    /// The number of trials found when it was opened.
    pub fn found(&self) -> usize {
        self.found.len()
    }

    /// Removes the file: its run is over.
    ///
    /// # Errors
    /// If it cannot be removed.
    pub fn close(self) -> io::Result<()> {
        fs::remove_file(&self.path)
    }

    /// The number of the next part. The order of parts does not depend on threads.
    pub(crate) fn next_part(&self) -> u64 {
        self.parts.fetch_add(1, Relaxed)
    }

    /// The stored result of a trial.
    pub(crate) fn result<T: DeserializeOwned>(&self, part: u64, trial: u64) -> Option<T> {
        T::deserialize(self.found.get(&(part, trial))?).ok()
    }

    /// Stores the result of a trial. When this returns, it has been passed to the operating system.
    pub(crate) fn record(&self, part: u64, trial: u64, result: &impl Serialize) -> io::Result<()> {
        let line = text(&(part, trial, result))?;
        let mut file = self.file.lock().map_err(|_| io::Error::other("a thread failed"))?;
        file.write_all(line.as_bytes())
    }
}

fn text(record: &impl Serialize) -> io::Result<String> {
    Ok(serde_json::to_string(record)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heading(seed: u64) -> JournalHeader {
        let (program, experiment) = ("1".into(), "one".into());
        let (full, trials, depth, input) = (false, None, None, None);
        JournalHeader { v: 1, program, experiment, full, trials, depth, seed, input }
    }

    #[test]
    fn recorded_trials_are_found_again_and_a_torn_line_is_dropped() {
        let path = std::env::temp_dir().join(format!("spuk-journal-{}", std::process::id()));
        let _ = fs::remove_file(&path);
        let journal = Journal::open(&path, &heading(1)).unwrap();
        journal.record(0, 3, &Some(7)).unwrap();
        journal.record(1, 3, &None::<u32>).unwrap();
        journal.file.lock().unwrap().write_all(b"[1,4,").unwrap();
        for _ in 0..2 {
            let again = Journal::open(&path, &heading(1)).unwrap();
            assert_eq!(again.found(), 2);
            assert_eq!(again.result::<Option<u32>>(0, 3), Some(Some(7)));
            assert_eq!(again.result::<Option<u32>>(1, 3), Some(None));
            assert_eq!(again.result::<Option<u32>>(1, 4), None);
            assert_eq!(again.result::<String>(0, 3), None);
        }
        let before = fs::read(&path).unwrap();
        assert!(matches!(Journal::open(&path, &heading(2)), Err(JournalError::AnotherRun)));
        assert_eq!(fs::read(&path).unwrap(), before);
        journal.close().unwrap();
        assert!(!path.exists());
    }
}
