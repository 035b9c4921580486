//! What a player of Kriegspiel is.

use crate::player::Thinking;
use games::hidden::InformationState;
use games::kriegspiel::{Event, Game, Metaposition, Try};

/// Somebody who plays Kriegspiel.
///
/// What it does depends on what it is given and on nothing else: a player keeps nothing of a game
/// that it could not find again in its information state. One that searches against the clock may try
/// something else on another machine.
pub trait Player: Send {
    /// The next try in a game that goes on, with the own side to move, none that was refused in
    /// this turn already.
    fn choose(&mut self, information: &InformationState<Game>, thinking: &Thinking) -> Try;
}

/// What a side that knew `start` knows after these events.
pub fn knowledge<'a>(
    start: &Metaposition,
    events: impl IntoIterator<Item = &'a Event>,
) -> Metaposition {
    events.into_iter().fold(start.clone(), |known, event| known.after(event))
}
