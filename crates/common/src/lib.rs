//! Utilities shared by all crates, independent of games: random numbers ([`rng`]), a stable hash
//! ([`fnv`]), reading lines ([`lines`]), quoting of untrusted text in messages ([`excerpt`]) and the
//! languages of printed text ([`language`]).

#![forbid(unsafe_code)]

pub mod excerpt;
pub mod fnv;
pub mod language;
pub mod lines;
pub mod rng;

pub use language::Language;
