//! Depth-first proof-number search, df-pn (Nagai 2002).
//!
//! The same order of expansion as best-first proof-number search, without the tree: a node is
//! searched depth-first as long as its numbers stay below two thresholds, chosen so that the
//! most-proving node is below it until then. The numbers outlive the visit in a table.
//!
//! A node is a position together with the plies remaining. Every move leads to a node with fewer
//! plies remaining, so there are no cycles, and a node's value does not depend on the path to it:
//! the graph-history problem does not arise.
//!
//! # The search ends, however small the table
//!
//! Each visit keeps the numbers of its children itself; the table is probed only when the visit
//! begins. Nothing is missed by this, since a search below one child only stores nodes with fewer
//! plies remaining than the other children have. And each step makes progress: a child returns
//! when its numbers, seen by the parent's mover, reach one of two thresholds. If it was the one
//! for its disproof number, the parent's own threshold is reached and the visit ends. If not, its
//! proof number has grown. Numbers are bounded, so a visit ends after finitely many steps if its
//! children's visits do; and those have fewer plies remaining. A small table makes the search
//! slow, never endless or wrong.

use crate::and_or::{AndOr, Player, moves_of, result_without_search};
use crate::deepening::DepthSearch;
use crate::limits::{Budget, Stop};
use crate::proof_numbers::{INFINITE, ProofNumbers};
use crate::transposition_table::TranspositionTable;
use common::rng::hash64;

/// Depth-first proof-number search with a transposition table that is kept between depths.
#[derive(Debug)]
pub struct DfPn {
    transposition_table: TranspositionTable<ProofNumbers>,
    expanded: u64,
    expanded_at_last_depth: u64,
    root: Option<RootMaxima>,
}

/// The greatest finite numbers of the root during the search of the last depth.
///
/// Both are 0 if the root was solved without being expanded. Numbers are sums over paths, as always
/// in df-pn: a node on two paths is counted twice (double counting). They saturate just below
/// `u32::MAX`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RootMaxima {
    /// The greatest finite proof number.
    pub proof: u32,
    /// The greatest finite disproof number: if the root was proved, the greatest before it turned
    /// infinite.
    pub disproof: u32,
}

impl DfPn {
    /// A search with a transposition table of at most `memory` bytes.
    #[must_use]
    pub fn new(memory: usize) -> Self {
        Self {
            transposition_table: TranspositionTable::new(memory),
            expanded: 0,
            expanded_at_last_depth: 0,
            root: None,
        }
    }

    /// The same search, but it records [`RootMaxima`]. Slow.
    ///
    /// The root's own numbers are out of date while the search is below it. So at every expansion
    /// the numbers are recalculated along the path from the expanded node to the root. The order of
    /// the search does not change.
    #[must_use]
    pub fn recording_root(self) -> Self {
        Self { root: Some(RootMaxima::default()), ..self }
    }

    /// Nodes expanded since the search was created. A node visited again is expanded again.
    #[must_use]
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Nodes expanded by the last call of `prove`. Nodes that the table kept from shallower depths
    /// are not expanded again.
    #[must_use]
    pub fn expanded_at_last_depth(&self) -> u64 {
        self.expanded_at_last_depth
    }

    /// The root's greatest numbers in the last call of `prove`, if they are recorded.
    #[must_use]
    pub fn root_maxima(&self) -> Option<RootMaxima> {
        self.root
    }

    /// The size of the transposition table in bytes.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.transposition_table.memory()
    }

    /// One visit of a node ("MID"): searches below it until a threshold is reached.
    fn visit<P: AndOr>(
        &mut self,
        position: &P,
        remaining: u32,
        thresholds: ProofNumbers,
        path: Option<&Path<'_>>,
        budget: &mut Budget<'_>,
    ) -> Result<ProofNumbers, Stop> {
        let before = self.expanded;
        self.count(budget)?;
        let mover = position.to_move();
        let moves = moves_of(position);
        let look_up = |&m| self.numbers(&position.play(m), remaining - 1);
        let mut children: Vec<ProofNumbers> = moves.iter().map(look_up).collect();
        let mut numbers = ProofNumbers::of_parent(mover, children.iter().copied());
        self.record_root(numbers, path);
        while numbers.proof < thresholds.proof && numbers.disproof < thresholds.disproof {
            let (chosen, below) = choose(mover, &children, numbers, thresholds);
            let child = position.play(moves[chosen]);
            let path = Path { above: path, mover, children: &children, chosen };
            children[chosen] = self.visit(&child, remaining - 1, below, Some(&path), budget)?;
            numbers = ProofNumbers::of_parent(mover, children.iter().copied());
        }
        self.transposition_table.store(key(position, remaining), self.expanded - before, numbers);
        Ok(numbers)
    }

    fn count(&mut self, budget: &mut Budget<'_>) -> Result<(), Stop> {
        budget.count()?;
        self.expanded += 1;
        self.expanded_at_last_depth += 1;
        Ok(())
    }

    /// The numbers of a node without a visit: solved, from the table, or initial.
    fn numbers<P: AndOr>(&self, position: &P, remaining: u32) -> ProofNumbers {
        match result_without_search(position, remaining) {
            Some(won) => ProofNumbers::solved(won),
            None => self
                .transposition_table
                .probe(key(position, remaining))
                .unwrap_or(ProofNumbers::OPEN),
        }
    }

    /// Records the root's numbers, given that the node at the end of `path` has `numbers`.
    fn record_root(&mut self, numbers: ProofNumbers, path: Option<&Path<'_>>) {
        if let Some(maxima) = &mut self.root {
            let root = path.map_or(numbers, |path| path.root(numbers));
            maxima.include(root);
        }
    }
}

impl<P: AndOr> DepthSearch<P> for DfPn {
    fn prove(&mut self, position: &P, depth: u32, budget: &mut Budget<'_>) -> Result<bool, Stop> {
        self.expanded_at_last_depth = 0;
        self.root = self.root.map(|_| RootMaxima::default());
        if let Some(won) = result_without_search(position, depth) {
            return Ok(won);
        }
        self.record_root(ProofNumbers::OPEN, None);
        let numbers = self.visit(position, depth, ProofNumbers::UNBOUNDED, None, budget)?;
        Ok(numbers == ProofNumbers::PROVED)
    }
}

/// The table key of a node: a position and the plies remaining.
fn key<P: AndOr>(position: &P, remaining: u32) -> u64 {
    position.key() ^ hash64(remaining.into())
}

/// The child to visit, the one with the mover's least proof number, and its thresholds: it is
/// searched until it exceeds the second-least number or the node reaches one of its own thresholds.
fn choose(
    mover: Player,
    children: &[ProofNumbers],
    node: ProofNumbers,
    thresholds: ProofNumbers,
) -> (usize, ProofNumbers) {
    let (chosen, second) = two_cheapest(children.iter().map(|child| child.seen_by(mover).proof));
    let child = children[chosen].seen_by(mover);
    let (node, thresholds) = (node.seen_by(mover), thresholds.seen_by(mover));
    let others = node.disproof - child.disproof;
    let below = ProofNumbers {
        proof: thresholds.proof.min(second.saturating_add(1)),
        disproof: match thresholds.disproof {
            INFINITE => INFINITE,
            finite => finite - others,
        },
    };
    (chosen, below.seen_by(mover))
}

/// The index of the first minimum, and the minimum of the other numbers.
fn two_cheapest(costs: impl Iterator<Item = u32>) -> (usize, u32) {
    let (mut chosen, mut least, mut second) = (0, INFINITE, INFINITE);
    for (index, cost) in costs.enumerate() {
        if cost < least {
            (chosen, least, second) = (index, cost, least);
        } else {
            second = second.min(cost);
        }
    }
    (chosen, second)
}

/// The visits above a node, innermost first, each with the child it is visiting.
struct Path<'a> {
    above: Option<&'a Path<'a>>,
    mover: Player,
    children: &'a [ProofNumbers],
    chosen: usize,
}

impl Path<'_> {
    /// The numbers of the root if the chosen child at the end of the path has `numbers`.
    fn root(&self, numbers: ProofNumbers) -> ProofNumbers {
        let fresh = |(index, &child)| if index == self.chosen { numbers } else { child };
        let numbers =
            ProofNumbers::of_parent(self.mover, self.children.iter().enumerate().map(fresh));
        self.above.map_or(numbers, |above| above.root(numbers))
    }
}

impl RootMaxima {
    fn include(&mut self, root: ProofNumbers) {
        let finite = |number| if number == INFINITE { 0 } else { number };
        self.proof = self.proof.max(finite(root.proof));
        self.disproof = self.disproof.max(finite(root.disproof));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(proof: u32, disproof: u32) -> ProofNumbers {
        ProofNumbers { proof, disproof }
    }

    #[test]
    fn thresholds_follow_the_paper() {
        let children = [numbers(4, 2), numbers(2, 5), numbers(3, 1)];
        let node = ProofNumbers::of_parent(Player::Or, children.into_iter());
        assert_eq!(node, numbers(2, 8));
        let or = |thresholds| choose(Player::Or, &children, node, thresholds);
        assert_eq!(or(numbers(10, 20)), (1, numbers(4, 17)));
        assert_eq!(or(numbers(3, 9)), (1, numbers(3, 6)));
        let node = ProofNumbers::of_parent(Player::And, children.into_iter());
        assert_eq!(node, numbers(9, 1));
        let and = |thresholds| choose(Player::And, &children, node, thresholds);
        assert_eq!(and(numbers(20, 10)), (2, numbers(14, 3)));
    }

    #[test]
    fn thresholds_are_above_the_numbers_even_when_saturated() {
        let max = INFINITE - 1;
        let children = [numbers(max, max), numbers(max, max)];
        let node = ProofNumbers::of_parent(Player::Or, children.into_iter());
        let (_, below) = choose(Player::Or, &children, node, ProofNumbers::UNBOUNDED);
        assert_eq!(below, ProofNumbers::UNBOUNDED);
    }

    #[test]
    fn maxima_ignore_infinite_numbers() {
        let mut maxima = RootMaxima::default();
        for root in [numbers(1, 4), numbers(3, 2), ProofNumbers::PROVED] {
            maxima.include(root);
        }
        assert_eq!(maxima, RootMaxima { proof: 3, disproof: 4 });
    }
}
