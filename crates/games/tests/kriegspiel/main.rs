//! Kriegspiel: the umpire against its slow twin, complete games, and what each side may know.

#![allow(clippy::unwrap_used)] // clippy does not count helpers as tests

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
