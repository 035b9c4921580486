//! A game together with what both seats have observed of it.

use super::{ActionError, HiddenGame, InformationState, Reply};
use crate::Seat;

/// The true state of a game, and the information states of both seats since its start.
#[derive(Clone, PartialEq, Debug)]
pub struct ObservedGame<G: HiddenGame> {
    state: G,
    information: [InformationState<G>; 2],
}

impl<G: HiddenGame> ObservedGame<G> {
    /// A new game with the set-ups of the first and the second seat.
    pub fn begin(start: &G::Start, setups: [G::Setup; 2]) -> ObservedGame<G> {
        let state = G::begin(start, setups);
        ObservedGame { information: InformationState::both(start, &state), state }
    }

    /// The true state.
    pub const fn state(&self) -> &G {
        &self.state
    }

    /// What the first and the second seat have observed.
    pub const fn information(&self) -> &[InformationState<G>; 2] {
        &self.information
    }

    /// What a seat has observed.
    pub const fn of(&self, seat: Seat) -> &InformationState<G> {
        &self.information[seat.index()]
    }

    /// Applies an action of the seat to move, in the coordinates of the first seat, and lets both
    /// seats observe it.
    ///
    /// # Errors
    ///
    /// As [`HiddenGame::apply`]; nothing is changed then.
    pub fn apply(&mut self, action: G::Action) -> Result<Reply, ActionError> {
        let step = self.state.apply(action)?;
        for (information, event) in self.information.iter_mut().zip(step.perceived) {
            information.extend(event, &self.state);
        }
        Ok(step.reply)
    }
}
