//! Plain Monte-Carlo tree search (Coulom 2006; Kocsis & Szepesvári 2006; P4 II-C).
//!
//! Like [`uct`](crate::uct), but without proofs: a terminal position is one more win or loss to
//! average, and the search may revisit it. It has an estimate and a best move, but never a
//! conclusion.

use crate::best_first::{BestFirst, Bounds};
use crate::limits::Limits;
use crate::playout::{PlayoutRunner, Playouts};
use crate::uct::{Uct, UctMethod};

/// UCT without proofs.
///
/// Its conclusion is [`Unknown`](crate::Conclusion::Unknown), unless the position needs no search
/// at all. An iteration that reaches a terminal position expands nothing, but counts as a node.
#[derive(Clone, Debug)]
pub struct Mcts {
    /// The playouts that evaluate leaves.
    pub playouts: Playouts,
    /// The exploration constant of UCB; at least 0.
    pub exploration: f64,
    /// The iteration limit: nothing else ends the search of a tree that fits into memory. The
    /// search then stops as if the node limit was reached.
    pub iterations: u64,
}

impl Default for Mcts {
    /// As [`Uct`], and 100,000 iterations.
    fn default() -> Self {
        let Uct { playouts, exploration } = Uct::default();
        Self { playouts, exploration, iterations: 100_000 }
    }
}

impl BestFirst for Mcts {
    type Method = UctMethod;

    fn method(&self) -> UctMethod {
        let runner = PlayoutRunner::new(self.playouts);
        UctMethod { runner, exploration: self.exploration, proving: false }
    }

    fn bounds(&self, limits: &Limits) -> Bounds {
        Bounds { iterations: self.iterations, ..Bounds::of(limits) }
    }
}
