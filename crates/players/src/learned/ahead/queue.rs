//! Steps in the order in which they are looked at.

use super::super::steps::Step;
use games::geister::Square;

/// Eight ghosts have no more steps.
const MOST: usize = 32;

/// Steps, of which the one that is worth most comes next. They are not sorted, for often one of the
/// first ends the search.
pub(super) struct Queue {
    steps: [Step; MOST],
    len: usize,
}

impl Queue {
    pub(super) fn new() -> Queue {
        let none = Step { from: Square::FIRST, to: Square::FIRST, worth: 0.0 };
        Queue { steps: [none; MOST], len: 0 }
    }

    /// Adds a step; there must not be more than eight ghosts can make.
    pub(super) fn push(&mut self, from: Square, to: Square, worth: f32) {
        self.steps[self.len] = Step { from, to, worth };
        self.len += 1;
    }
}

impl Iterator for Queue {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        let left = &mut self.steps[..self.len];
        let mut best = 0;
        for at in 1..left.len() {
            if left[at].worth > left[best].worth {
                best = at;
            }
        }
        let step = *left.get(best)?;
        left[best] = left[left.len() - 1];
        self.len -= 1;
        Some(step)
    }
}
