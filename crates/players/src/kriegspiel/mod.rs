//! Players of Kriegspiel and what they do together.
//!
//! A [`Player`](play::Player) gets what its side may know, its information state, and nothing
//! else. So no player can cheat, and every game can be
//! repeated.

pub mod darkboard;
pub mod endgames;
pub mod greedy;
pub mod placements;
pub mod record;
pub mod review;
pub mod roster;
