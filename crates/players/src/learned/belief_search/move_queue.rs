//! Move ordering: steps in the order in which they are searched.

use super::super::scored_steps::ScoredStep;
use games::geister::Square;

/// More steps than a side ever has: eight pieces with four each.
const MAX_STEPS: usize = 32;

/// A queue of steps by their priority. It is not sorted, since one of the first steps often cuts the
/// search off.
pub(super) struct MoveQueue {
    steps: [ScoredStep; MAX_STEPS],
    len: usize,
}

impl MoveQueue {
    pub(super) fn new() -> MoveQueue {
        let none = ScoredStep { from: Square::FIRST, to: Square::FIRST, score: 0.0 };
        MoveQueue { steps: [none; MAX_STEPS], len: 0 }
    }

    /// Adds a step.
    ///
    /// # Panics
    /// If there are more steps than eight pieces can make.
    pub(super) fn push(&mut self, from: Square, to: Square, priority: f32) {
        self.steps[self.len] = ScoredStep { from, to, score: priority };
        self.len += 1;
    }
}

impl Iterator for MoveQueue {
    type Item = ScoredStep;

    /// Takes out the step of the highest priority.
    fn next(&mut self) -> Option<ScoredStep> {
        let left = &mut self.steps[..self.len];
        let mut best = 0;
        for at in 1..left.len() {
            if left[at].score > left[best].score {
                best = at;
            }
        }
        let step = *left.get(best)?;
        left[best] = left[left.len() - 1];
        self.len -= 1;
        Some(step)
    }
}
