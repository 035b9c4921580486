//! Monte-Carlo proof-number search (Saito, Chaslot, Uiterwijk & van den Herik 2006; P4 II-B).
//!
//! Proof-number search whose leaves are not all alike. Where OR wins the share `R` of a leaf's
//! playouts, its proof number is `1 - R` and its disproof number is `R`, but neither is less than
//! [`LEAST`] thousandths: only a solved node has a number of 0. Everything else is as in
//! [`pns`](crate::pns), so the conclusions are proofs.
//!
//! The numbers are whole thousandths, so that a sum of them is exact and what is solved can be told
//! from what is not.

use crate::and_or::{AndOr, Player};
use crate::best_first::{Bounds, Method, run};
use crate::limits::Budget;
use crate::numbers::Numbers;
use crate::playout::{Dice, Playouts};
use crate::pns::ProofNumbers;
use crate::solve::{Iteration, Solve, Solved};

/// The least number of a leaf that is not solved, in thousandths.
pub const LEAST: u32 = 1;

/// Proof-number search with leaves judged by playouts.
#[derive(Clone, Debug, Default)]
pub struct Mcpns {
    /// How leaves are judged.
    pub playouts: Playouts,
}

impl<P: AndOr> Solve<P> for Mcpns {
    fn watch(
        &mut self,
        position: &P,
        budget: &mut Budget<'_>,
        observer: &mut dyn FnMut(&Iteration<P::Move>),
    ) -> Solved<P::Move> {
        let bounds = Bounds::of(budget.limits());
        run(MonteCarloNumbers(Dice::new(self.playouts)), position, bounds, budget, observer)
    }
}

/// Proof and disproof numbers in thousandths of a leaf.
pub(crate) struct MonteCarloNumbers(pub(crate) Dice);

impl Method for MonteCarloNumbers {
    type Value = Numbers;

    const SLOW: bool = true;

    fn open(&self) -> Numbers {
        by_rate(0.5)
    }

    fn known(&self, won: bool) -> Numbers {
        Numbers::solved(won)
    }

    fn leaf<P: AndOr>(&mut self, position: &P, remaining: u32) -> Numbers {
        by_rate(self.0.rate(position, remaining))
    }

    fn parent(&self, mover: Player, children: impl Iterator<Item = Numbers> + Clone) -> Numbers {
        Numbers::of_parent(mover, children)
    }

    fn proved(&self, numbers: Numbers) -> Option<bool> {
        numbers.value()
    }

    fn urgency(&self, mover: Player, parent: Numbers, child: Numbers) -> Option<f64> {
        ProofNumbers.urgency(mover, parent, child)
    }

    fn merit(&self, mover: Player, child: Numbers) -> f64 {
        ProofNumbers.merit(mover, child)
    }

    fn opinion(&self, numbers: Numbers) -> f64 {
        numbers.opinion()
    }
}

/// The numbers of a leaf with so many of its playouts won.
fn by_rate(rate: f64) -> Numbers {
    let thousandths = |share: f64| ((1000.0 * share).round() as u32).max(LEAST);
    Numbers { proof: thousandths(1.0 - rate), disproof: thousandths(rate) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_easier_a_win_the_less_its_proof_number() {
        let numbers = |proof, disproof| Numbers { proof, disproof };
        assert_eq!(by_rate(0.25), numbers(750, 250));
        assert_eq!(by_rate(1.0), numbers(LEAST, 1000));
        assert_eq!(by_rate(0.0), numbers(1000, LEAST));
        assert_eq!(by_rate(1.0).value(), None);
    }
}
