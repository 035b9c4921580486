//! A game as it is kept: everything needed to play it again and to check it.

mod format;
mod json;

pub use format::{FormatError, FormatInfo, Recognition, RecordFormat};
pub use json::{Json, JsonError, game_of_json};

use games::Seat;
use games::hidden::{GameOutcome, HiddenGame, ReplayError};
use std::fmt;

/// A game with its players.
#[derive(Clone, Debug, PartialEq)]
pub struct Record<G: HiddenGame> {
    /// What both players knew before they set up.
    pub start: G::Start,
    /// The set-ups of the first and the second seat.
    pub setups: [G::Setup; 2],
    /// Every action, refused or played, in the coordinates of the first seat.
    pub actions: Vec<G::Action>,
    /// Who played, the first seat first.
    pub players: [String; 2],
    /// The seed it was played with.
    pub seed: u64,
    /// The seat that resigned a game which the rules have not ended.
    pub resigned: Option<Seat>,
}

/// Why a record does not hold together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordError {
    /// An action cannot be applied.
    Action(ReplayError),
    /// A seat resigned a game that was over.
    ResignedAfterTheEnd,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::Action(error) => error.fmt(f),
            RecordError::ResignedAfterTheEnd => {
                f.write_str("a seat resigned after the game was over")
            }
        }
    }
}

impl std::error::Error for RecordError {}

impl<G: HiddenGame> Record<G> {
    /// The true state after all actions, each of them checked.
    ///
    /// # Errors
    /// If the record does not hold together.
    pub fn replay(&self) -> Result<G, RecordError> {
        let mut game = G::begin(&self.start, self.setups);
        for (index, &action) in self.actions.iter().enumerate() {
            let error = |error| RecordError::Action(ReplayError { index, error });
            game.apply(action).map_err(error)?;
        }
        if self.resigned.is_some() && game.outcome().is_some() {
            return Err(RecordError::ResignedAfterTheEnd);
        }
        Ok(game)
    }

    /// The winner by the rules or by resignation, if there is one.
    ///
    /// # Errors
    /// If the record does not hold together.
    pub fn winner(&self) -> Result<Option<Seat>, RecordError> {
        let outcome = self.replay()?.outcome();
        Ok(match self.resigned {
            Some(loser) => Some(loser.opponent()),
            None => outcome.and_then(GameOutcome::winner),
        })
    }
}
