//! Random playouts (rollouts).

use crate::and_or::AndOr;
use common::rng::{SplitMix64, hash64};

/// The playout settings of the Monte-Carlo searches.
///
/// A playout makes uniformly random legal moves until the rules decide the game. It ends undecided
/// after [`length`](Self::length) plies or at the depth limit of the search, and then counts as not
/// won, like a draw. [`AndOr::static_result`] is not used: it assumes best play, not random play.
///
/// The seed determines every playout: the same search run twice gives the same result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playouts {
    /// Playouts for each new leaf; 0 counts as 1.
    pub per_leaf: u32,
    /// The maximum length of a playout in plies.
    pub length: u32,
    /// The seed of the random generator.
    pub seed: u64,
}

impl Default for Playouts {
    /// Ten playouts of at most 1,000 plies, seed 0.
    fn default() -> Self {
        Self { per_leaf: 10, length: 1000, seed: 0 }
    }
}

/// Runs playouts with one random generator.
#[derive(Debug)]
pub(crate) struct PlayoutRunner {
    playouts: Playouts,
    rng: SplitMix64,
}

impl PlayoutRunner {
    pub(crate) fn new(playouts: Playouts) -> Self {
        Self { playouts, rng: SplitMix64::new(hash64(playouts.seed)) }
    }

    /// The number of playouts per leaf, at least one.
    pub(crate) fn per_leaf(&self) -> u32 {
        self.playouts.per_leaf.max(1)
    }

    /// The number of a leaf's playouts that OR wins, with `remaining` plies to the depth limit.
    pub(crate) fn wins<P: AndOr>(&mut self, leaf: &P, remaining: u32) -> u32 {
        let (playouts, plies) = (self.per_leaf(), remaining.min(self.playouts.length));
        let mut moves = Vec::new();
        let won = |_: &u32| self.play(leaf.clone(), plies, &mut moves);
        (0..playouts).filter(won).count() as u32
    }

    /// The fraction of a leaf's playouts that OR wins.
    pub(crate) fn win_rate<P: AndOr>(&mut self, leaf: &P, remaining: u32) -> f64 {
        f64::from(self.wins(leaf, remaining)) / f64::from(self.per_leaf())
    }

    /// Whether OR wins one playout of at most `plies`.
    fn play<P: AndOr>(&mut self, mut position: P, plies: u32, moves: &mut Vec<P::Move>) -> bool {
        for _ in 0..plies {
            if let Some(won) = position.decided() {
                return won;
            }
            moves.clear();
            position.moves(moves);
            let Some(&chosen) = moves.get(self.rng.below(moves.len())) else { return false };
            position = position.play(chosen);
        }
        position.decided() == Some(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::and_or::Player;

    /// Three coins in a row; OR wins by three heads.
    #[derive(Clone)]
    struct Coins(Vec<bool>);

    impl AndOr for Coins {
        type Move = bool;
        fn to_move(&self) -> Player {
            Player::Or
        }
        fn decided(&self) -> Option<bool> {
            (self.0.len() == 3).then(|| self.0.iter().all(|&head| head))
        }
        fn moves(&self, out: &mut Vec<bool>) {
            out.extend([true, false]);
        }
        fn play(&self, head: bool) -> Self {
            Self([&self.0[..], &[head]].concat())
        }
        fn key(&self) -> u64 {
            self.0.iter().fold(1, |key, &head| key << 1 | u64::from(head))
        }
    }

    fn win_rate(playouts: Playouts, remaining: u32) -> f64 {
        PlayoutRunner::new(playouts).win_rate(&Coins(Vec::new()), remaining)
    }

    #[test]
    fn the_rate_is_that_of_random_play() {
        let playouts = Playouts { per_leaf: 80_000, ..Playouts::default() };
        assert!((win_rate(playouts, 3) - 0.125).abs() < 0.005);
    }

    #[test]
    fn unfinished_playouts_are_not_wins() {
        let playouts = Playouts { per_leaf: 1000, ..Playouts::default() };
        assert_eq!(win_rate(playouts, 2), 0.0);
        assert_eq!(win_rate(Playouts { length: 2, ..playouts }, 9), 0.0);
        assert!(win_rate(Playouts { length: 3, ..playouts }, 9) > 0.0);
    }

    #[test]
    fn zero_playouts_count_as_one() {
        let runner = PlayoutRunner::new(Playouts { per_leaf: 0, ..Playouts::default() });
        assert_eq!(runner.per_leaf(), 1);
    }
}
