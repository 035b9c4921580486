//! One question to all best-first solvers: is the position won? And what they may answer.

use crate::and_or::AndOr;
use crate::limits::{Budget, Stop};

/// A best-first search that keeps its tree in memory.
///
/// The question is whether OR wins within [`Limits::depth`](crate::Limits::depth) plies, with the
/// meaning that the [crate] gives to it. A line that is longer counts as no win, so every search
/// ends on games with cycles too: positions that recur are searched anew, as nodes of a tree. For
/// a game that always ends within the depth limit the answer is that of the game itself.
///
/// One iteration expands one leaf: its moves are generated, and each child is judged. It pays for
/// one node of the [`Budget`]. The tree takes at most [`Limits::memory`](crate::Limits::memory)
/// bytes, reserved at the start; besides it there are only the positions on the path from the root
/// to one node, and the moves of one position. A full tree ends the search with [`Stop::Memory`].
/// Nothing is kept from one call to the next, so the same call gives the same answer, unless time
/// or the stop flag ends it.
pub trait Solve<P: AndOr> {
    /// Searches until it can conclude or a limit is hit; `observer` sees every iteration.
    fn watch(
        &mut self,
        position: &P,
        budget: &mut Budget<'_>,
        observer: &mut dyn FnMut(&Iteration<P::Move>),
    ) -> Solved<P::Move>;

    /// Searches until it can conclude or a limit is hit.
    fn solve(&mut self, position: &P, budget: &mut Budget<'_>) -> Solved<P::Move> {
        self.watch(position, budget, &mut |_| {})
    }
}

/// What a solver says in the end. A belief is no proof, and has its own name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Conclusion {
    /// OR wins within the depth limit: proved.
    Proved,
    /// OR does not win within the depth limit: proved.
    Disproved,
    /// The search ended because it thinks that OR wins (true) or does not (false). It can be
    /// wrong. Only [`Ppns`](crate::Ppns) with a precision above 0 says so.
    Believed(bool),
    /// A limit was hit.
    Unknown(Stop),
}

impl Conclusion {
    /// The conclusion of a proof.
    pub(crate) fn proof(won: bool) -> Self {
        if won { Self::Proved } else { Self::Disproved }
    }

    /// Whether OR wins, if that is proved. A belief is not.
    #[must_use]
    pub fn proved(self) -> Option<bool> {
        match self {
            Self::Proved => Some(true),
            Self::Disproved => Some(false),
            Self::Believed(_) | Self::Unknown(_) => None,
        }
    }
}

/// How a search stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iteration<M> {
    /// Iterations so far.
    pub number: u64,
    /// Nodes in the tree, the root included.
    pub nodes: usize,
    /// How good the root looks for OR, from 0 (not won) to 1 (won).
    ///
    /// It is the search's own measure; the modules say which. It compares the state of one search
    /// with earlier states, not one kind of search with another. A proved root has exactly 0 or 1,
    /// but not every 0 or 1 is a proof.
    pub opinion: f64,
    /// The move that the side to move at the root would make now; none before the first iteration.
    ///
    /// Of a root that is proved for the side to move, it is a move that keeps the win.
    pub best: Option<M>,
}

/// The end of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solved<M> {
    /// What is known of the position now.
    pub conclusion: Conclusion,
    /// How the search stood when it ended. A position that needs no search has no iterations, no
    /// nodes and no best move.
    pub last: Iteration<M>,
}

impl<M> Solved<M> {
    /// The end of a search that never had a tree.
    pub(crate) fn at_once(conclusion: Conclusion) -> Self {
        let opinion = match conclusion.proved() {
            Some(won) => f64::from(u8::from(won)),
            None => 0.5,
        };
        Self { conclusion, last: Iteration { number: 0, nodes: 0, opinion, best: None } }
    }
}
