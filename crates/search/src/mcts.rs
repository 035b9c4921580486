//! Plain Monte-Carlo tree search (Coulom 2006; Kocsis & Szepesvári 2006; P4 II-C).
//!
//! As [`uct`](crate::uct), but without proofs: where the rules end the game, the result is one more
//! win or loss to be averaged, and the search comes back to it as often as it likes. It has an
//! opinion and a move, and never a conclusion.

use crate::and_or::AndOr;
use crate::best_first::{Bounds, run};
use crate::limits::Budget;
use crate::playout::{Dice, Playouts};
use crate::solve::{Iteration, Solve, Solved};
use crate::uct::{Bandit, Uct};

/// UCT without proofs.
///
/// Its conclusion is [`Unknown`](crate::Conclusion::Unknown), unless the position needs no search
/// at all. An iteration that meets the end of the game expands nothing, but pays for a node like
/// the others.
#[derive(Clone, Debug)]
pub struct Mcts {
    /// How leaves are judged.
    pub playouts: Playouts,
    /// The weight of what was seldom tried; at least 0.
    pub exploration: f64,
    /// So many iterations are enough: nothing else ends the search of a tree that fits into memory.
    /// Then it stops as it does at the limit of nodes.
    pub iterations: u64,
}

impl Default for Mcts {
    /// As [`Uct`], and 100,000 iterations.
    fn default() -> Self {
        let Uct { playouts, exploration } = Uct::default();
        Self { playouts, exploration, iterations: 100_000 }
    }
}

impl<P: AndOr> Solve<P> for Mcts {
    fn watch(
        &mut self,
        position: &P,
        budget: &mut Budget<'_>,
        observer: &mut dyn FnMut(&Iteration<P::Move>),
    ) -> Solved<P::Move> {
        let bounds = Bounds { iterations: self.iterations, ..Bounds::of(budget.limits()) };
        let dice = Dice::new(self.playouts);
        let method = Bandit { dice, exploration: self.exploration, proving: false };
        run(method, position, bounds, budget, observer)
    }
}
