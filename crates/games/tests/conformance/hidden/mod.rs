//! The laws of games of hidden information, for every instance of the traits in `games::hidden`.
//!
//! Random games are played. After every step, for both seats:
//!
//! 1. observations are sound: states that differ only in what the seat cannot see give it equal
//!    observations, equal information states and equal candidates;
//! 2. they are complete: every legal action is a candidate, and a refused try changes nothing but
//!    what its own seat knows;
//! 3. what is resampled agrees with everything observed, and (in `reach`) nothing that agrees is
//!    out of reach;
//! 4. the metaposition contains the truth and everything resampled;
//! 5. actions and set-ups read as they are written.

mod geister;
mod kriegspiel;
mod laws;
mod phantom_tic_tac_toe;
mod playthrough;
mod reach;

use games::hidden::{HiddenGame, InformationState, Metaposition, Resample};

/// The history of a state: set-ups of both seats, and all actions.
pub(crate) type Line<G> = ([<G as HiddenGame>::Setup; 2], Vec<<G as HiddenGame>::Action>);

/// A game of hidden information that is examined.
pub(crate) trait Subject: HiddenGame + Resample {
    type Folded: Metaposition<Self>;

    /// Random games to play, from each start alike.
    const GAMES: usize;
    /// Steps after which a random game is left.
    const MAX_STEPS: usize;

    fn starts() -> Vec<Self::Start>;

    /// All of the board, as lines of text.
    fn truth(&self) -> String;

    /// What a seat sees, as lines of text.
    fn view(observation: &Self::Observation) -> String;

    /// A history that leads from the start to this state, which was drawn for `information`.
    fn line(&self, information: &InformationState<Self>) -> Line<Self>;
}
