//! Players of Geister and what they do together: [`mod@matches`] between them, records of their games.
//!
//! A [`Player`] gets what its side may know, a [`History`] of observations, and nothing else; its
//! choice is a pure function of that, of a seed and of its limits. So no player can cheat, every
//! game can be repeated, and a game goes on from its record wherever it was left.

#![forbid(unsafe_code)]

pub mod careful;
pub mod champion;
pub mod determinized;
pub mod elo;
pub mod history;
pub mod kriegspiel;
pub mod learned;
pub mod matches;
pub mod maximax;
pub mod player;
pub mod prover;
pub mod purple;
pub mod random;
pub mod record;
pub mod review;
pub mod roster;
pub mod rush;
pub mod style;

pub use history::{History, Step};
pub use player::{Player, Thinking};
pub use record::GameRecord;
