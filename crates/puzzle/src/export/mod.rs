//! Puzzles as others take them: [`csv`] for sheets and statistics, [`diagram`] for pictures,
//! [`booklet`] for paper; and as others give them, [`entry`].
//!
//! Text for people is in a [`Language`](common::Language).

pub mod booklet;
pub mod csv;
pub mod diagram;
pub mod entry;
mod escape;
#[cfg(test)]
mod sample;
mod words;

pub use words::Words;
