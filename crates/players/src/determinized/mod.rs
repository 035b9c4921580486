//! `determinized`: information-set Monte-Carlo tree search with a single observer (Cowling, Powley
//! and Whitehouse 2012).
//!
//! Each iteration draws a determinization, a colouring of the opponent's pieces, from the posterior
//! ([`Belief`]) and descends one tree with it. Its nodes are the information sets of the own side: a
//! step is one edge whatever the colours are, with a child for each colour that a capture reveals.
//! The opponent can leave the board only where the drawn colours allow it, so an edge counts how
//! often it was available, and the selection uses that count (the paper's UCB with availability).
//! The iteration adds one node, evaluates it by a short playout and then the learned model, and backs
//! the value up.
//!
//! The opponent in the tree chooses as if it saw the own colours, a weakness of the single observer
//! that the paper names: it does not bluff. At both ends it proves, as
//! [`careful`](crate::careful) does.

mod determinization;
mod tree;

use crate::learned::Weights;
use crate::learned::belief::Belief;
use crate::prover::{Proved, Prover};
use games::geister::{Game, Move};
use games::hidden::InformationState;
use geister::state::State;
use geister::tablebase::Tablebase;
use play::{Player, Thinking};
use std::sync::Arc;
use std::time::Instant;
use tree::Tree;

/// How a new node is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// By the learned model.
    Model,
    /// By that many random plies, in which a piece that can leave the board does, and then by the
    /// learned model.
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
    pub fn new(weights: Arc<Weights>, plan: Plan, tables: &Tablebase) -> Determinized {
        Determinized { prover: Prover::new(tables), weights, plan }
    }
}

impl Player<Game> for Determinized {
    fn choose(&mut self, history: &InformationState<Game>, thinking: &Thinking) -> Move {
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
        let state = State::from(now);
        let mut done = 0;
        while done < self.plan.least || (done < self.plan.most && Instant::now() < deadline) {
            tree.iterate(state.revealed(belief.draw(&mut rng)), &mut rng);
            done += 1;
        }
        tree.most_visited().unwrap_or(safe[0])
    }
}
