//! Expectimax (Michie 1966; P4 IV-B): minimax with chance.
//!
//! The value of a position is the greatest of its children's at MAX, the least at MIN, and their
//! mean, weighted by probability, where the dice fall. At the end of the game and at the depth
//! limit it is the evaluation. A ply is a move or a fall of the dice.
//!
//! Nothing is pruned: without bounds on the evaluation every child counts in a mean.

use crate::limits::{Budget, Stop};
use crate::stochastic::{Stochastic, Turn, moves_of, outcomes_of};

/// What a position is worth, looking so far ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expectation<M> {
    /// The value, exact but for the rounding of floats.
    pub value: f64,
    /// The first of the best moves for the side to move; none when the dice fall, at the end of
    /// the game, and at depth 0.
    pub best: Option<M>,
    /// The depth it was searched to, in plies.
    pub depth: u32,
    /// Whether every line was followed to the end of the game. A deeper search finds the same.
    pub complete: bool,
}

/// The expectation of `position` looking `depth` plies ahead. `evaluate` must give finite numbers,
/// and is asked about ended games too.
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
    let (value, best) = search.look(position, depth)?;
    Ok(Expectation { value, best, depth, complete: search.complete })
}

/// The expectation of `position` by the deepest search that the budget allows, up to its depth
/// limit, and the limit that ended it, if it was another one.
///
/// At worst no depth was finished; then it is the evaluation of the position, and without a move.
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
    /// Whether no line was cut off so far.
    complete: bool,
}

impl<E> Search<'_, '_, E> {
    /// The value of a position and the best move there.
    fn look<P: Stochastic>(
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

    /// The value of the best move, and that move; `sign` says which way the mover is going.
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
        let mut most = f64::NEG_INFINITY;
        for m in moves_of(position) {
            let value = sign * self.look(&position.play(m), depth - 1)?.0;
            if best.is_none() || value > most {
                (best, most) = (Some(m), value);
            }
        }
        Ok((sign * most, best))
    }

    /// The mean of the outcomes.
    fn mean<P: Stochastic>(&mut self, position: &P, depth: u32) -> Result<f64, Stop>
    where
        E: Fn(&P) -> f64,
    {
        let mut sum = 0.0;
        for (probability, outcome) in outcomes_of(position) {
            sum += probability * self.look(&outcome, depth - 1)?.0;
        }
        Ok(sum)
    }
}
