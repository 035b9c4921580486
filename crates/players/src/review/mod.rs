//! What one learns from a game once it is over and everything is open: wins that were there and
//! missed, what the other side believed, and how the game felt (P4 IV to VI), for either seat.

mod feel;
pub mod geister;
pub mod kriegspiel;

pub use feel::{Feel, Turn, TurningPoint};
