//! Proof-number search (Allis 1994): best-first, with the whole tree in memory.
//!
//! Until the root is solved: go down to the most-proving node, expand it, and carry the changed
//! numbers up. The tree ends at the depth limit, where an undecided position counts as no win.

use crate::and_or::{AndOr, known, moves_of};
use crate::deepening::DepthSearch;
use crate::limits::{Budget, Stop};
use crate::numbers::Numbers;

/// Best-first proof-number search in a tree of bounded size.
///
/// Transpositions are searched anew; nothing is kept from one call to the next. When the tree has
/// filled its memory the search ends with [`Stop::Memory`]. Besides the tree there is only the
/// path from the root, one position per ply.
#[derive(Debug)]
pub struct Pns {
    memory: usize,
}

impl Pns {
    /// A search whose tree takes at most `memory` bytes.
    #[must_use]
    pub fn new(memory: usize) -> Self {
        Self { memory }
    }
}

impl<P: AndOr> DepthSearch<P> for Pns {
    fn prove(&mut self, position: &P, depth: u32, budget: &mut Budget<'_>) -> Result<bool, Stop> {
        if let Some(won) = known(position, depth) {
            return Ok(won);
        }
        let mut tree = Tree::new(position, depth, self.memory)?;
        loop {
            if let Some(won) = tree.value() {
                return Ok(won);
            }
            tree.descend();
            budget.count()?;
            tree.expand()?;
            tree.update();
        }
    }
}

/// A node of the tree. Its position is not stored but replayed on the way down.
#[derive(Debug)]
struct Node<M> {
    /// The move that led here; none led to the root.
    last: Option<M>,
    numbers: Numbers,
    /// Index of the first child; the others follow it.
    first: u32,
    /// How many children there are; none before the node is expanded.
    children: u32,
}

impl<M> Node<M> {
    fn leaf(last: Option<M>, numbers: Numbers) -> Self {
        Self { last, numbers, first: 0, children: 0 }
    }

    fn children(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.children) as usize
    }
}

/// The tree, its root at index 0, and the path to the current node.
struct Tree<P: AndOr> {
    nodes: Vec<Node<P::Move>>,
    capacity: usize,
    path: Vec<(usize, P)>,
    depth: u32,
}

impl<P: AndOr> Tree<P> {
    /// The unexpanded root. All memory is reserved now, so that the tree never moves.
    fn new(position: &P, depth: u32, memory: usize) -> Result<Self, Stop> {
        let capacity = (memory / size_of::<Node<P::Move>>()).min(u32::MAX as usize);
        let mut nodes = Vec::new();
        nodes.try_reserve_exact(capacity).map_err(|_| Stop::Memory)?;
        let path = vec![(0, position.clone())];
        let mut tree = Self { nodes, capacity, path, depth };
        tree.check_room(1)?;
        tree.nodes.push(Node::leaf(None, Numbers::OPEN));
        Ok(tree)
    }

    /// The value of the root, once solved.
    fn value(&self) -> Option<bool> {
        self.nodes[0].numbers.value()
    }

    /// The current node and its position.
    fn current(&self) -> (usize, &P) {
        let (node, position) = self.path.last().expect("the path always holds the root");
        (*node, position)
    }

    /// Goes on from the current node to the most-proving node, a leaf.
    fn descend(&mut self) {
        while let Some(next) = self.most_proving_child() {
            self.path.push(next);
        }
    }

    /// The first child that is as cheap for the mover as the current node itself.
    fn most_proving_child(&self) -> Option<(usize, P)> {
        let (node, position) = self.current();
        let mover = position.to_move();
        let cost = |index: usize| self.nodes[index].numbers.seen_by(mover).proof;
        let child = self.nodes[node].children().min_by_key(|&child| cost(child))?;
        Some((child, position.play(self.nodes[child].last?)))
    }

    /// Gives the current leaf its children, solving those whose value is known.
    fn expand(&mut self) -> Result<(), Stop> {
        let (node, position) = self.current();
        let moves = moves_of(position);
        self.check_room(moves.len())?;
        let remaining = self.depth - self.path.len() as u32;
        let leaf = |m| {
            let value = known(&position.play(m), remaining);
            Node::leaf(Some(m), value.map_or(Numbers::OPEN, Numbers::solved))
        };
        let children: Vec<_> = moves.into_iter().map(leaf).collect();
        self.nodes[node].first = self.nodes.len() as u32;
        self.nodes[node].children = children.len() as u32;
        self.nodes.extend(children);
        Ok(())
    }

    /// Whether there is room for so many more nodes.
    fn check_room(&self, more: usize) -> Result<(), Stop> {
        if self.nodes.len() + more <= self.capacity { Ok(()) } else { Err(Stop::Memory) }
    }

    /// Recalculates the numbers from the current node upwards. Where they did not change, the
    /// most-proving node is still below, so the path ends there; else it ends at the root.
    fn update(&mut self) {
        loop {
            let (node, position) = self.current();
            let children = self.nodes[node].children().map(|child| self.nodes[child].numbers);
            let numbers = Numbers::of_parent(position.to_move(), children);
            let unchanged = self.nodes[node].numbers == numbers;
            self.nodes[node].numbers = numbers;
            if unchanged || self.path.len() == 1 {
                return;
            }
            self.path.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::and_or::Player;

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

    #[test]
    fn the_tree_stays_within_its_memory() {
        let node = size_of::<Node<()>>();
        for memory in 0..20 * node {
            let Ok(mut tree) = Tree::new(&Countdown(1000), 1000, memory) else {
                assert!(memory < node);
                continue;
            };
            loop {
                assert!(tree.nodes.capacity() * node <= memory);
                tree.descend();
                if tree.expand().is_err() {
                    break;
                }
                tree.update();
            }
            assert_eq!(tree.nodes.len(), memory / node);
        }
    }

    #[test]
    fn the_path_waits_where_nothing_changed() {
        let mut tree = Tree::new(&Countdown(9), 9, 1 << 10).unwrap();
        for expanded in 1..9 {
            tree.descend();
            tree.expand().unwrap();
            tree.update();
            assert_eq!(tree.path.len(), expanded);
        }
        assert_eq!(tree.value(), None);
    }
}
