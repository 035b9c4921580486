//! What a search may spend, and the account of what it has spent.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a search may spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest win looked for, in plies. Recursion is never deeper than this.
    pub depth: u32,
    /// Nodes over all depths together; `None` for no limit.
    pub nodes: Option<u64>,
    /// Wall-clock time over all depths together; `None` for no limit.
    pub time: Option<Duration>,
    /// Bytes for the one big store of a search, its table or its tree.
    pub memory: usize,
}

impl Default for Limits {
    /// 99 plies, 256 MiB, no limit on nodes or time.
    fn default() -> Self {
        Self { depth: 99, nodes: None, time: None, memory: 256 << 20 }
    }
}

/// Why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stop {
    /// The node limit is used up.
    Nodes,
    /// The time is up.
    Time,
    /// The search tree fills its memory. A table never causes this: it forgets instead.
    Memory,
    /// Someone raised the stop flag.
    Interrupted,
}

/// The account of a running search against its [`Limits`] and a stop flag.
///
/// A node is a position whose moves are generated; coming back to it counts again. The node limit
/// is kept exactly. The clock and the flag are looked at before the first node and then once in
/// [`Budget::CHECK_EVERY`] nodes. The clock starts when the budget is made.
#[derive(Debug)]
pub struct Budget<'a> {
    limits: Limits,
    stop: Option<&'a AtomicBool>,
    start: Instant,
    nodes: u64,
}

impl<'a> Budget<'a> {
    /// So many nodes pass between two looks at the clock and the stop flag.
    pub const CHECK_EVERY: u64 = 1024;

    /// A fresh account under `limits`, without a stop flag.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        Self { limits: *limits, stop: None, start: Instant::now(), nodes: 0 }
    }

    /// The same account, ended by `flag` once that is true.
    #[must_use]
    pub fn stopped_by(self, flag: &'a AtomicBool) -> Self {
        Self { stop: Some(flag), ..self }
    }

    /// Pays for one node, or says why the search must end. A refusal costs nothing, and a refusal
    /// for lack of time or by the flag is repeated as long as its cause lasts.
    ///
    /// # Errors
    /// The limit that was hit.
    #[inline]
    pub fn count(&mut self) -> Result<(), Stop> {
        if self.limits.nodes.is_some_and(|most| self.nodes >= most) {
            return Err(Stop::Nodes);
        }
        if self.nodes.is_multiple_of(Self::CHECK_EVERY) {
            self.check()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// Looks at the clock and the flag now, for searches whose nodes take long.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn check(&self) -> Result<(), Stop> {
        if self.stop.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Stop::Interrupted);
        }
        if self.limits.time.is_some_and(|most| self.elapsed() >= most) {
            return Err(Stop::Time);
        }
        Ok(())
    }

    /// The limits this account is held against.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// A fresh account under the same limits and flag.
    #[must_use]
    pub fn renewed(&self) -> Self {
        Self { start: Instant::now(), nodes: 0, ..*self }
    }

    /// An account for one of `parts` searches that run at the same time: its share of the nodes
    /// left, and all of the time left. What they spend has to be paid with [`Budget::pay`].
    #[must_use]
    pub fn share(&self, parts: u32) -> Self {
        let limits = Limits {
            nodes: self
                .limits
                .nodes
                .map(|most| (most - self.nodes.min(most)) / u64::from(parts.max(1))),
            time: self.limits.time.map(|time| time.saturating_sub(self.elapsed())),
            ..self.limits
        };
        Self { limits, ..self.renewed() }
    }

    /// Pays for nodes that other searches expanded on this account.
    pub fn pay(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    /// Nodes paid for so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Time since the account was opened.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}
