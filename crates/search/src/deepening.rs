//! Iterative deepening: the same question at growing depths, so that the first win found is a
//! shortest one.

use crate::and_or::AndOr;
use crate::limits::{Budget, Stop};
use crate::progress::{DepthReport, Progress};
use crate::verdict::Verdict;

/// A search that answers one depth-limited question.
///
/// It may keep results for the next call, so one instance must only be used for positions of one
/// game, with one meaning of "OR wins".
pub trait DepthSearch<P: AndOr> {
    /// Whether OR, at `position`, wins within `depth` plies.
    ///
    /// # Errors
    /// The limit that was hit before the answer was known.
    fn prove(&mut self, position: &P, depth: u32, budget: &mut Budget<'_>) -> Result<bool, Stop>;
}

/// The depths to search: `first`, `first + step`, and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Steps {
    /// The first depth.
    pub first: u32,
    /// The difference between two depths; 0 counts as 1.
    pub step: u32,
}

impl Default for Steps {
    /// The odd depths: OR moves first and wins by a move of its own.
    fn default() -> Self {
        Self { first: 1, step: 2 }
    }
}

impl Steps {
    /// The depths up to `last`.
    fn up_to(self, last: u32) -> impl Iterator<Item = u32> {
        (self.first..=last).step_by(self.step.max(1) as usize)
    }
}

/// Searches `position` at the depths of `steps` up to the depth limit of `budget`, and stops at
/// the first depth with a win.
///
/// Depths between the steps are not searched: [`Verdict::NoWin`] names the last depth searched,
/// which can be smaller than the limit. A position that the rules have decided is not searched at
/// all.
pub fn deepen<P: AndOr>(
    search: &mut impl DepthSearch<P>,
    position: &P,
    steps: Steps,
    budget: &mut Budget<'_>,
    progress: &mut impl Progress,
) -> Verdict {
    let last = budget.limits().depth;
    match position.decided() {
        Some(true) => return Verdict::Win(0),
        Some(false) => return Verdict::NoWin { depth: last },
        None => {}
    }
    let mut disproved = 0;
    for depth in steps.up_to(last) {
        match search.prove(position, depth, budget) {
            Err(stop) => return Verdict::Unknown { depth: disproved, stop },
            Ok(won) => {
                let (nodes, elapsed) = (budget.nodes(), budget.elapsed());
                progress.report(&DepthReport { depth, nodes, elapsed });
                if won {
                    return Verdict::Win(depth);
                }
            }
        }
        disproved = depth;
    }
    Verdict::NoWin { depth: disproved }
}
