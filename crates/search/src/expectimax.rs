//! Expectimax (Michie 1966; P4 IV-B): minimax with chance nodes.
//!
//! The value of a position is the maximum of its children's values at MAX, the minimum at MIN, and
//! their expected value at a chance node. At the end of the game and at the depth limit it is the
//! evaluation. A ply is a move or a chance event.
//!
//! Nothing is pruned: without bounds on the evaluation every child counts in a mean.

use crate::limits::{Budget, Stop};
use crate::stochastic::{Stochastic, Turn, moves_of, outcomes_of};

/// The result of an expectimax search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expectation<M> {
    /// The value, exact except for floating-point rounding.
    pub value: f64,
    /// The first of the best moves for the side to move; none at a chance node, at the end of the
    /// game, and at depth 0.
    pub best: Option<M>,
    /// The search depth in plies.
    pub depth: u32,
    /// Whether every line was searched to the end of the game. Then a deeper search changes
    /// nothing.
    pub complete: bool,
}

/// The expectation of `position`, searched to `depth` plies. `evaluate` must return finite numbers
/// and is also called for finished games.
///
/// # Errors
/// The limit that was hit before the value was known.
pub fn expectation<P: Stochastic>(
    position: &P,
    depth: u32,
    evaluate: &impl Fn(&P) -> f64,
    budget: &mut Budget<'_>,
) -> Result<Expectation<P::Move>, Stop> {
    let mut search = Search { evaluate, budget, complete: true };
    let (value, best) = search.value(position, depth)?;
    Ok(Expectation { value, best, depth, complete: search.complete })
}

/// The expectation of `position` by iterative deepening up to the depth limit of the budget, and
/// the limit that ended it, if it was not the depth.
///
/// If no depth was finished, it is the evaluation of the position, without a move.
pub fn deepest_expectation<P: Stochastic>(
    position: &P,
    evaluate: &impl Fn(&P) -> f64,
    budget: &mut Budget<'_>,
) -> (Expectation<P::Move>, Option<Stop>) {
    let (value, complete) = (evaluate(position), position.turn().is_none());
    let mut deepest = Expectation { value, best: None, depth: 0, complete };
    for depth in 1..=budget.limits().depth {
        if deepest.complete {
            break;
        }
        match expectation(position, depth, evaluate, budget) {
            Ok(expectation) => deepest = expectation,
            Err(stop) => return (deepest, Some(stop)),
        }
    }
    (deepest, None)
}

struct Search<'s, 'b, E> {
    evaluate: &'s E,
    budget: &'s mut Budget<'b>,
    /// Whether no line has been cut off at the depth limit so far.
    complete: bool,
}

impl<E> Search<'_, '_, E> {
    /// The value of a position and the best move there.
    fn value<P: Stochastic>(
        &mut self,
        position: &P,
        depth: u32,
    ) -> Result<(f64, Option<P::Move>), Stop>
    where
        E: Fn(&P) -> f64,
    {
        let Some(turn) = position.turn() else { return Ok(((self.evaluate)(position), None)) };
        if depth == 0 {
            self.complete = false;
            return Ok(((self.evaluate)(position), None));
        }
        self.budget.count()?;
        match turn {
            Turn::Max => self.choose(position, depth, 1.0),
            Turn::Min => self.choose(position, depth, -1.0),
            Turn::Chance => Ok((self.mean(position, depth)?, None)),
        }
    }

    /// The value of the best move, and that move; `sign` is 1 for MAX and -1 for MIN.
    fn choose<P: Stochastic>(
        &mut self,
        position: &P,
        depth: u32,
        sign: f64,
    ) -> Result<(f64, Option<P::Move>), Stop>
    where
        E: Fn(&P) -> f64,
    {
        let mut best = None;
        let mut best_value = f64::NEG_INFINITY;
        for m in moves_of(position) {
            let value = sign * self.value(&position.play(m), depth - 1)?.0;
            if best.is_none() || value > best_value {
                (best, best_value) = (Some(m), value);
            }
        }
        Ok((sign * best_value, best))
    }

    /// The expected value of a chance node.
    fn mean<P: Stochastic>(&mut self, position: &P, depth: u32) -> Result<f64, Stop>
    where
        E: Fn(&P) -> f64,
    {
        let mut sum = 0.0;
        for (probability, outcome) in outcomes_of(position) {
            sum += probability * self.value(&outcome, depth - 1)?.0;
        }
        Ok(sum)
    }
}
