//! How a game of hidden information ends.

use crate::Seat;
use std::fmt::Debug;

/// How a game ended: who won, and why.
pub trait GameOutcome: Copy + Eq + Debug + Send + Sync {
    /// The names of all reasons, in the order in which reports list them.
    const REASONS: &'static [&'static str];

    /// The winner; `None` for a draw.
    fn winner(self) -> Option<Seat>;

    /// The name of the reason: one of [`GameOutcome::REASONS`].
    fn reason(self) -> &'static str;
}
