//! What a search proved.

use crate::limits::Stop;

/// What a search proved about OR's chances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// OR wins within this many plies, and not within any smaller depth that was searched.
    ///
    /// So it is the length of the shortest win when every depth is searched, or when wins can only
    /// come at the depths that are; else the shortest win may be shorter by less than one step.
    Win(u32),
    /// There is no win within `depth` plies. Nothing is said about longer ones.
    NoWin {
        /// The greatest depth disproved.
        depth: u32,
    },
    /// A limit was hit. There is no win within `depth` plies; nothing is said about longer ones.
    Unknown {
        /// The greatest depth disproved, 0 if none was finished.
        depth: u32,
        /// The limit.
        stop: Stop,
    },
}
