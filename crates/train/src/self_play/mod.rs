//! Self-play training: a [`Learner`] plays against itself and an opponent pool, so that its model
//! does not overfit to itself.

mod checkpoint;
mod learner;
mod opponent_pool;

pub use learner::{Learner, Progress, TrainingConfig};
