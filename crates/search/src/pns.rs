//! Proof-number search (Allis 1994): best-first, with the whole tree in memory.
//!
//! A leaf has proof and disproof number 1. At an inner node the mover's number is the minimum over
//! the children, its opponent's the sum. The selected leaf is the most-proving node: from the root,
//! always the child with the mover's least number.
//!
//! The win estimate of a node is its disproof number as a fraction of the sum of both numbers, and
//! the best move is the one with the best estimate for the mover.

use crate::and_or::{AndOr, Player};
use crate::best_first::{BestFirst, Bounds, Method, run};
use crate::deepening::DepthSearch;
use crate::limits::{Budget, Limits, Stop};
use crate::proof_numbers::ProofNumbers;
use crate::solve::Conclusion;

/// Best-first proof-number search in a tree of bounded size.
///
/// It searches depth by depth under [`deepen`](crate::deepen), or directly to the depth limit as a
/// [solver](crate::solve::Solve). Transpositions are searched again, and nothing is kept between calls. When the tree
/// has filled its memory the search ends with [`Stop::Memory`]. Besides the tree there is only the
/// path from the root, one position per ply.
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
}

impl Default for Pns {
    /// A search whose memory is bounded by the limits only.
    fn default() -> Self {
        Self::new(usize::MAX)
    }
}

impl BestFirst for Pns {
    type Method = UnitLeaves;

    fn method(&self) -> UnitLeaves {
        UnitLeaves
    }

    fn bounds(&self, limits: &Limits) -> Bounds {
        let bounds = Bounds::of(limits);
        Bounds { memory: bounds.memory.min(self.memory), ..bounds }
    }
}

impl<P: AndOr> DepthSearch<P> for Pns {
    fn prove(&mut self, position: &P, depth: u32, budget: &mut Budget<'_>) -> Result<bool, Stop> {
        let bounds = Bounds { depth, ..self.bounds(budget.limits()) };
        match run(UnitLeaves, position, bounds, budget, &mut |_| {}).conclusion {
            Conclusion::Proved => Ok(true),
            Conclusion::Disproved => Ok(false),
            Conclusion::Unknown(stop) => Err(stop),
            // Proof-number search never returns this, and it would not be a proof.
            Conclusion::Believed(_) => Err(Stop::Nodes),
        }
    }
}

/// How a proof-number search initialises its leaves. Everything else is the same in all of them.
pub(crate) trait LeafNumbers {
    /// See [`Method::SLOW_LEAVES`].
    const SLOW: bool;

    /// The numbers of the unexpanded root.
    fn root(&self) -> ProofNumbers;

    /// The numbers of any other unsolved leaf, with `remaining` plies to the depth limit.
    fn leaf<P: AndOr>(&mut self, position: &P, remaining: u32) -> ProofNumbers;
}

impl<L: LeafNumbers> Method for L {
    type Value = ProofNumbers;

    const SLOW_LEAVES: bool = L::SLOW;

    fn initial(&self) -> ProofNumbers {
        self.root()
    }

    fn solved(&self, won: bool) -> ProofNumbers {
        ProofNumbers::solved(won)
    }

    fn evaluate_leaf<P: AndOr>(&mut self, position: &P, remaining: u32) -> ProofNumbers {
        self.leaf(position, remaining)
    }

    fn backup(
        &self,
        mover: Player,
        children: impl Iterator<Item = ProofNumbers> + Clone,
    ) -> ProofNumbers {
        ProofNumbers::of_parent(mover, children)
    }

    fn proved(&self, numbers: ProofNumbers) -> Option<bool> {
        numbers.value()
    }

    fn priority(&self, mover: Player, _: ProofNumbers, child: ProofNumbers) -> Option<f64> {
        Some(-f64::from(child.seen_by(mover).proof))
    }

    fn move_score(&self, mover: Player, child: ProofNumbers) -> f64 {
        child.seen_by(mover).win_estimate()
    }

    fn win_estimate(&self, numbers: ProofNumbers) -> f64 {
        numbers.win_estimate()
    }
}

/// The leaves of [`Pns`]: each has proof and disproof number 1.
pub(crate) struct UnitLeaves;

impl LeafNumbers for UnitLeaves {
    const SLOW: bool = false;

    fn root(&self) -> ProofNumbers {
        ProofNumbers::OPEN
    }

    fn leaf<P: AndOr>(&mut self, _: &P, _: u32) -> ProofNumbers {
        ProofNumbers::OPEN
    }
}
