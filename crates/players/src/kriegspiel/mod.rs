//! Players of Kriegspiel.
//!
//! A [`Player`](play::Player) gets only the information state of its side, so no player can cheat,
//! and every game can be repeated.

pub mod darkboard;
pub mod endgames;
pub mod greedy;
pub mod record;
pub mod repetitions;
pub mod review;
pub mod roster;
