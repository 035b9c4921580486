//! `maximax`: P2's weighted maximax over metapositions of Geister.
//!
//! All squares are seen, so at the root only colours are unknown. In the tree the opponent's moves are
//! unknown too: after each, its ghosts may be a step further. They never capture there, as in P2; what
//! they may do to the own ghosts is danger, a part of the evaluation. So that hope does not pass for
//! proof, a ghost that may have been captured on its way is not certain to leave.
//!
//! At both ends it proves, as [`careful`](crate::careful) does.

mod evaluation;
mod metaposition;

pub use evaluation::EvaluationWeights;
pub use metaposition::Metaposition;

use crate::prover::{Proved, Prover};
use games::geister::{Game, Move};
use games::hidden::InformationState;
use geister::tablebase::Tablebase;
use play::{Player, Thinking};
use std::time::Instant;

/// Own moves that are foreseen after the first, if there is time.
const DEPTH: u32 = 3;

/// Plays by maximax.
pub struct Maximax {
    prover: Prover,
    search: play::Maximax<Metaposition, EvaluationWeights>,
}

impl Maximax {
    /// A player with these weights and these tablebases.
    pub fn new(weights: EvaluationWeights, tables: &Tablebase) -> Maximax {
        Maximax { prover: Prover::new(tables), search: play::Maximax::new(weights, DEPTH) }
    }
}

impl Player<Game> for Maximax {
    fn choose(&mut self, information: &InformationState<Game>, thinking: &Thinking) -> Move {
        let now = information.now();
        let deadline = Instant::now() + thinking.time.mul_f64(0.9);
        let safe = match self.prover.prove(now, thinking.time / 5) {
            Proved::Win(mv) => return mv,
            Proved::Safe(moves) => moves,
        };
        let time = deadline.saturating_duration_since(Instant::now());
        self.search.rank(Metaposition::new(now), safe, time)[0].mv
    }
}
