//! Utilities shared by all crates, independent of games: random numbers ([`rng`]), a stable hash
//! ([`fnv`]), reading lines ([`lines`]), file locks ([`file_lock`]), quoting of untrusted text in messages ([`excerpt`]) and the
//! languages of printed text ([`language`]).

#![forbid(unsafe_code)]

pub mod excerpt;
pub mod file_lock;
pub mod fnv;
pub mod language;
pub mod lines;
pub mod rng;

pub use language::Language;
