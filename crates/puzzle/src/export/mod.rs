//! Puzzles as others take them: [`csv`] for sheets and statistics, [`diagram`] for pictures,
//! [`booklet`] for paper; and as others give them, [`entry`].
//!
//! What people read speaks a [`Language`].

pub mod booklet;
pub mod csv;
pub mod diagram;
pub mod entry;
mod escape;
mod language;
#[cfg(test)]
mod sample;
mod words;

pub use language::{Language, NoSuchLanguage};
