//! Monte-Carlo proof-number search (Saito, Chaslot, Uiterwijk & van den Herik 2006; P4 II-B).
//!
//! Proof-number search with leaves initialised by playouts. If OR wins the fraction `R` of a leaf's
//! playouts, its proof number is `1 - R` and its disproof number is `R`, but neither is less than
//! [`MIN_LEAF_NUMBER`] thousandths: only a solved node has a number of 0. Everything else is as in
//! [`pns`](crate::pns), so the conclusions are proofs.
//!
//! The numbers are integer thousandths, so that sums are exact and solved nodes stay
//! distinguishable from unsolved ones.

use crate::and_or::AndOr;
use crate::best_first::BestFirst;
use crate::playout::{PlayoutRunner, Playouts};
use crate::pns::LeafNumbers;
use crate::proof_numbers::ProofNumbers;

/// The minimum proof or disproof number of an unsolved leaf, in thousandths.
pub const MIN_LEAF_NUMBER: u32 = 1;

/// Monte-Carlo proof-number search.
#[derive(Clone, Debug, Default)]
pub struct Mcpns {
    /// The playouts that evaluate leaves.
    pub playouts: Playouts,
}

impl BestFirst for Mcpns {
    type Method = PlayoutLeaves;

    fn method(&self) -> PlayoutLeaves {
        PlayoutLeaves(PlayoutRunner::new(self.playouts))
    }
}

/// The leaves of [`Mcpns`]: their numbers, in thousandths, come from playouts.
pub(crate) struct PlayoutLeaves(pub(crate) PlayoutRunner);

impl LeafNumbers for PlayoutLeaves {
    const SLOW: bool = true;

    fn root(&self) -> ProofNumbers {
        leaf_numbers(0.5)
    }

    fn leaf<P: AndOr>(&mut self, position: &P, remaining: u32) -> ProofNumbers {
        leaf_numbers(self.0.win_rate(position, remaining))
    }
}

/// The numbers of a leaf whose playouts were won at this rate.
fn leaf_numbers(rate: f64) -> ProofNumbers {
    let thousandths = |share: f64| ((1000.0 * share).round() as u32).max(MIN_LEAF_NUMBER);
    ProofNumbers { proof: thousandths(1.0 - rate), disproof: thousandths(rate) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn win_rates_become_proof_numbers() {
        let numbers = |proof, disproof| ProofNumbers { proof, disproof };
        assert_eq!(leaf_numbers(0.25), numbers(750, 250));
        assert_eq!(leaf_numbers(1.0), numbers(MIN_LEAF_NUMBER, 1000));
        assert_eq!(leaf_numbers(0.0), numbers(1000, MIN_LEAF_NUMBER));
        assert_eq!(leaf_numbers(1.0).value(), None);
    }
}
