//! Learning by self-play: a [`Learner`] plays against itself and a mixed crowd of other players, so
//! that its model does not learn to beat only itself.

mod checkpoint;
mod crowd;
mod learner;

pub use learner::{Learner, Lesson, Progress};
