//! `maximax`: P2's weighted maximax over metapositions of Geister.
//!
//! All squares are seen, so at the root only colours are unknown. In the tree the others' moves are
//! unknown too: after each, a ghost of theirs may be a step further. They never capture there, as in
//! P2; what they may do to the own ghosts is danger, a part of the evaluation. So that hope does not
//! pass for proof, a ghost that they may have captured on its way is not sure to leave.
//!
//! At both ends it proves, as [`careful`](crate::careful) does.

mod meta;
mod taste;

pub use meta::Meta;
pub use taste::Taste;

use crate::prover::{Proved, Prover};
use games::geister::{Game, Move, Standard};
use games::hidden::InformationState;
use geister::tablebase::Tables;
use play::{Player, Thinking};
use search::{Budget, Limits};
use std::time::Instant;

/// Plays by maximax.
pub struct Maximax {
    prover: Prover,
    taste: Taste,
}

impl Maximax {
    /// With this taste and these tables of small endings.
    pub fn new(taste: Taste, tables: &Tables) -> Maximax {
        Maximax { prover: Prover::new(tables), taste }
    }
}

impl Player<Game<Standard>> for Maximax {
    fn choose(&mut self, history: &InformationState<Game>, thinking: &Thinking) -> Move {
        let now = history.now();
        let deadline = Instant::now() + thinking.time.mul_f64(0.9);
        let safe = match self.prover.prove(now, thinking.time / 5) {
            Proved::Win(mv) => return mv,
            Proved::Safe(moves) => moves,
        };
        let taste = &self.taste;
        let alpha = |at: &Meta<'_>| taste.alpha - taste.boldness * at.lead();
        let time = Some(deadline.saturating_duration_since(Instant::now()));
        let limits = Limits { depth: taste.depth, time, ..Limits::default() };
        let from = Meta::new(now, taste);
        let found =
            search::Maximax::new(alpha).deepen_among(&from, safe, &mut Budget::new(&limits));
        found.moves[0].mv
    }
}
