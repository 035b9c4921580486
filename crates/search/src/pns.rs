//! Proof-number search (Allis 1994): best-first, with the whole tree in memory.
//!
//! A leaf counts one in the proof and the disproof number. The mover's number is the least of its
//! children's, its opponent's the sum of theirs. The most urgent leaf is the most-proving node:
//! from the root, always the child that is cheapest for the mover.
//!
//! The opinion on a node is its disproof number's share of both numbers, and the best move is the
//! one with the best opinion for the mover.

use crate::and_or::{AndOr, Player};
use crate::best_first::{Bounds, Method, run};
use crate::deepening::DepthSearch;
use crate::limits::{Budget, Stop};
use crate::numbers::Numbers;
use crate::solve::{Conclusion, Iteration, Solve, Solved};

/// Best-first proof-number search in a tree of bounded size.
///
/// It answers one depth after the other under [`deepen`](crate::deepen), or the depth limit at
/// once as a [`Solve`]. Transpositions are searched anew; nothing is kept from one call to the
/// next. When the tree has filled its memory the search ends with [`Stop::Memory`]. Besides the
/// tree there is only the path from the root, one position per ply.
#[derive(Clone, Debug)]
pub struct Pns {
    memory: usize,
}

impl Pns {
    /// A search whose tree takes at most `memory` bytes, and no more than the limits allow.
    #[must_use]
    pub fn new(memory: usize) -> Self {
        Self { memory }
    }

    fn search<P: AndOr>(
        &self,
        position: &P,
        depth: u32,
        budget: &mut Budget<'_>,
        observer: &mut dyn FnMut(&Iteration<P::Move>),
    ) -> Solved<P::Move> {
        let limits = Bounds::of(budget.limits());
        let bounds = Bounds { depth, memory: limits.memory.min(self.memory), ..limits };
        run(ProofNumbers, position, bounds, budget, observer)
    }
}

impl Default for Pns {
    /// A search that only the limits bound.
    fn default() -> Self {
        Self::new(usize::MAX)
    }
}

impl<P: AndOr> Solve<P> for Pns {
    fn watch(
        &mut self,
        position: &P,
        budget: &mut Budget<'_>,
        observer: &mut dyn FnMut(&Iteration<P::Move>),
    ) -> Solved<P::Move> {
        self.search(position, budget.limits().depth, budget, observer)
    }
}

impl<P: AndOr> DepthSearch<P> for Pns {
    fn prove(&mut self, position: &P, depth: u32, budget: &mut Budget<'_>) -> Result<bool, Stop> {
        match self.search(position, depth, budget, &mut |_| {}).conclusion {
            Conclusion::Proved => Ok(true),
            Conclusion::Disproved => Ok(false),
            Conclusion::Unknown(stop) => Err(stop),
            // Proof numbers do not believe; if they did, it would be no answer.
            Conclusion::Believed(_) => Err(Stop::Nodes),
        }
    }
}

/// Proof and disproof numbers, one for each leaf.
pub(crate) struct ProofNumbers;

impl Method for ProofNumbers {
    type Value = Numbers;

    const SLOW: bool = false;

    fn open(&self) -> Numbers {
        Numbers::OPEN
    }

    fn known(&self, won: bool) -> Numbers {
        Numbers::solved(won)
    }

    fn leaf<P: AndOr>(&mut self, _: &P, _: u32) -> Numbers {
        Numbers::OPEN
    }

    fn parent(&self, mover: Player, children: impl Iterator<Item = Numbers> + Clone) -> Numbers {
        Numbers::of_parent(mover, children)
    }

    fn proved(&self, numbers: Numbers) -> Option<bool> {
        numbers.value()
    }

    fn urgency(&self, mover: Player, _: Numbers, child: Numbers) -> Option<f64> {
        Some(-f64::from(child.seen_by(mover).proof))
    }

    fn merit(&self, mover: Player, child: Numbers) -> f64 {
        child.seen_by(mover).opinion()
    }

    fn opinion(&self, numbers: Numbers) -> f64 {
        numbers.opinion()
    }
}
