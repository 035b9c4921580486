//! Exact Geister endgames.
//!
//! [`solver`] answers any puzzle by proof, and is what users get. [`mod@reference`] puts the same
//! puzzles in front of the generic algorithms of the crate `search`, with the techniques of Hsueh
//! et al. (2025) as switches: slower, simpler, and the measure that the solver is checked against.
//! [`tablebase`] sorts small endings into classes by material and numbers the positions of each.

#![deny(unsafe_code)]

pub mod reference;
pub mod solver;
pub mod tablebase;
