//! Probability-based proof-number search (Song, Iida & van den Herik 2019; P4 III).
//!
//! Each node has one number, the probability `c` that OR wins:
//!
//! | node | `c` |
//! |---|---|
//! | won for OR, or not (a draw is not) | 1, or 0 |
//! | leaf, `R` the fraction of its playouts that OR wins | `R`; for 1 `1 - theta`, for 0 `theta` |
//! | OR | `1 - prod(1 - c)` over the children |
//! | AND | `prod(c)` over the children |
//!
//! Selection follows the child with the greatest `c` at OR and the least at AND. The win estimate
//! is `c`, and the best move is the child that selection would follow.
//!
//! # Proof and belief
//!
//! `c` is a float: it rounds to 0 or 1 long before anything is proved, and it treats dependent
//! positions as independent. So proofs are stored separately and exactly.
//! A [precision](Ppns::precision) above 0 (`pr` in P4, which does not define it) ends the search
//! when the root's `c` is at least `1 - pr` or at most `pr`. That is
//! [`Conclusion::Believed`](crate::Conclusion::Believed), never a proof. Only the root is checked,
//! after each iteration.

use crate::and_or::{AndOr, Player};
use crate::best_first::{BestFirst, Method, proved_by};
use crate::playout::{PlayoutRunner, Playouts};

/// Probability-based proof-number search.
///
/// With a precision of 0 its conclusions are proofs. Settings out of range make the search
/// inefficient, but its proofs stay correct.
#[derive(Clone, Debug)]
pub struct Ppns {
    /// The playouts that evaluate leaves.
    pub playouts: Playouts,
    /// The minimum distance of an unsolved leaf's probability from 0 and 1; above 0, at most 1/2.
    pub theta: f64,
    /// How close to 0 or 1 the root must be to end the search without a proof, below 1/2; 0 for
    /// never.
    pub precision: f64,
}

impl Default for Ppns {
    /// A theta of 0.001, the best one for Connect Four in P4, and proofs only.
    fn default() -> Self {
        Self { playouts: Playouts::default(), theta: 0.001, precision: 0.0 }
    }
}

impl BestFirst for Ppns {
    type Method = PpnsMethod;

    fn method(&self) -> PpnsMethod {
        let (theta, precision) = (self.theta, self.precision);
        PpnsMethod { runner: PlayoutRunner::new(self.playouts), theta, precision }
    }
}

/// The probability that OR wins, and the proved result if there is one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WinProbability {
    probability: f64,
    proved: Option<bool>,
}

impl WinProbability {
    fn solved(won: bool) -> Self {
        Self { probability: f64::from(u8::from(won)), proved: Some(won) }
    }

    fn open(probability: f64) -> Self {
        Self { probability, proved: None }
    }

    /// The probability that the mover succeeds.
    fn seen_by(self, mover: Player) -> f64 {
        match mover {
            Player::Or => self.probability,
            Player::And => 1.0 - self.probability,
        }
    }
}

/// The best-first method of [`Ppns`]: products of probabilities.
pub(crate) struct PpnsMethod {
    pub(crate) runner: PlayoutRunner,
    pub(crate) theta: f64,
    pub(crate) precision: f64,
}

impl PpnsMethod {
    /// The probability of a leaf whose playouts were won at this rate.
    fn leaf_probability(&self, rate: f64) -> WinProbability {
        WinProbability::open(match rate {
            1.0 => 1.0 - self.theta,
            0.0 => self.theta,
            rate => rate,
        })
    }
}

impl Method for PpnsMethod {
    type Value = WinProbability;

    const SLOW_LEAVES: bool = true;

    fn initial(&self) -> WinProbability {
        WinProbability::open(0.5)
    }

    fn solved(&self, won: bool) -> WinProbability {
        WinProbability::solved(won)
    }

    fn evaluate_leaf<P: AndOr>(&mut self, position: &P, remaining: u32) -> WinProbability {
        let rate = self.runner.win_rate(position, remaining);
        self.leaf_probability(rate)
    }

    fn backup(
        &self,
        mover: Player,
        children: impl Iterator<Item = WinProbability> + Clone,
    ) -> WinProbability {
        if let Some(won) = proved_by(mover, children.clone().map(|child| child.proved)) {
            return WinProbability::solved(won);
        }
        WinProbability::open(match mover {
            Player::Or => 1.0 - children.map(|child| 1.0 - child.probability).product::<f64>(),
            Player::And => children.map(|child| child.probability).product(),
        })
    }

    fn proved(&self, value: WinProbability) -> Option<bool> {
        value.proved
    }

    fn believed(&self, value: WinProbability) -> Option<bool> {
        if self.precision <= 0.0 {
            None
        } else if value.probability >= 1.0 - self.precision {
            Some(true)
        } else {
            (value.probability <= self.precision).then_some(false)
        }
    }

    /// Below a solved child there is nothing to search, whatever its probability.
    fn priority(&self, mover: Player, _: WinProbability, child: WinProbability) -> Option<f64> {
        child.proved.is_none().then(|| child.seen_by(mover))
    }

    /// A proof outranks any probability, even one that was rounded to 0 or 1.
    fn move_score(&self, mover: Player, child: WinProbability) -> f64 {
        let beyond = |won| if won == (mover == Player::Or) { 2.0 } else { -1.0 };
        child.proved.map_or(child.seen_by(mover), beyond)
    }

    fn win_estimate(&self, value: WinProbability) -> f64 {
        value.probability
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn method(precision: f64) -> PpnsMethod {
        PpnsMethod { runner: PlayoutRunner::new(Playouts::default()), theta: 0.01, precision }
    }

    fn backup(mover: Player, probabilities: &[f64]) -> WinProbability {
        method(0.0).backup(
            mover,
            probabilities.iter().map(|&probability| WinProbability::open(probability)),
        )
    }

    #[test]
    fn probabilities_multiply() {
        assert_eq!(
            backup(Player::Or, &[0.5, 0.5, 0.2]),
            WinProbability::open(1.0 - 0.5 * 0.5 * 0.8)
        );
        assert_eq!(backup(Player::And, &[0.5, 0.5, 0.2]), WinProbability::open(0.5 * 0.5 * 0.2));
    }

    #[test]
    fn leaves_stay_away_from_certainty() {
        assert_eq!(method(0.0).leaf_probability(1.0), WinProbability::open(0.99));
        assert_eq!(method(0.0).leaf_probability(0.0), WinProbability::open(0.01));
        assert_eq!(method(0.0).leaf_probability(0.7), WinProbability::open(0.7));
    }

    #[test]
    fn probabilities_that_round_to_certainty_are_not_proofs() {
        let sure = backup(Player::Or, &[1.0 - 1e-10; 9]);
        assert_eq!((sure.probability, sure.proved), (1.0, None));
        let hopeless = backup(Player::And, &[1e-100; 9]);
        assert_eq!((hopeless.probability, hopeless.proved), (0.0, None));
        assert_eq!(method(0.0).believed(sure), None);
        assert_eq!(method(1e-9).believed(sure), Some(true));
        assert_eq!(method(1e-9).believed(hopeless), Some(false));
        assert_eq!(method(1e-9).believed(WinProbability::open(0.5)), None);
    }

    #[test]
    fn an_open_child_is_searched_before_a_solved_one() {
        let (none, lost) = (WinProbability::open(0.0), WinProbability::solved(false));
        let priority = |child| method(0.0).priority(Player::Or, none, child);
        assert_eq!((priority(none), priority(lost)), (Some(0.0), None));
        let move_score = |child| method(0.0).move_score(Player::Or, child);
        assert!(move_score(none) > move_score(lost));
        assert!(move_score(WinProbability::solved(true)) > move_score(WinProbability::open(1.0)));
    }
}
