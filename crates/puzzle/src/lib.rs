//! Geister puzzles: [`compose`] creates them, [`quality`] measures them by proof, [`grade`]
//! estimates difficulty and interest, [`record`] stores them, [`export`] writes booklets, diagrams
//! and CSV. [`shipped`] is the collection that comes with the program.
//!
//! A puzzle is a position with the bottom side to move and a proved win. Every statement about a
//! puzzle comes from the solver, never from the source that proposed the position.

#![forbid(unsafe_code)]

pub mod collection;
pub mod compose;
pub mod export;
pub mod features;
pub mod grade;
pub mod lookahead;
pub mod material;
pub mod model;
pub mod proof;
pub mod quality;
pub mod ratings;
pub mod record;
pub mod shipped;
pub mod simulated_solvers;
pub mod theme;
pub mod train;

pub use material::Material;
pub use quality::Quality;
pub use record::{Origin, Puzzle, SourceKind};
pub use theme::Theme;
