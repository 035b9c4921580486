//! The endgame tablebase: building, storing, verifying and probing its tables.
//!
//! A [`Class`] is the material of an ending; captures lead from it to smaller classes. An
//! [`Index`] numbers the positions of one class, mirror images together, without gaps. [`build()`]
//! finds the distances of a whole class by retrograde analysis (`retrograde`, set by set over
//! `placements`) from those of smaller classes, and writes them to a [`mod@file`]. A [`Store`] is a
//! folder of such files, and an open [`Tablebase`] is probed for positions.
//!
//! ```
//! use geister::tablebase::{Class, Index};
//! use games::geister::Position;
//!
//! let position: Position = "6/4u1/B5/6/6/Ru4 1".parse()?;
//! let class = Class::of(&position).ok_or("the game is over")?;
//! assert_eq!(class.to_string(), "BRuu:1");
//! let index = Index::new(class);
//! assert_eq!((index.positions(), index.size()), (706_860, 353_430));
//! let rank = index.rank(&position);
//! assert_eq!(index.position(rank).canonical(), position.canonical());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod builder;
mod class;
mod combinations;
pub mod file;
mod index;
mod placements;
mod retrograde;
mod statistics;
mod steps;
mod stop;
mod store;
mod verify;

pub use builder::{
    BuildError, BuildPhase, Built, Estimate, Progress, build, check_memory, estimate,
    missing_classes,
};
pub use class::{Captured, Class, ClassTextError, RefusedClass};
pub use index::Index;
pub use statistics::Statistics;
pub use store::{ClassTable, ProbeError, Store, Tablebase};
pub use verify::{VerifyError, verify_checksums, verify_consistency};
