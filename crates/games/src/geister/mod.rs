//! Geister, the ghost game: blue ghosts want to leave the board, red ones want to be caught, and
//! neither side sees the colours of its opponent.
//!
//! Two views of one game live here:
//!
//! * [`Game`] is the game as people play it: the true colours of both sides, what each side may
//!   see of it ([`Observation`]), captured ghosts, and a draw limit.
//! * [`Position`] is the *purple* position of the puzzles: what the bottom side knows, with every
//!   hidden ghost taken at its worst, red when it is captured and blue when it leaves. That makes
//!   the information perfect, so that a position can be proved won.
//!
//! Both are generic over the [`Board`]: [`Standard`] is the 6x6 board of the shop, [`Small`] the
//! 4x5 board of Tomoda and Hasebe (2023), [`FiveByFive`] one between the two.
//!
//! ```
//! use games::geister::Position;
//!
//! let position: Position = "6/4u1/B5/6/6/Ru4 1".parse()?;
//! assert_eq!(position.compact(), "..........u.B.................Ru.... 1");
//! assert_eq!(position.legal_moves().len(), 5);
//! # Ok::<(), games::geister::TextError>(())
//! ```

mod board;
mod game;
mod hidden;
mod key;
mod moves;
mod observation;
mod outcome;
mod position;
mod setup;
mod symmetry;
mod text;

pub use board::{Bitboard, Board, FiveByFive, Small, Square, Standard, Steps};
pub use game::{Army, Game, Placement, PlacementError};
pub use hidden::DrawLimit;
pub use key::ghost_keys;
pub use moves::{Move, MoveTextError};
pub use observation::{Observation, ObservationError, ObservationParts};
pub use outcome::{Outcome, Reason, side_name};
pub use position::{Count, Position, purple_outcome};
pub use setup::{Ghost, Refusal, RefusedSetup, Setup};
pub use text::{LineError, TextError};
