//! The recorded numbers of the root against their slow twin: after every expansion, the numbers
//! of the whole tree as far as it is expanded, calculated anew.

use crate::agreement::trees;
use crate::toys::Tree;
use proptest::prelude::*;
use search::{AndOr, Budget, DepthSearch, DfPn, Limits, Player, RootMaxima};
use std::cell::RefCell;
use std::collections::HashSet;

const INFINITE: u64 = u64::MAX;

/// A tree that keeps a log of the nodes whose moves were asked for.
#[derive(Clone)]
struct Logged<'a> {
    tree: Tree,
    log: &'a RefCell<Vec<u64>>,
}

impl AndOr for Logged<'_> {
    type Move = u64;
    fn to_move(&self) -> Player {
        self.tree.to_move()
    }
    fn decided(&self) -> Option<bool> {
        self.tree.decided()
    }
    fn moves(&self, out: &mut Vec<u64>) {
        self.log.borrow_mut().push(self.tree.node);
        self.tree.moves(out);
    }
    fn play(&self, m: u64) -> Self {
        Self { tree: self.tree.play(m), log: self.log }
    }
    fn key(&self) -> u64 {
        self.tree.key()
    }
}

/// Proof and disproof number of a node in the tree expanded so far.
fn numbers(tree: &Tree, remaining: u32, expanded: &HashSet<u64>) -> (u64, u64) {
    match tree.decided() {
        Some(true) => return (0, INFINITE),
        Some(false) => return (INFINITE, 0),
        None if remaining == 0 => return (INFINITE, 0),
        None if !expanded.contains(&tree.node) => return (1, 1),
        None => {}
    }
    let mut moves = Vec::new();
    tree.moves(&mut moves);
    let children: Vec<(u64, u64)> =
        moves.iter().map(|&m| numbers(&tree.play(m), remaining - 1, expanded)).collect();
    let least = |of: fn(&(u64, u64)) -> u64| children.iter().map(of).min().unwrap_or(INFINITE);
    let sum = |of: fn(&(u64, u64)) -> u64| children.iter().map(of).fold(0, u64::saturating_add);
    match tree.to_move() {
        Player::Or => (least(|n| n.0), sum(|n| n.1)),
        Player::And => (sum(|n| n.0), least(|n| n.1)),
    }
}

fn maxima(tree: &Tree, depth: u32, log: &[u64]) -> RootMaxima {
    let mut expanded = HashSet::new();
    let mut maxima = RootMaxima::default();
    if !log.is_empty() {
        maxima = RootMaxima { proof: 1, disproof: 1 };
    }
    for &node in log {
        expanded.insert(node);
        let (proof, disproof) = numbers(tree, depth, &expanded);
        let finite = |number| if number == INFINITE { 0 } else { number as u32 };
        maxima.proof = maxima.proof.max(finite(proof));
        maxima.disproof = maxima.disproof.max(finite(disproof));
    }
    maxima
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn recorded_maxima_are_those_of_the_expanded_tree(tree in trees(), depth in 0..6_u32) {
        let log = RefCell::default();
        let mut dfpn = DfPn::new(16 << 20).recording_root();
        let mut budget = Budget::new(&Limits::default());
        let position = Logged { tree: tree.clone(), log: &log };
        prop_assert!(dfpn.prove(&position, depth, &mut budget).is_ok());
        prop_assert_eq!(dfpn.root_maxima(), Some(maxima(&tree, depth, &log.borrow())));
    }
}
