//! Asking, in everything that takes long, whether someone wants it to stop.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Someone asked to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interrupted;

/// A flag that is raised from outside; looking at it costs next to nothing.
#[derive(Clone, Copy)]
pub(super) struct Stop<'a>(pub(super) &'a AtomicBool);

impl Stop<'_> {
    /// Goes on, unless the flag was raised.
    pub(super) fn check(self) -> Result<(), Interrupted> {
        if self.0.load(Relaxed) { Err(Interrupted) } else { Ok(()) }
    }
}
