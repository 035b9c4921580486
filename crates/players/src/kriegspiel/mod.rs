//! Players of Kriegspiel and what they do together.
//!
//! A [`Player`] gets what its side may know, its information state, and nothing
//! else. So no player can cheat, and every game can be
//! repeated.

pub mod darkboard;
pub mod endgames;
pub mod greedy;
pub mod matches;
pub mod placements;
pub mod player;
pub mod random;
pub mod roster;

pub use player::Player;
