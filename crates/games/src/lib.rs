//! Rules of hidden-information board games, and nothing but rules.
//!
//! No search, no input or output, no serialisation framework: what a position is, which moves it
//! allows, how it ends, and how it is written as text.
//!
//! | module | game |
//! | --- | --- |
//! | [`geister`] | the ghost game, on 6x6 and 4x5: the full game with hidden colours, and the *purple* position of its puzzles |

pub mod geister;
mod rules;

pub use rules::{Rules, perft};
