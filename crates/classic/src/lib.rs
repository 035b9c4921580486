//! Exact solvers of classic games of perfect information.
//!
//! [`connect_four`] and [`othello`] solve those games exactly, as far as limits allow; [`exact`] has
//! what their answers share. [`forced`] runs the generic algorithms of the crate `search` on any
//! two-player game, and [`twenty48`] on 2048.

#![forbid(unsafe_code)]

pub mod connect_four;
pub mod exact;
pub mod forced;
pub mod othello;
pub mod twenty48;
