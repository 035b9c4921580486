//! The site: solve, browse and analyse puzzles in a browser, in English and Japanese, and run studies.

#![forbid(unsafe_code)]

pub mod store;
