//! Exact solvers of classic games of perfect information.
//!
//! [`connect_four`] and [`othello`] solve those games exactly, within limits; [`exact`] has the
//! score type and the transposition table that they share. [`forced`] applies the generic
//! algorithms of the crate `search` to any two-player game, and [`twenty48`] to 2048.

#![forbid(unsafe_code)]

pub mod connect_four;
pub mod exact;
pub mod forced;
pub mod othello;
pub mod twenty48;
