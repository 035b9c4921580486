//! Verification of a table: its checksums, and whether its entries follow from their successors.

use super::class::Class;
use super::file::FileError;
use super::store::{ProbeError, Store, Tablebase};
use games::geister::Position;
use std::fmt;
use std::num::NonZeroU64;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Why a table is not good, or could not be verified to the end.
#[derive(Debug)]
pub enum VerifyError {
    /// The file is missing or damaged.
    File(FileError),
    /// A table that the check needs is missing or damaged.
    Probe(ProbeError),
    /// The entry of this position does not follow from its successors.
    Inconsistent {
        /// The class of the table.
        class: Class,
        /// The position.
        position: Box<Position>,
    },
    /// The check was stopped after this many entries.
    Interrupted(u64),
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VerifyError::File(error) => error.fmt(f),
            VerifyError::Probe(error) => error.fmt(f),
            VerifyError::Inconsistent { class, position } => write!(
                f,
                "the entry of {position} does not follow from its successors; build {class} again"
            ),
            VerifyError::Interrupted(entries) => write!(f, "interrupted after {entries} entries"),
        }
    }
}

impl std::error::Error for VerifyError {}

/// Checks the table of `class` against its checksums.
///
/// # Errors
/// If it is missing or damaged.
pub fn verify_checksums(store: &Store, class: Class) -> Result<(), VerifyError> {
    store.open(class).and_then(|table| table.file().verify()).map_err(VerifyError::File)
}

/// Recomputes at least `samples` entries of `class` from their successors in `tables`, evenly spread,
/// or all of them if there are fewer. Returns how many were recomputed.
///
/// # Errors
/// If an entry does not follow, a table is missing or damaged, or `stop` was raised.
pub fn verify_consistency(
    store: &Store,
    tables: &Tablebase,
    class: Class,
    samples: NonZeroU64,
    stop: &AtomicBool,
) -> Result<u64, VerifyError> {
    let table = store.open(class).map_err(VerifyError::File)?;
    let size = table.index().size();
    let step = (size / samples.get().min(size)).max(1) as usize;
    let mut recomputed = 0;
    for rank in (0..size).step_by(step) {
        if stop.load(Relaxed) {
            return Err(VerifyError::Interrupted(recomputed));
        }
        let position = table.index().position(rank);
        if !tables.is_consistent(&position).map_err(VerifyError::Probe)? {
            return Err(VerifyError::Inconsistent { class, position: Box::new(position) });
        }
        recomputed += 1;
    }
    Ok(recomputed)
}
