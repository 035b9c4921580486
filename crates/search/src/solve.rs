//! The common interface of the best-first solvers.

use crate::and_or::AndOr;
use crate::limits::{Budget, Stop};

/// A best-first search that keeps its tree in memory.
///
/// It decides whether OR wins within [`Limits::depth`](crate::Limits::depth) plies, in the sense
/// defined by the [crate] documentation. A longer line is not a win, so every search terminates on
/// games with cycles too: a repeated position is another node of the tree. For a game that always
/// ends within the depth limit, the result is that of the game itself.
///
/// One iteration expands one leaf: its moves are generated, and each child is evaluated. It counts
/// as one node of the [`Budget`]. The tree takes at most [`Limits::memory`](crate::Limits::memory)
/// bytes, reserved at the start; besides it there are only the positions on the path from the root
/// to one node, and the moves of one position. A full tree ends the search with [`Stop::Memory`].
/// Nothing is kept between calls, so the same call gives the same result, unless time or the stop
/// flag ends it.
pub trait Solve<P: AndOr> {
    /// Searches until it can conclude or a limit is hit; `observer` is called after every
    /// iteration.
    fn solve_observed(
        &mut self,
        position: &P,
        budget: &mut Budget<'_>,
        observer: &mut dyn FnMut(&Iteration<P::Move>),
    ) -> Solved<P::Move>;

    /// Searches until it can conclude or a limit is hit.
    fn solve(&mut self, position: &P, budget: &mut Budget<'_>) -> Solved<P::Move> {
        self.solve_observed(position, budget, &mut |_| {})
    }
}

/// The conclusion of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Conclusion {
    /// OR wins within the depth limit: proved.
    Proved,
    /// OR does not win within the depth limit: proved.
    Disproved,
    /// The search ended because it is confident that OR wins (true) or does not (false). This is
    /// not a proof and can be wrong. Only [`Ppns`](crate::Ppns) with a precision above 0 returns
    /// it.
    Believed(bool),
    /// A limit was hit.
    Unknown(Stop),
}

impl Conclusion {
    /// The conclusion of a proof.
    pub(crate) fn proof(won: bool) -> Self {
        if won { Self::Proved } else { Self::Disproved }
    }

    /// Whether OR wins, if that is proved.
    #[must_use]
    pub fn proved(self) -> Option<bool> {
        match self {
            Self::Proved => Some(true),
            Self::Disproved => Some(false),
            Self::Believed(_) | Self::Unknown(_) => None,
        }
    }
}

/// The state of a search after an iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iteration<M> {
    /// Iterations so far.
    pub number: u64,
    /// Nodes in the tree, the root included.
    pub nodes: usize,
    /// An estimate of OR's chances at the root, from 0 (not won) to 1 (won).
    ///
    /// Each algorithm defines it in its module. It compares states of one search, not different
    /// algorithms. A proved root has exactly 0 or 1, but not every 0 or 1 is a proof.
    pub win_estimate: f64,
    /// The best move at the root; none before the first iteration. If the root is proved for the
    /// side to move, this move keeps the win.
    pub best: Option<M>,
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solved<M> {
    /// The conclusion about the position.
    pub conclusion: Conclusion,
    /// The final state of the search. A position that needs no search has no iterations, no nodes
    /// and no best move.
    pub last: Iteration<M>,
}

impl<M> Solved<M> {
    /// The result for a position that needs no search.
    pub(crate) fn without_search(conclusion: Conclusion) -> Self {
        let win_estimate = match conclusion.proved() {
            Some(won) => f64::from(u8::from(won)),
            None => 0.5,
        };
        Self { conclusion, last: Iteration { number: 0, nodes: 0, win_estimate, best: None } }
    }
}
