//! Kriegspiel: the umpire beside its slow twin, games to their ends, and what each side may know.

#![allow(clippy::unwrap_used)] // the helpers of tests are no tests to clippy

#[path = "../common/mod.rs"]
mod common;
mod endings;
mod golden;
mod lone_king;
mod meta;
mod meta_twin;
mod notation;
mod observation;
mod pgn;
mod play;
mod refusals;
mod twin;
mod umpire;
