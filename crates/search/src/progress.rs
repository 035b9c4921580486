//! Progress reports of a running search.

use std::time::Duration;

/// The state of a search after a finished depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepthReport {
    /// The depth just finished, in plies.
    pub depth: u32,
    /// Nodes so far, over all depths.
    pub nodes: u64,
    /// Time so far, over all depths.
    pub elapsed: Duration,
}

/// A receiver of progress reports. A depth that a limit cut short is not reported.
pub trait Progress {
    /// Called once after each finished depth, the proving one included.
    fn report(&mut self, report: &DepthReport);
}

/// Ignores all reports.
impl Progress for () {
    fn report(&mut self, _: &DepthReport) {}
}
