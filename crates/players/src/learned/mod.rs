//! What a side can learn from many games: how likely it is to win, by what it sees.
//!
//! The [`Weights`] of a logistic model are learned by self-play among a mixed crowd (the crate
//! `train`). A model of how a side values its steps is also a model of how it chooses them, so
//! that what the others did says which of their ghosts are blue ([`belief`]). With both it can look
//! ahead ([`ahead`]).

pub mod ahead;
pub mod belief;
pub mod file;
pub mod steps;
mod sums;
pub mod view;
pub mod weights;

pub use steps::{Step, steps};
pub use view::View;
pub use view::turned;
pub use weights::{Ghosts, Weights, logit, squeezed};
