//! Players of Kriegspiel and what they do together.
//!
//! A [`Player`] gets what its side may know, an [`Observation`](games::kriegspiel::Observation)
//! and what it knew at the start, and nothing else. So no player can cheat, and every game can be
//! repeated.

pub mod endgames;
pub mod placements;
pub mod player;

pub use player::Player;
