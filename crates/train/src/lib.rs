//! Training of Geister players: [`self_play`] learns the weights of the champion's model, and
//! [`evolve`] is the evolution of playstyles (P5).

#![forbid(unsafe_code)]

pub mod evolve;
pub mod self_play;
