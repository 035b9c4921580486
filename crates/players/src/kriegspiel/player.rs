//! What a player of Kriegspiel is.

use crate::player::Thinking;
use games::kriegspiel::{Metaposition, Observation, Try};

/// Somebody who plays Kriegspiel.
///
/// What it does depends on what it is given and on nothing else: a player keeps nothing of a game
/// that it could not find again in its observation. One that searches against the clock may try
/// something else on another machine.
pub trait Player: Send {
    /// The next try in a game that goes on, with the own side to move, none that was refused in
    /// this turn already. `start` is what the side knew when the game began.
    fn choose(&mut self, seen: &Observation<'_>, start: &Metaposition, thinking: &Thinking) -> Try;
}

/// What a side that knew `start` knows after all it has lived through since.
pub fn knowledge(seen: &Observation<'_>, start: &Metaposition) -> Metaposition {
    seen.events.iter().fold(start.clone(), |known, event| known.after(event))
}
