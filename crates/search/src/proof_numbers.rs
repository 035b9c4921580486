//! Proof and disproof numbers (Allis 1994).

use crate::and_or::Player;
use crate::transposition_table::Entry;

/// The proof number of a disproved node.
pub(crate) const INFINITE: u32 = u32::MAX;

/// The proof and disproof numbers of a node: the minimum number of leaves that must be won to prove
/// it and lost to disprove it. Also used for a pair of thresholds.
///
/// Sums saturate just below [`INFINITE`]: only solved nodes have an infinite number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProofNumbers {
    pub(crate) proof: u32,
    pub(crate) disproof: u32,
}

impl ProofNumbers {
    pub(crate) const PROVED: Self = Self { proof: 0, disproof: INFINITE };
    pub(crate) const DISPROVED: Self = Self { proof: INFINITE, disproof: 0 };
    /// A node not yet expanded.
    pub(crate) const OPEN: Self = Self { proof: 1, disproof: 1 };
    /// Thresholds that only a solved node reaches.
    pub(crate) const UNBOUNDED: Self = Self { proof: INFINITE, disproof: INFINITE };

    /// The numbers of a node whose value is known.
    pub(crate) fn solved(won: bool) -> Self {
        if won { Self::PROVED } else { Self::DISPROVED }
    }

    /// The value of a solved node.
    pub(crate) fn value(self) -> Option<bool> {
        match self {
            Self::PROVED => Some(true),
            Self::DISPROVED => Some(false),
            _ => None,
        }
    }

    /// An estimate of OR's chances, from 0 (disproved) to 1 (proved): the disproof number as a
    /// fraction of the sum of both numbers.
    pub(crate) fn win_estimate(self) -> f64 {
        let share =
            || f64::from(self.disproof) / (f64::from(self.proof) + f64::from(self.disproof));
        self.value().map_or_else(share, |won| f64::from(u8::from(won)))
    }

    /// The numbers with the mover as the prover: they are swapped at AND nodes. Its own inverse.
    pub(crate) fn seen_by(self, mover: Player) -> Self {
        match mover {
            Player::Or => self,
            Player::And => Self { proof: self.disproof, disproof: self.proof },
        }
    }

    /// The numbers of an expanded node: the minimum over the children for the mover, the sum for
    /// its opponent.
    pub(crate) fn of_parent(mover: Player, children: impl Iterator<Item = Self>) -> Self {
        let empty = Self { proof: INFINITE, disproof: 0 };
        let numbers = children.map(|child| child.seen_by(mover)).fold(empty, |all, child| Self {
            proof: all.proof.min(child.proof),
            disproof: add(all.disproof, child.disproof),
        });
        numbers.seen_by(mover)
    }
}

/// Saturating addition that is infinite only if a summand is.
pub(crate) fn add(a: u32, b: u32) -> u32 {
    if a == INFINITE || b == INFINITE { INFINITE } else { a.saturating_add(b).min(INFINITE - 1) }
}

impl Entry for ProofNumbers {
    fn pack(self) -> u64 {
        u64::from(self.proof) << 32 | u64::from(self.disproof)
    }

    fn unpack(word: u64) -> Self {
        Self { proof: (word >> 32) as u32, disproof: word as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(proof: u32, disproof: u32) -> ProofNumbers {
        ProofNumbers { proof, disproof }
    }

    #[test]
    fn the_mover_takes_the_minimum_and_its_opponent_the_sum() {
        let children = [numbers(3, 5), numbers(2, 7)];
        let of = |mover| ProofNumbers::of_parent(mover, children.into_iter());
        assert_eq!(of(Player::Or), numbers(2, 12));
        assert_eq!(of(Player::And), numbers(5, 5));
    }

    #[test]
    fn one_solved_child_can_solve_the_parent() {
        let children = [numbers(3, 5), ProofNumbers::PROVED];
        assert_eq!(ProofNumbers::of_parent(Player::Or, children.into_iter()), ProofNumbers::PROVED);
        assert_eq!(ProofNumbers::of_parent(Player::And, children.into_iter()), numbers(3, 5));
    }

    #[test]
    fn sums_of_finite_numbers_stay_finite() {
        let children = [numbers(1, INFINITE - 1), numbers(1, INFINITE - 1)];
        let parent = ProofNumbers::of_parent(Player::Or, children.into_iter());
        assert_eq!(parent, numbers(1, INFINITE - 1));
    }

    #[test]
    fn the_win_estimate_grows_with_the_disproof_number() {
        assert_eq!(ProofNumbers::PROVED.win_estimate(), 1.0);
        assert_eq!(ProofNumbers::DISPROVED.win_estimate(), 0.0);
        assert_eq!(ProofNumbers::OPEN.win_estimate(), 0.5);
        assert_eq!(numbers(1, 3).win_estimate(), 0.75);
    }

    #[test]
    fn packing_loses_nothing() {
        for n in
            [ProofNumbers::PROVED, ProofNumbers::DISPROVED, ProofNumbers::OPEN, numbers(7, 1 << 31)]
        {
            assert_eq!(ProofNumbers::unpack(n.pack()), n);
        }
    }
}
