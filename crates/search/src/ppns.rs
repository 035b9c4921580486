//! Probability-based proof-number search (Song, Iida & van den Herik 2019; P4 III).
//!
//! A node carries one number, the chance `c` that OR wins:
//!
//! | node | `c` |
//! |---|---|
//! | won for OR, or not (a draw is not) | 1, or 0 |
//! | leaf, `R` the share of its playouts that OR wins | `R`; for 1 `1 - theta`, for 0 `theta` |
//! | OR | `1 - prod(1 - c)` over the children |
//! | AND | `prod(c)` over the children |
//!
//! The most urgent leaf is found from the root through the child with the greatest `c` at OR, the
//! least at AND. The opinion is `c`, and the best move is chosen like the child.
//!
//! # Proof and belief
//!
//! `c` is a float: it rounds to 0 or 1 long before anything is proved, and it treats positions
//! that depend on each other as if they did not. So what is proved is kept beside it, exactly.
//! A [precision](Ppns::precision) above 0 (`pr` in P4, which nowhere defines it) ends the search
//! when the root's `c` is at least `1 - pr` or at most `pr`. That is
//! [`Conclusion::Believed`](crate::Conclusion::Believed), never a proof. It is asked of the root
//! only, after each iteration.

use crate::and_or::{AndOr, Player};
use crate::best_first::{Bounds, Method, proved_by, run};
use crate::limits::Budget;
use crate::playout::{Dice, Playouts};
use crate::solve::{Iteration, Solve, Solved};

/// Probability-based proof-number search.
///
/// With a precision of 0 its conclusions are proofs. Settings out of their range make the search
/// aimless, but not its proofs wrong.
#[derive(Clone, Debug)]
pub struct Ppns {
    /// How leaves are judged.
    pub playouts: Playouts,
    /// How far a leaf that is not solved stays from 0 and 1; above 0 and at most 1/2.
    pub theta: f64,
    /// How close to 0 or 1 the root must be to end the search on belief, below 1/2; 0 for never.
    pub precision: f64,
}

impl Default for Ppns {
    /// A theta of 0.001, the best one for Connect Four in P4, and proofs only.
    fn default() -> Self {
        Self { playouts: Playouts::default(), theta: 0.001, precision: 0.0 }
    }
}

impl<P: AndOr> Solve<P> for Ppns {
    fn watch(
        &mut self,
        position: &P,
        budget: &mut Budget<'_>,
        observer: &mut dyn FnMut(&Iteration<P::Move>),
    ) -> Solved<P::Move> {
        let bounds = Bounds::of(budget.limits());
        let (theta, precision) = (self.theta, self.precision);
        let method = Products { dice: Dice::new(self.playouts), theta, precision };
        run(method, position, bounds, budget, observer)
    }
}

/// The chance that OR wins, and what is proved of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Chance {
    chance: f64,
    proved: Option<bool>,
}

impl Chance {
    fn solved(won: bool) -> Self {
        Self { chance: f64::from(u8::from(won)), proved: Some(won) }
    }

    fn open(chance: f64) -> Self {
        Self { chance, proved: None }
    }

    /// The chance that the mover gets what it wants.
    fn seen_by(self, mover: Player) -> f64 {
        match mover {
            Player::Or => self.chance,
            Player::And => 1.0 - self.chance,
        }
    }
}

/// Chances as products of chances.
pub(crate) struct Products {
    pub(crate) dice: Dice,
    pub(crate) theta: f64,
    pub(crate) precision: f64,
}

impl Products {
    /// The chance of a leaf with so many of its playouts won.
    fn by_rate(&self, rate: f64) -> Chance {
        Chance::open(match rate {
            1.0 => 1.0 - self.theta,
            0.0 => self.theta,
            rate => rate,
        })
    }
}

impl Method for Products {
    type Value = Chance;

    const SLOW: bool = true;

    fn open(&self) -> Chance {
        Chance::open(0.5)
    }

    fn known(&self, won: bool) -> Chance {
        Chance::solved(won)
    }

    fn leaf<P: AndOr>(&mut self, position: &P, remaining: u32) -> Chance {
        let rate = self.dice.rate(position, remaining);
        self.by_rate(rate)
    }

    fn parent(&self, mover: Player, children: impl Iterator<Item = Chance> + Clone) -> Chance {
        if let Some(won) = proved_by(mover, children.clone().map(|child| child.proved)) {
            return Chance::solved(won);
        }
        Chance::open(match mover {
            Player::Or => 1.0 - children.map(|child| 1.0 - child.chance).product::<f64>(),
            Player::And => children.map(|child| child.chance).product(),
        })
    }

    fn proved(&self, value: Chance) -> Option<bool> {
        value.proved
    }

    fn believed(&self, value: Chance) -> Option<bool> {
        if self.precision <= 0.0 {
            None
        } else if value.chance >= 1.0 - self.precision {
            Some(true)
        } else {
            (value.chance <= self.precision).then_some(false)
        }
    }

    /// Below a solved child there is nothing to search, whatever its chance.
    fn urgency(&self, mover: Player, _: Chance, child: Chance) -> Option<f64> {
        child.proved.is_none().then(|| child.seen_by(mover))
    }

    /// A proof counts for more than any chance, even one that rounding made 0 or 1.
    fn merit(&self, mover: Player, child: Chance) -> f64 {
        let beyond = |won| if won == (mover == Player::Or) { 2.0 } else { -1.0 };
        child.proved.map_or(child.seen_by(mover), beyond)
    }

    fn opinion(&self, value: Chance) -> f64 {
        value.chance
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn products(precision: f64) -> Products {
        Products { dice: Dice::new(Playouts::default()), theta: 0.01, precision }
    }

    fn parent(mover: Player, chances: &[f64]) -> Chance {
        products(0.0).parent(mover, chances.iter().map(|&chance| Chance::open(chance)))
    }

    #[test]
    fn chances_multiply() {
        assert_eq!(parent(Player::Or, &[0.5, 0.5, 0.2]), Chance::open(1.0 - 0.5 * 0.5 * 0.8));
        assert_eq!(parent(Player::And, &[0.5, 0.5, 0.2]), Chance::open(0.5 * 0.5 * 0.2));
    }

    #[test]
    fn leaves_stay_away_from_certainty() {
        assert_eq!(products(0.0).by_rate(1.0), Chance::open(0.99));
        assert_eq!(products(0.0).by_rate(0.0), Chance::open(0.01));
        assert_eq!(products(0.0).by_rate(0.7), Chance::open(0.7));
    }

    #[test]
    fn what_rounds_to_certainty_is_not_proved() {
        let sure = parent(Player::Or, &[1.0 - 1e-10; 9]);
        assert_eq!((sure.chance, sure.proved), (1.0, None));
        let hopeless = parent(Player::And, &[1e-100; 9]);
        assert_eq!((hopeless.chance, hopeless.proved), (0.0, None));
        assert_eq!(products(0.0).believed(sure), None);
        assert_eq!(products(1e-9).believed(sure), Some(true));
        assert_eq!(products(1e-9).believed(hopeless), Some(false));
        assert_eq!(products(1e-9).believed(Chance::open(0.5)), None);
    }

    #[test]
    fn an_open_child_is_searched_before_a_solved_one() {
        let (none, lost) = (Chance::open(0.0), Chance::solved(false));
        let urgency = |child| products(0.0).urgency(Player::Or, none, child);
        assert_eq!((urgency(none), urgency(lost)), (Some(0.0), None));
        let merit = |child| products(0.0).merit(Player::Or, child);
        assert!(merit(none) > merit(lost));
        assert!(merit(Chance::solved(true)) > merit(Chance::open(1.0)));
    }
}
