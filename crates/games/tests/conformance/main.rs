//! Every game passes the same examination, `kit`; a file for each game brings what the kit cannot
//! know: where games start, and a slow twin made of characters and loops.

#![allow(clippy::unwrap_used)] // the helpers of tests are no tests to clippy

#[path = "../common/mod.rs"]
mod common;
mod connect_four;
mod geister;
mod hidden;
mod kit;
mod othello;
mod pgame;
mod twenty48;
