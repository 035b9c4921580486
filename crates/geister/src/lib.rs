//! Exact Geister.
//!
//! [`solver`] proves or refutes any puzzle; it is what users get. [`tablebase`] groups small
//! endgames into classes by material and tabulates each class by retrograde analysis.
//! [`mod@reference`] runs the generic algorithms of the crate `search` on the same puzzles, with the
//! techniques of Hsueh et al. (2025) as switches: slower, simpler, and the baseline that the solver
//! is tested against. [`judge`] proves whether a move is right; [`feel`] measures how a line of play
//! feels, by conspiracy numbers.

#![deny(unsafe_code)]

pub mod board;
pub mod feel;
pub mod judge;
pub mod reference;
pub mod solver;
pub mod state;
pub mod tablebase;
