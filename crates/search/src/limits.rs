//! The limits of a search, and the budget that enforces them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The limits of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum length of a win in plies. Recursion is never deeper than this.
    pub depth: u32,
    /// Nodes over all depths together; `None` for no limit.
    pub nodes: Option<u64>,
    /// Wall-clock time over all depths together; `None` for no limit.
    pub time: Option<Duration>,
    /// Bytes for the transposition table or the search tree.
    pub memory: usize,
}

impl Default for Limits {
    /// 99 plies, 256 MiB, no limit on nodes or time.
    fn default() -> Self {
        Self { depth: 99, nodes: None, time: None, memory: 256 << 20 }
    }
}

/// Why a search ended without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stop {
    /// The node limit was reached.
    Nodes,
    /// The time limit was reached.
    Time,
    /// The search tree fills its memory. A transposition table never causes this: it replaces
    /// entries instead.
    Memory,
    /// The stop flag was set.
    Interrupted,
}

/// The budget of a running search: it counts nodes and enforces [`Limits`] and a stop flag.
///
/// A node is a position whose moves are generated; a revisit counts again. The node limit is exact.
/// The clock and the flag are checked before the first node and then once every
/// [`Budget::CHECK_INTERVAL_NODES`] nodes. The clock starts when the budget is created.
#[derive(Debug)]
pub struct Budget<'a> {
    limits: Limits,
    stop: Option<&'a AtomicBool>,
    start: Instant,
    nodes: u64,
}

impl<'a> Budget<'a> {
    /// Nodes between two checks of the clock and the stop flag.
    pub const CHECK_INTERVAL_NODES: u64 = 1024;

    /// A new budget with these limits and no stop flag.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        Self { limits: *limits, stop: None, start: Instant::now(), nodes: 0 }
    }

    /// The same budget with a stop flag: it is exhausted once `flag` is true.
    #[must_use]
    pub fn stopped_by(self, flag: &'a AtomicBool) -> Self {
        Self { stop: Some(flag), ..self }
    }

    /// Counts one node. An error counts no node, and an error for time or by the flag is repeated
    /// as long as its cause lasts.
    ///
    /// # Errors
    /// The limit that was hit.
    #[inline]
    pub fn count(&mut self) -> Result<(), Stop> {
        if self.limits.nodes.is_some_and(|max| self.nodes >= max) {
            return Err(Stop::Nodes);
        }
        if self.nodes.is_multiple_of(Self::CHECK_INTERVAL_NODES) {
            self.check()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// Checks the clock and the flag now, for searches whose nodes take long.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn check(&self) -> Result<(), Stop> {
        if self.stop.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Stop::Interrupted);
        }
        if self.limits.time.is_some_and(|max| self.elapsed() >= max) {
            return Err(Stop::Time);
        }
        Ok(())
    }

    /// The limits of this budget.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// A new budget with the same limits and flag.
    #[must_use]
    pub fn renewed(&self) -> Self {
        Self { start: Instant::now(), nodes: 0, ..*self }
    }

    /// A budget for one of `parts` concurrent searches: its share of the nodes left, and all of the
    /// time left. The caller adds the nodes they used with [`Budget::pay`].
    #[must_use]
    pub fn share(&self, parts: u32) -> Self {
        let limits = Limits {
            nodes: self
                .limits
                .nodes
                .map(|max| max.saturating_sub(self.nodes) / u64::from(parts.max(1))),
            time: self.limits.time.map(|time| time.saturating_sub(self.elapsed())),
            ..self.limits
        };
        Self { limits, ..self.renewed() }
    }

    /// Adds nodes that other searches expanded on behalf of this one.
    pub fn pay(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    /// Nodes counted so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Time since the budget was created.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}
