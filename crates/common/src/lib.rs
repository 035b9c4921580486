//! Small tools that every crate shares and that know nothing of games: random numbers ([`rng`]), a
//! stable hash ([`fnv`]), quoting foreign text in messages ([`excerpt`]) and the languages of
//! everything printed ([`language`]).

#![forbid(unsafe_code)]

pub mod excerpt;
pub mod fnv;
pub mod language;
pub mod rng;

pub use language::Language;
