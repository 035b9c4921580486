//! Geister puzzles and their life: [`compose`] makes them, [`quality`] judges them by proof,
//! [`record`] keeps them, [`export`] brings them to paper and to other programs. [`shipped`] is the collection that comes with the program.
//!
//! A puzzle is a position with the bottom side to move and a proved win. Everything said about it
//! is said by the solver, never by the source that proposed it.

#![forbid(unsafe_code)]

pub mod collection;
pub mod compose;
pub mod export;
pub mod features;
pub mod glance;
pub mod grade;
pub mod material;
pub mod model;
pub mod proof;
pub mod quality;
pub mod ratings;
pub mod record;
pub mod shipped;
pub mod simulate;
pub mod theme;
pub mod train;

pub use material::Material;
pub use quality::Quality;
pub use record::{Origin, Puzzle, SourceKind};
pub use theme::Theme;
