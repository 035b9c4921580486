//! Training of Geister players: [`self_play`] learns the weights of the champion's model, and
//! [`evolve`] is the genetic algorithm for playing styles (P5).

#![forbid(unsafe_code)]

pub mod evolve;
pub mod self_play;
