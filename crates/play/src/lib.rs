//! Players, matches and records of any game of hidden information. No game is named here: all is
//! generic over [`HiddenGame`](games::hidden::HiddenGame).
//!
//! * A [`Player`] gets its information state, a seed and a time, and nothing else. So no player
//!   can cheat, every game can be repeated, and a game continues from its record.
//! * [`mod@matches`] plays many games between two players; [`elo`] rates the result.
//! * A [`Record`] keeps a game; a [`RecordFormat`](record::RecordFormat) writes it as text.
//! * [`mod@review`] looks at a finished game for either seat.
//! * A [`Roster`] makes players by name.
//! * [`Random`], [`Determinized`] and [`Maximax`] play every game that has what they need.

#![forbid(unsafe_code)]

pub mod determinized;
pub mod elo;
pub mod matches;
pub mod maximax;
mod player;
mod random;
pub mod record;
pub mod review;
mod roster;
mod thinking;

pub use determinized::Determinized;
pub use maximax::Maximax;
pub use player::Player;
pub use random::{Random, random_setup, uniform};
pub use record::Record;
pub use roster::{Entry, Maker, NoSuchPlayer, Roster};
pub use thinking::Thinking;
