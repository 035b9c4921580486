//! Players of Geister, in [`kriegspiel`] those of Kriegspiel, and in [`phantom_tic_tac_toe`] those
//! of phantom tic-tac-toe.
//!
//! A [`Player`](play::Player) gets what its seat may know, an information state, and nothing else;
//! its choice is a pure function of that, of a seed and of its limits. Matches, records and rosters
//! are those of the crate `play`.

#![forbid(unsafe_code)]

pub mod careful;
pub mod champion;
pub mod determinized;

pub mod kriegspiel;
pub mod learned;
pub mod maximax;
pub mod phantom_tic_tac_toe;
pub mod prover;
pub mod purple;
pub mod random;
pub mod record;
pub mod review;
pub mod roster;
pub mod rush;
pub mod style;

pub use record::GameRecord;
