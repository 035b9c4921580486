//! The single conspiracy number (Song & Iida 2017; P4 IV): how hard it is for MAX to get at least
//! the threshold `T`.
//!
//! At least so many leaves would have to change their mind, all of them together, to give the root
//! a value of `T` or more. With `m` the evaluation:
//!
//! | node | number |
//! |---|---|
//! | end of the game | 0 if `m >= T`, else infinite |
//! | leaf at the depth limit | 0 if `m >= T`, else 1 |
//! | MAX | the least of the children's |
//! | MIN, and chance, which is taken for an opponent | the sum of the children's |
//!
//! With `T` the value of a win it is the proof number. Where values grow all game long, as in a
//! game for one, P4 raises `T` with each milestone, to `T * 2^n`; that is up to the caller.

use crate::limits::{Budget, Stop};
use crate::numbers::{INFINITE, add};
use crate::stochastic::{Stochastic, Turn, moves_of, outcomes_of};

/// A conspiracy number: a count, or infinite. Any count is less than the infinite one.
///
/// Sums of counts saturate just below `u32::MAX`, and never turn infinite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Conspiracy(u32);

impl Conspiracy {
    /// The threshold is reached already.
    pub const REACHED: Self = Self(0);
    /// No change of mind can reach the threshold.
    pub const INFINITE: Self = Self(INFINITE);

    /// The count, if it is finite.
    #[must_use]
    pub fn finite(self) -> Option<u32> {
        (self != Self::INFINITE).then_some(self.0)
    }
}

/// The single conspiracy number of `position` for `threshold`, in the tree of `depth` plies. A ply
/// is a move or a fall of the dice. `evaluate` is asked about ended games too.
///
/// Children that cannot matter are not looked at: those of MAX after a better one, as soon as they
/// are known to be dearer. The number is exact all the same.
///
/// # Errors
/// The limit that was hit before the number was known.
pub fn conspiracy_number<P: Stochastic>(
    position: &P,
    depth: u32,
    threshold: f64,
    evaluate: &impl Fn(&P) -> f64,
    budget: &mut Budget<'_>,
) -> Result<Conspiracy, Stop> {
    let reached = |position: &P| evaluate(position) >= threshold;
    Search { reached, budget }.number(position, depth, INFINITE).map(Conspiracy)
}

struct Search<'s, 'b, R> {
    /// Whether a position's evaluation reaches the threshold.
    reached: R,
    budget: &'s mut Budget<'b>,
}

impl<R> Search<'_, '_, R> {
    /// The number of a position if it is less than `bound`; else any number from `bound` up.
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
            Some(Turn::Max) => self.least(moves(), depth - 1, bound),
            Some(Turn::Chance) => {
                let outcomes = outcomes_of(position).into_iter().map(|(_, outcome)| outcome);
                self.sum(outcomes, depth - 1, bound)
            }
            Some(Turn::Min) | None => self.sum(moves(), depth - 1, bound),
        }
    }

    /// The least of the children's numbers: each must be below the least so far to matter.
    fn least<P: Stochastic>(
        &mut self,
        children: impl Iterator<Item = P>,
        depth: u32,
        bound: u32,
    ) -> Result<u32, Stop>
    where
        R: Fn(&P) -> bool,
    {
        let mut least = bound;
        for child in children {
            if least == 0 {
                break;
            }
            least = least.min(self.number(&child, depth, least)?);
        }
        Ok(least)
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
