//! UCT (Kocsis & Szepesvári 2006) as an MCTS solver with proved values (Winands, Björnsson & Saito
//! 2008; P4 II-C).
//!
//! A node counts the playouts below it and how many of them OR won. Selection follows the child
//! with the greatest upper confidence bound for the mover, `v + C * sqrt(ln N / n)`: `v` its win
//! rate, `n` its playouts, `N` those of the parent. One iteration expands one leaf; each child gets
//! its playouts immediately, as in the other searches of this crate, so that iterations are
//! comparable. A solved child counts as if all its playouts had that result.
//!
//! A proved node has the value plus or minus infinity and is not searched again. A draw is not a
//! win. The win estimate is `v`; the best move has the greatest `v + 1 / sqrt(n)`, with proved wins
//! first and proved losses last.
//!
//! With an [exploration](Uct::exploration) of 0 selection is greedy. This is how P4's "pure MCTS
//! solver", which has no confidence bound, is interpreted here.

use crate::and_or::{AndOr, Player};
use crate::best_first::{BestFirst, Method, proved_by};
use crate::playout::{PlayoutRunner, Playouts};

/// UCT with proved values. Its conclusions are proofs.
#[derive(Clone, Debug)]
pub struct Uct {
    /// The playouts that evaluate leaves.
    pub playouts: Playouts,
    /// The exploration constant `C`; at least 0.
    pub exploration: f64,
}

impl Default for Uct {
    /// A `C` of the square root of 2, as in the theory for values from 0 to 1.
    fn default() -> Self {
        Self { playouts: Playouts::default(), exploration: std::f64::consts::SQRT_2 }
    }
}

impl BestFirst for Uct {
    type Method = UctMethod;

    fn method(&self) -> UctMethod {
        let runner = PlayoutRunner::new(self.playouts);
        UctMethod { runner, exploration: self.exploration, proving: true }
    }
}

/// The playout statistics of a node, and its proved result if there is one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Visits {
    wins: u64,
    playouts: u64,
    proved: Option<bool>,
}

impl Visits {
    const NONE: Self = Self { wins: 0, playouts: 0, proved: None };

    fn with(self, more: Self) -> Self {
        let (wins, playouts) = (self.wins + more.wins, self.playouts + more.playouts);
        Self { wins, playouts, ..self }
    }

    /// OR's win rate; one half without playouts.
    fn share(self) -> f64 {
        if self.playouts == 0 { 0.5 } else { self.wins as f64 / self.playouts as f64 }
    }

    /// The mover's success rate.
    fn seen_by(self, mover: Player) -> f64 {
        match mover {
            Player::Or => self.share(),
            Player::And => 1.0 - self.share(),
        }
    }
}

/// The best-first method of [`Uct`] and [`Mcts`](crate::Mcts): a multi-armed bandit at every node.
pub(crate) struct UctMethod {
    pub(crate) runner: PlayoutRunner,
    pub(crate) exploration: f64,
    /// Whether proofs are backed up. If not, only leaves can be proved.
    pub(crate) proving: bool,
}

impl Method for UctMethod {
    type Value = Visits;

    const SLOW_LEAVES: bool = true;

    fn initial(&self) -> Visits {
        Visits::NONE
    }

    fn solved(&self, won: bool) -> Visits {
        let playouts = self.runner.per_leaf().into();
        Visits { wins: if won { playouts } else { 0 }, playouts, proved: Some(won) }
    }

    fn evaluate_leaf<P: AndOr>(&mut self, position: &P, remaining: u32) -> Visits {
        let wins = self.runner.wins(position, remaining).into();
        Visits { wins, playouts: self.runner.per_leaf().into(), proved: None }
    }

    fn backup(&self, mover: Player, children: impl Iterator<Item = Visits> + Clone) -> Visits {
        let visits = children.clone().fold(Visits::NONE, Visits::with);
        if !self.proving {
            return visits;
        }
        Visits { proved: proved_by(mover, children.map(|child| child.proved)), ..visits }
    }

    fn proved(&self, value: Visits) -> Option<bool> {
        value.proved
    }

    fn priority(&self, mover: Player, parent: Visits, child: Visits) -> Option<f64> {
        if self.proving && child.proved.is_some() {
            return None;
        }
        let rarity = (parent.playouts as f64).ln() / child.playouts as f64;
        Some(child.seen_by(mover) + self.exploration * rarity.sqrt())
    }

    fn move_score(&self, mover: Player, child: Visits) -> f64 {
        match child.proved {
            Some(won) if self.proving => {
                if won == (mover == Player::Or) {
                    f64::INFINITY
                } else {
                    f64::NEG_INFINITY
                }
            }
            _ => child.seen_by(mover) + 1.0 / (child.playouts as f64).sqrt(),
        }
    }

    fn win_estimate(&self, value: Visits) -> f64 {
        match value.proved {
            Some(won) => f64::from(u8::from(won)),
            None => value.share(),
        }
    }

    /// A revisited terminal leaf counts its playouts again, with the same results.
    fn revisit(&self, leaf: Visits) -> Visits {
        leaf.with(self.solved(leaf.proved == Some(true)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bandit(exploration: f64, proving: bool) -> UctMethod {
        UctMethod { runner: PlayoutRunner::new(Playouts::default()), exploration, proving }
    }

    fn visits(wins: u64, playouts: u64) -> Visits {
        Visits { wins, playouts, proved: None }
    }

    #[test]
    fn rarely_tried_moves_are_urgent() {
        let (parent, often, seldom) = (visits(60, 110), visits(55, 100), visits(5, 10));
        let priority = |c, child| bandit(c, true).priority(Player::Or, parent, child);
        assert!(priority(0.0, often) > priority(0.0, seldom));
        assert!(priority(1.4, often) < priority(1.4, seldom));
        let expected = 0.5 + 1.4 * (110_f64.ln() / 10.0).sqrt();
        assert!(priority(1.4, seldom).is_some_and(|priority| (priority - expected).abs() < 1e-12));
    }

    #[test]
    fn move_scores_are_from_the_movers_side() {
        let child = visits(3, 4);
        assert_eq!(bandit(1.0, true).move_score(Player::Or, child), 0.75 + 0.5);
        assert_eq!(bandit(1.0, true).move_score(Player::And, child), 0.25 + 0.5);
    }

    #[test]
    fn only_the_solver_backs_up_proofs() {
        let children = [visits(3, 4), bandit(1.0, true).solved(true)];
        let parent = |proving| bandit(1.0, proving).backup(Player::Or, children.into_iter());
        assert_eq!(parent(true), Visits { wins: 13, playouts: 14, proved: Some(true) });
        assert_eq!(parent(false), visits(13, 14));
    }

    #[test]
    fn revisiting_a_solved_leaf_counts_its_playouts_again() {
        let bandit = bandit(1.0, false);
        let met = bandit.revisit(bandit.solved(true));
        assert_eq!(met, Visits { wins: 20, playouts: 20, proved: Some(true) });
        let met = bandit.revisit(bandit.solved(false));
        assert_eq!(met, Visits { wins: 0, playouts: 20, proved: Some(false) });
    }
}
