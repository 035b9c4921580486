//! What a player is.

use crate::{Thinking, random_setup};
use games::hidden::{HiddenGame, InformationState};

/// A player of the game `G`.
///
/// What it does depends on what it is given and on nothing else: a player keeps nothing of a game
/// that it could not find again in the information state. One that searches against the clock may
/// choose another action on another machine.
pub trait Player<G: HiddenGame>: Send {
    /// Its set-up for a new game; by default one drawn at random.
    fn set_up(&mut self, start: &G::Start, thinking: &Thinking) -> G::Setup {
        random_setup::<G>(start, &mut thinking.rng(0))
    }

    /// One of the candidates in a game that continues, with the own seat to move. It is in the
    /// coordinates of that seat.
    fn choose(&mut self, information: &InformationState<G>, thinking: &Thinking) -> G::Action;
}
