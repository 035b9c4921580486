//! What a player is.

use crate::history::History;
use common::rng::stream;
use games::geister::{Board, Move, Placement, Standard};
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

/// The time for a move and the seed of its random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thinking {
    /// About so long; a player may take less.
    pub time: Duration,
    /// The seed of the game. Together with the ply it fixes the random numbers of a move.
    pub seed: u64,
}

impl Thinking {
    /// The random numbers for the move at this ply.
    pub fn rng(&self, ply: u32) -> ChaCha8Rng {
        stream(self.seed, u64::from(ply))
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
