//! Exact endgames: Geister above all, and other games that can be solved.
//!
//! [`solver`] answers any Geister puzzle by proof, and is what users get. [`mod@reference`] puts the
//! same puzzles in front of the generic algorithms of the crate `search`, with the techniques of
//! Hsueh et al. (2025) as switches: slower, simpler, and the measure that the solver is checked
//! against. [`tablebase`] sorts small endings into classes by material and numbers the positions of
//! each.
//!
//! [`connect_four`] and [`othello`] solve those games exactly, as far as limits allow; [`exact`] is
//! what their answers have in common. [`forced`] puts any game of two players before the generic
//! algorithms, and [`twenty48`] the game against chance.

#![deny(unsafe_code)]

pub mod connect_four;
pub mod exact;
pub mod forced;
pub mod othello;
pub mod reference;
pub mod solver;
pub mod tablebase;
pub mod twenty48;
