//! What a player is.

use crate::history::History;
use games::geister::{Board, Move, Placement, Standard};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

/// What a player may spend on a move, and its chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thinking {
    /// About so long; a player may take less.
    pub time: Duration,
    /// The seed of the game. Together with the ply it gives the chance of a move.
    pub seed: u64,
}

impl Thinking {
    /// The chance of the move at this ply.
    pub fn chance(&self, ply: u32) -> ChaCha8Rng {
        let mut chance = ChaCha8Rng::seed_from_u64(self.seed);
        chance.set_stream(u64::from(ply));
        chance
    }
}

/// Somebody who plays.
///
/// What it does depends on what it is given and on nothing else: a player keeps nothing of a game
/// that it could not find again in the history. One that searches against the clock may choose
/// another move on another machine.
pub trait Player<B: Board = Standard>: Send {
    /// How it sets up its ghosts.
    fn place(&mut self, thinking: &Thinking) -> Placement<B>;

    /// A legal move in a game that goes on, with the own side to move; in the view of that side,
    /// its home at the bottom.
    fn choose(&mut self, history: &History<B>, thinking: &Thinking) -> Move;
}
