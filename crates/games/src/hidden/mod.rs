//! Games of hidden information: the true state, and what each player may know of it.
//!
//! The words are those of the literature on imperfect information:
//!
//! * A [`HiddenGame`] is the **true state**. Players never get it.
//! * An **observation** ([`HiddenGame::Observation`]) is what a seat sees at one moment. It may
//!   forget.
//! * An [`InformationState`] is all that a seat has observed since the start, in order: perfect
//!   recall. Everything a player does must be a function of it.
//! * An [`ObservedGame`] is a true state with the information states of both seats.
//! * **Candidates** ([`HiddenGame::candidates`]) are the actions that may be legal as far as the
//!   seat knows.
//! * [`Resample`] draws true states that agree with an information state.
//! * A [`Metaposition`] folds all possible states into one position; [`Foresight`] makes it
//!   searchable.
//!
//! They are several small traits, so that a game implements only what it has. The laws that
//! instances must keep are tested by `tests/conformance/hidden.rs`.

mod foresight;
mod game;
mod information_state;
mod metaposition;
mod observed_game;
mod outcome;
mod resample;
mod setup;

pub use foresight::Foresight;
pub use game::{ActionError, HiddenGame, Reply, Step};
pub use information_state::{InformationState, Perceived, ReplayError};
pub use metaposition::Metaposition;
pub use observed_game::ObservedGame;
pub use outcome::GameOutcome;
pub use resample::Resample;
pub use setup::{NoSetup, SetupTextError};
