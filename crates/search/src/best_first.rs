//! The best-first search that PNS, MCPNS, PPNS, UCT and MCTS share.
//!
//! Until the root is solved, each iteration selects a leaf, expands it, evaluates its children and
//! backs the changed values up. The [`Method`] defines evaluation, backup and selection.

use crate::and_or::{AndOr, Player, moves_of, result_without_search};
use crate::limits::{Budget, Limits, Stop};
use crate::solve::{Conclusion, Iteration, Solve, Solved};
use std::fmt::Debug;

/// The leaf evaluation, backup rule and selection rule of one best-first algorithm.
///
/// The value of an expanded node is a function of its children's values alone. So a backup can stop
/// at a node that did not change, and a test can recalculate a whole tree.
pub(crate) trait Method {
    /// The value stored in a node.
    type Value: Copy + PartialEq + Debug;

    /// Whether evaluating a leaf takes so long that every iteration must check the clock.
    const SLOW_LEAVES: bool;

    /// The value of the unexpanded root.
    fn initial(&self) -> Self::Value;

    /// The value of a leaf whose result is known without search.
    fn solved(&self, won: bool) -> Self::Value;

    /// The value of any other new leaf, with `remaining` plies to the depth limit.
    fn evaluate_leaf<P: AndOr>(&mut self, position: &P, remaining: u32) -> Self::Value;

    /// The value of an expanded node.
    fn backup(
        &self,
        mover: Player,
        children: impl Iterator<Item = Self::Value> + Clone,
    ) -> Self::Value;

    /// Whether OR wins, if that is proved.
    fn proved(&self, value: Self::Value) -> Option<bool>;

    /// Whether OR wins, if the method is confident enough to end the search without a proof.
    fn believed(&self, _: Self::Value) -> Option<bool> {
        None
    }

    /// The selection priority of `child` below `parent`; the greatest is selected. None if there is
    /// nothing left to search below it, which must not hold for all children of an unsolved node.
    fn priority(&self, mover: Player, parent: Self::Value, child: Self::Value) -> Option<f64>;

    /// The score of the move to `child` for the mover, used to choose the best move.
    fn move_score(&self, mover: Player, child: Self::Value) -> f64;

    /// The estimated probability that OR wins, from 0 to 1.
    fn win_estimate(&self, value: Self::Value) -> f64;

    /// The value of a solved leaf after it is selected again. Methods that never select solved
    /// leaves keep the default.
    fn revisit(&self, leaf: Self::Value) -> Self::Value {
        leaf
    }
}

/// A [`Solve`]r that runs one [`Method`].
pub(crate) trait BestFirst {
    /// The method of one search.
    type Method: Method;

    /// The method for a new search.
    fn method(&self) -> Self::Method;

    /// The bounds of a search within `limits`.
    fn bounds(&self, limits: &Limits) -> Bounds {
        Bounds::of(limits)
    }
}

impl<P: AndOr, S: BestFirst> Solve<P> for S {
    fn solve_observed(
        &mut self,
        position: &P,
        budget: &mut Budget<'_>,
        observer: &mut dyn FnMut(&Iteration<P::Move>),
    ) -> Solved<P::Move> {
        run(self.method(), position, self.bounds(budget.limits()), budget, observer)
    }
}

/// The bounds of one search in addition to its budget.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) depth: u32,
    pub(crate) memory: usize,
    pub(crate) iterations: u64,
}

impl Bounds {
    pub(crate) fn of(limits: &Limits) -> Self {
        Self { depth: limits.depth, memory: limits.memory, iterations: u64::MAX }
    }
}

/// Searches `position` until the method concludes or a limit is hit. Running out of iterations
/// counts as running out of nodes.
pub(crate) fn run<P: AndOr, M: Method>(
    method: M,
    position: &P,
    bounds: Bounds,
    budget: &mut Budget<'_>,
    observer: &mut dyn FnMut(&Iteration<P::Move>),
) -> Solved<P::Move> {
    if let Some(won) = result_without_search(position, bounds.depth) {
        return Solved::without_search(Conclusion::proof(won));
    }
    let mut tree = match Tree::new(method, position, bounds) {
        Ok(tree) => tree,
        Err(stop) => return Solved::without_search(Conclusion::Unknown(stop)),
    };
    let conclusion = loop {
        if let Some(conclusion) = tree.conclusion() {
            break conclusion;
        }
        if let Err(stop) = tree.iterate(budget) {
            break Conclusion::Unknown(stop);
        }
        observer(&tree.state());
    };
    Solved { conclusion, last: tree.state() }
}

/// A node of the tree. Its position is not stored but replayed on the way down.
#[derive(Debug)]
struct Node<M, V> {
    /// The move that led here; none led to the root.
    last: Option<M>,
    value: V,
    /// Index of the first child; the others follow it.
    first: u32,
    /// How many children there are; none before the node is expanded.
    children: u32,
}

impl<M, V> Node<M, V> {
    fn leaf(last: Option<M>, value: V) -> Self {
        Self { last, value, first: 0, children: 0 }
    }

    fn children(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.children) as usize
    }
}

/// The tree, its root at index 0, and the path to the current node.
struct Tree<P: AndOr, M: Method> {
    method: M,
    nodes: Vec<Node<P::Move, M::Value>>,
    capacity: usize,
    path: Vec<(usize, P)>,
    bounds: Bounds,
    iterations: u64,
}

impl<P: AndOr, M: Method> Tree<P, M> {
    /// A tree with an unexpanded root. All memory is reserved here, so that the tree never moves.
    fn new(method: M, position: &P, bounds: Bounds) -> Result<Self, Stop> {
        let size = size_of::<Node<P::Move, M::Value>>();
        let capacity = (bounds.memory / size).min(u32::MAX as usize);
        let mut nodes = Vec::new();
        nodes.try_reserve_exact(capacity).map_err(|_| Stop::Memory)?;
        let (root, path) = (Node::leaf(None, method.initial()), vec![(0, position.clone())]);
        let mut tree = Self { method, nodes, capacity, path, bounds, iterations: 0 };
        tree.check_room(1)?;
        tree.nodes.push(root);
        Ok(tree)
    }

    /// The conclusion about the root, if the search can end with it.
    fn conclusion(&self) -> Option<Conclusion> {
        let root = self.nodes[0].value;
        let proof = self.method.proved(root).map(Conclusion::proof);
        proof.or_else(|| self.method.believed(root).map(Conclusion::Believed))
    }

    /// The current state of the search.
    fn state(&self) -> Iteration<P::Move> {
        let mover = self.path[0].1.to_move();
        let move_score = |child: usize| self.method.move_score(mover, self.nodes[child].value);
        let best = first_max(self.nodes[0].children(), |child| Some(move_score(child)));
        Iteration {
            number: self.iterations,
            nodes: self.nodes.len(),
            win_estimate: self.method.win_estimate(self.nodes[0].value),
            best: best.and_then(|child| self.nodes[child].last),
        }
    }

    /// One iteration: selection, expansion, evaluation, backup.
    fn iterate(&mut self, budget: &mut Budget<'_>) -> Result<(), Stop> {
        if self.iterations >= self.bounds.iterations {
            return Err(Stop::Nodes);
        }
        if M::SLOW_LEAVES {
            budget.check()?;
        }
        self.descend();
        budget.count()?;
        self.grow()?;
        self.update();
        self.iterations += 1;
        Ok(())
    }

    /// The current node and its position.
    fn current(&self) -> (usize, &P) {
        let (node, position) = self.path.last().expect("the path always holds the root");
        (*node, position)
    }

    /// Selection: continues from the current node to the leaf with the highest priority.
    fn descend(&mut self) {
        while let Some(next) = self.best_child() {
            self.path.push(next);
        }
    }

    fn best_child(&self) -> Option<(usize, P)> {
        let (node, position) = self.current();
        let (mover, parent) = (position.to_move(), self.nodes[node].value);
        let priority = |child: usize| self.method.priority(mover, parent, self.nodes[child].value);
        let child = first_max(self.nodes[node].children(), priority)?;
        Some((child, position.play(self.nodes[child].last?)))
    }

    /// Expands the current leaf. A solved leaf is revisited instead; it is never the root, so the
    /// backup begins at its parent.
    fn grow(&mut self) -> Result<(), Stop> {
        let node = self.current().0;
        let value = self.nodes[node].value;
        if self.method.proved(value).is_none() {
            return self.expand();
        }
        self.nodes[node].value = self.method.revisit(value);
        self.path.pop();
        Ok(())
    }

    /// Adds the children of the current leaf and evaluates them.
    fn expand(&mut self) -> Result<(), Stop> {
        let moves = moves_of(self.current().1);
        self.check_room(moves.len())?;
        let remaining = self.bounds.depth - self.path.len() as u32;
        let node = self.current().0;
        self.nodes[node].first = self.nodes.len() as u32;
        self.nodes[node].children = moves.len() as u32;
        for m in moves {
            let child = self.current().1.play(m);
            let value = match result_without_search(&child, remaining) {
                Some(won) => self.method.solved(won),
                None => self.method.evaluate_leaf(&child, remaining),
            };
            self.nodes.push(Node::leaf(Some(m), value));
        }
        Ok(())
    }

    /// Fails if `more` nodes do not fit into the tree's memory.
    fn check_room(&self, more: usize) -> Result<(), Stop> {
        if self.nodes.len() + more <= self.capacity { Ok(()) } else { Err(Stop::Memory) }
    }

    /// Backup: recalculates the values from the current node upwards. Below a node that did not
    /// change, selection would find the same leaf again, so the path ends there; else at the root.
    fn update(&mut self) {
        loop {
            let (node, position) = self.current();
            let value = self.backed_up_value(node, position.to_move());
            let unchanged = self.nodes[node].value == value;
            self.nodes[node].value = value;
            if unchanged || self.path.len() == 1 {
                return;
            }
            self.path.pop();
        }
    }

    /// The value of an expanded node, calculated from its children.
    fn backed_up_value(&self, node: usize, mover: Player) -> M::Value {
        let children = self.nodes[node].children().map(|child| self.nodes[child].value);
        self.method.backup(mover, children)
    }
}

/// The first index with the greatest score; indices without a score are skipped. NaN, which
/// settings out of range can cause, is less than any number.
fn first_max(
    of: impl Iterator<Item = usize>,
    score: impl Fn(usize) -> Option<f64>,
) -> Option<usize> {
    let scored = of.filter_map(|index| Some((index, score(index)?)));
    let better = |a: (usize, f64), b: (usize, f64)| if b.1 > a.1 || a.1.is_nan() { b } else { a };
    Some(scored.reduce(better)?.0)
}

/// Whether OR wins, as proved by the children's results: the mover needs one success, its opponent
/// needs all.
pub(crate) fn proved_by(
    mover: Player,
    children: impl Iterator<Item = Option<bool>>,
) -> Option<bool> {
    let success = mover == Player::Or;
    let mut proved = Some(!success);
    for child in children {
        match child {
            Some(won) if won == success => return Some(success),
            Some(_) => {}
            None => proved = None,
        }
    }
    proved
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcpns::PlayoutLeaves;
    use crate::playout::{PlayoutRunner, Playouts};
    use crate::pns::UnitLeaves;
    use crate::ppns::PpnsMethod;
    use crate::uct::UctMethod;

    /// OR counts down one by one and wins at zero.
    #[derive(Clone)]
    struct Countdown(u32);

    impl AndOr for Countdown {
        type Move = ();
        fn to_move(&self) -> Player {
            Player::Or
        }
        fn decided(&self) -> Option<bool> {
            (self.0 == 0).then_some(true)
        }
        fn moves(&self, out: &mut Vec<()>) {
            out.push(());
        }
        fn play(&self, (): ()) -> Self {
            Self(self.0 - 1)
        }
        fn key(&self) -> u64 {
            self.0.into()
        }
    }

    /// A binary tree of hashes, `left` plies high; the sides move in random order.
    #[derive(Clone)]
    struct Hashed {
        node: u64,
        left: u32,
    }

    impl AndOr for Hashed {
        type Move = u64;
        fn to_move(&self) -> Player {
            if self.node & 2 == 0 { Player::Or } else { Player::And }
        }
        fn decided(&self) -> Option<bool> {
            (self.left == 0 || self.node.is_multiple_of(11)).then_some(self.node & 1 == 0)
        }
        fn moves(&self, out: &mut Vec<u64>) {
            out.extend(0..1 + self.node % 4);
        }
        fn play(&self, m: u64) -> Self {
            Self { node: common::rng::hash64(self.node ^ m), left: self.left - 1 }
        }
        fn key(&self) -> u64 {
            self.node
        }
    }

    fn bounds(depth: u32, memory: usize) -> Bounds {
        Bounds { depth, memory, iterations: u64::MAX }
    }

    fn runner() -> PlayoutRunner {
        PlayoutRunner::new(Playouts { per_leaf: 3, length: 9, seed: 5 })
    }

    fn stays_within_its_memory<M: Method>(method: impl Fn() -> M) {
        let node = size_of::<Node<(), M::Value>>();
        for memory in 0..20 * node {
            let Ok(mut tree) = Tree::new(method(), &Countdown(1000), bounds(1000, memory)) else {
                assert!(memory < node);
                continue;
            };
            let mut budget = Budget::new(&Limits::default());
            while tree.iterate(&mut budget).is_ok() {
                assert!(tree.nodes.capacity() * node <= memory);
            }
            assert_eq!(tree.nodes.len(), memory / node);
            assert_eq!(tree.iterate(&mut budget), Err(Stop::Memory));
        }
    }

    #[test]
    fn the_tree_stays_within_its_memory() {
        stays_within_its_memory(|| UnitLeaves);
        stays_within_its_memory(|| PlayoutLeaves(runner()));
        stays_within_its_memory(|| PpnsMethod { runner: runner(), theta: 0.01, precision: 0.0 });
        for proving in [true, false] {
            stays_within_its_memory(|| UctMethod { runner: runner(), exploration: 1.0, proving });
        }
    }

    #[test]
    fn the_path_ends_at_the_first_unchanged_node() {
        let mut tree = Tree::new(UnitLeaves, &Countdown(9), bounds(9, 1 << 10)).unwrap();
        let mut budget = Budget::new(&Limits::default());
        for expanded in 1..9 {
            tree.iterate(&mut budget).unwrap();
            assert_eq!(tree.path.len(), expanded);
        }
        assert_eq!(tree.conclusion(), None);
    }

    /// The slow twin of `update`: the value of a node by all that is below it.
    fn recalculated<P: AndOr, M: Method>(tree: &Tree<P, M>, node: usize, position: &P) -> M::Value {
        if tree.nodes[node].children().is_empty() {
            return tree.nodes[node].value;
        }
        let below = |child: usize| {
            let m = tree.nodes[child].last.unwrap();
            recalculated(tree, child, &position.play(m))
        };
        let children: Vec<_> = tree.nodes[node].children().map(below).collect();
        tree.method.backup(position.to_move(), children.into_iter())
    }

    fn values_are_up_to_date<M: Method>(method: impl Fn() -> M) {
        for seed in 0..200 {
            let root = Hashed { node: common::rng::hash64(seed), left: 6 };
            if root.decided().is_some() {
                continue;
            }
            let mut tree = Tree::new(method(), &root, bounds(99, 1 << 20)).unwrap();
            let mut budget = Budget::new(&Limits::default());
            while tree.conclusion().is_none() && tree.iterations < 60 {
                tree.iterate(&mut budget).unwrap();
                assert_eq!(recalculated(&tree, 0, &root), tree.nodes[0].value);
            }
        }
    }

    #[test]
    fn the_root_is_always_up_to_date() {
        values_are_up_to_date(|| UnitLeaves);
        values_are_up_to_date(|| PlayoutLeaves(runner()));
        values_are_up_to_date(|| PpnsMethod { runner: runner(), theta: 0.01, precision: 0.0 });
        for proving in [true, false] {
            values_are_up_to_date(|| UctMethod { runner: runner(), exploration: 1.0, proving });
        }
    }

    #[test]
    fn the_first_of_equal_scores_is_chosen() {
        let scores = [None, Some(f64::NAN), Some(1.0), Some(3.0), Some(f64::NAN), Some(3.0)];
        let among = |indices| first_max(indices, |index| scores[index]);
        assert_eq!([among(0..6), among(0..2), among(0..1)], [Some(3), Some(1), None]);
    }

    #[test]
    fn a_proof_needs_one_success_or_every_failure() {
        let by = |mover, children: &[Option<bool>]| proved_by(mover, children.iter().copied());
        let (won, lost) = (Some(true), Some(false));
        assert_eq!(by(Player::Or, &[lost, None, won]), won);
        assert_eq!(by(Player::Or, &[lost, None]), None);
        assert_eq!(by(Player::Or, &[lost, lost]), lost);
        assert_eq!(by(Player::And, &[won, None, lost]), lost);
        assert_eq!(by(Player::And, &[won, None]), None);
        assert_eq!(by(Player::And, &[won, won]), won);
    }
}
