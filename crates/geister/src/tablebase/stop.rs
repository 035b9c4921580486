//! Cancellation: long loops check a flag.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The flag was raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interrupted;

/// A flag that the caller raises to cancel the work; checking it costs next to nothing.
#[derive(Clone, Copy)]
pub(super) struct Stop<'a>(pub(super) &'a AtomicBool);

impl Stop<'_> {
    /// Fails if the flag was raised.
    pub(super) fn check(self) -> Result<(), Interrupted> {
        if self.0.load(Relaxed) { Err(Interrupted) } else { Ok(()) }
    }
}
