//! The single conspiracy number (Song & Iida 2017; P4 IV): how hard it is for MAX to reach the
//! threshold `T`.
//!
//! It is the minimum number of leaves whose values must change together to give the root a value of
//! at least `T`. With `m` the evaluation:
//!
//! | node | number |
//! |---|---|
//! | end of the game | 0 if `m >= T`, else infinite |
//! | leaf at the depth limit | 0 if `m >= T`, else 1 |
//! | MAX | the minimum over the children |
//! | MIN, and chance, which counts as an opponent | the sum over the children |
//!
//! If `T` is the value of a win, it is the proof number. In one-player games whose values grow
//! throughout the game, P4 raises `T` to `T * 2^n` at each milestone; that is up to the caller.

use crate::limits::{Budget, Stop};
use crate::proof_numbers::{INFINITE, add};
use crate::stochastic::{Stochastic, Turn, moves_of, outcomes_of};

/// A conspiracy number: a count, or infinity, which is greater than any count.
///
/// Sums of counts saturate just below `u32::MAX`, and never turn infinite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConspiracyNumber(u32);

impl ConspiracyNumber {
    /// The threshold is reached already.
    pub const REACHED: Self = Self(0);
    /// No change of leaf values can reach the threshold.
    pub const INFINITE: Self = Self(INFINITE);

    /// The count, if it is finite.
    #[must_use]
    pub fn finite(self) -> Option<u32> {
        (self != Self::INFINITE).then_some(self.0)
    }
}

/// The single conspiracy number of `position` for `threshold`, in the tree of `depth` plies. A ply
/// is a move or a chance event. `evaluate` is also called for finished games.
///
/// A child of MAX is cut off as soon as its number reaches that of a better child. The result is
/// exact nevertheless.
///
/// # Errors
/// The limit that was hit before the number was known.
pub fn conspiracy_number<P: Stochastic>(
    position: &P,
    depth: u32,
    threshold: f64,
    evaluate: &impl Fn(&P) -> f64,
    budget: &mut Budget<'_>,
) -> Result<ConspiracyNumber, Stop> {
    let reached = |position: &P| evaluate(position) >= threshold;
    Search { reached, budget }.number(position, depth, INFINITE).map(ConspiracyNumber)
}

struct Search<'s, 'b, R> {
    /// Whether a position's evaluation reaches the threshold.
    reached: R,
    budget: &'s mut Budget<'b>,
}

impl<R> Search<'_, '_, R> {
    /// The number of a position if it is less than `bound`; else some number of at least `bound`.
    fn number<P: Stochastic>(&mut self, position: &P, depth: u32, bound: u32) -> Result<u32, Stop>
    where
        R: Fn(&P) -> bool,
    {
        let turn = position.turn();
        match turn {
            None => return Ok(if (self.reached)(position) { 0 } else { INFINITE }),
            Some(_) if depth == 0 => return Ok(u32::from(!(self.reached)(position))),
            Some(_) => self.budget.count()?,
        }
        let moves = || moves_of(position).into_iter().map(|m| position.play(m));
        match turn {
            Some(Turn::Max) => self.minimum(moves(), depth - 1, bound),
            Some(Turn::Chance) => {
                let outcomes = outcomes_of(position).into_iter().map(|(_, outcome)| outcome);
                self.sum(outcomes, depth - 1, bound)
            }
            Some(Turn::Min) | None => self.sum(moves(), depth - 1, bound),
        }
    }

    /// The minimum of the children's numbers; the minimum so far bounds the next child.
    fn minimum<P: Stochastic>(
        &mut self,
        children: impl Iterator<Item = P>,
        depth: u32,
        bound: u32,
    ) -> Result<u32, Stop>
    where
        R: Fn(&P) -> bool,
    {
        let mut minimum = bound;
        for child in children {
            if minimum == 0 {
                break;
            }
            minimum = minimum.min(self.number(&child, depth, minimum)?);
        }
        Ok(minimum)
    }

    /// The sum of the children's numbers, as long as it is below `bound`.
    fn sum<P: Stochastic>(
        &mut self,
        children: impl Iterator<Item = P>,
        depth: u32,
        bound: u32,
    ) -> Result<u32, Stop>
    where
        R: Fn(&P) -> bool,
    {
        let mut sum = 0;
        for child in children {
            if sum >= bound {
                break;
            }
            let rest = if bound == INFINITE { INFINITE } else { bound - sum };
            sum = add(sum, self.number(&child, depth, rest)?);
        }
        Ok(sum)
    }
}
