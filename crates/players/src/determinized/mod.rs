//! `determinized`: information-set Monte-Carlo tree search with a single observer (Cowling, Powley
//! and Whitehouse 2012).
//!
//! Each iteration draws a colouring of the others' ghosts, as likely as it is believed
//! ([`Belief`]), and walks down one tree with it. The tree is that of what the own side sees: a step
//! is one edge whatever the colours are, with a child for each colour that a capture shows. Leaving
//! is open to the others only where the drawn colours allow it, so an edge counts how often it was
//! there to be chosen, and the choice goes by that count (the paper's UCB with availability). One
//! node is added, a short playout and then the learned model say what it is worth, and all edges on
//! the way learn of it.
//!
//! The others in the tree choose as if they saw the own colours, a weakness of the single observer
//! that the paper names: it does not bluff. At both ends it proves, as
//! [`careful`](crate::careful) does.

mod tree;
mod world;

use crate::history::History;
use crate::learned::belief::Belief;
use crate::learned::{View, Weights};
use crate::player::{Player, Thinking};
use crate::prover::{Proved, Prover};
use crate::random::any_placement;
use games::geister::{Move, Placement, Standard};
use geister::tablebase::Tables;
use std::sync::Arc;
use std::time::Instant;
use tree::Tree;
use world::World;

/// What it is worth where the tree ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// What the learned model says.
    Model,
    /// What comes of so many plies of chance, in which everybody leaves who can; then what the model
    /// says.
    Playout(u32),
}

/// How it searches; docs/results/searchers.md has the matches behind the default.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// How much it looks at what it has hardly tried.
    pub curiosity: f32,
    /// How leaves are judged.
    pub leaf: Leaf,
    /// Iterations, however little time there is.
    pub least: u32,
    /// Iterations, however much time there is.
    pub most: u32,
    /// Nodes that are kept; then the tree grows no more.
    pub nodes: usize,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan { curiosity: 0.4, leaf: Leaf::Playout(8), least: 100, most: u32::MAX, nodes: 1 << 16 }
    }
}

/// Plays by that.
pub struct Determinized {
    prover: Prover,
    weights: Arc<Weights>,
    plan: Plan,
}

impl Determinized {
    /// With these weights, this plan and these tables of small endings.
    pub fn new(weights: Arc<Weights>, plan: Plan, tables: &Tables) -> Determinized {
        Determinized { prover: Prover::new(tables), weights, plan }
    }
}

impl Player<Standard> for Determinized {
    fn place(&mut self, thinking: &Thinking) -> Placement<Standard> {
        any_placement(&mut thinking.rng(0))
    }

    fn choose(&mut self, history: &History, thinking: &Thinking) -> Move {
        let now = history.now();
        let deadline = Instant::now() + thinking.time.mul_f64(0.9);
        let safe = match self.prover.prove(now, thinking.time / 5) {
            Proved::Win(mv) => return mv,
            Proved::Safe(moves) => moves,
        };
        if safe.len() == 1 {
            return safe[0];
        }
        let belief = Belief::of(history, &self.weights);
        let mut tree = Tree::new(&self.weights, &self.plan, &safe);
        let mut rng = thinking.rng(now.ply());
        let view = View::new(now);
        let mut done = 0;
        while done < self.plan.least || (done < self.plan.most && Instant::now() < deadline) {
            let world = World { view, blue: belief.draw(&mut rng) };
            tree.iterate(world, &mut rng);
            done += 1;
        }
        tree.most_visited().unwrap_or(safe[0])
    }
}
