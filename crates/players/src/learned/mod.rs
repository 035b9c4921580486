//! What a side can learn from many games: the probability to win, by what it sees.
//!
//! The [`Weights`] of a logistic model are learned by self-play among a mixed crowd (the crate
//! `train`). A model of how a side values its steps is also a model of how it chooses them, so that
//! the opponent's moves tell which of its pieces are blue ([`belief`]). With both it can search
//! ([`belief_search`]).

mod accumulator;
pub mod belief;
pub mod belief_search;
pub mod file;
pub mod scored_steps;
pub mod weights;

pub use scored_steps::{ScoredStep, score_steps};
pub use weights::{Features, Weights, logit, sigmoid};
