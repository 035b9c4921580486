//! The result of a depth-limited search.

use crate::limits::Stop;

/// The result of a depth-limited search for a win of OR.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// OR wins within this many plies, and not within any smaller depth that was searched.
    ///
    /// It is the length of the shortest win if every depth is searched, or if wins only occur at
    /// the depths that are; else the shortest win may be shorter by less than one step.
    Win(u32),
    /// There is no win within `depth` plies. A longer win may exist.
    NoWin {
        /// The greatest depth disproved.
        depth: u32,
    },
    /// A limit was hit. There is no win within `depth` plies; a longer win may exist.
    Unknown {
        /// The greatest depth disproved, 0 if none was finished.
        depth: u32,
        /// The limit.
        stop: Stop,
    },
}
