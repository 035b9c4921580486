//! One game by Expectimax, and the single conspiracy number of every turn.

use crate::{LabError, Run};
use classic::twenty48::{Solitaire, Weights, best_move, plies};
use common::rng::stream;
use games::twenty48::Packed;
use rand::RngCore;
use search::{Budget, ConspiracyNumber, Limits, conspiracy_number};
use serde::{Deserialize, Serialize};

/// The threshold as a fraction of the value of the next milestone alone in the best cell.
///
/// P4 starts with a `T` that it does not print and doubles it with every milestone (equation 10).
/// Of 0.6, 0.8, 0.9, 1, 1.2 and 9 this one came nearest to the average velocity and momentum of its
/// table 6: the next milestone in its place, and a fifth more for the tiles around it.
pub(super) const THRESHOLD: f64 = 1.2;

/// The tree that a conspiracy number is counted in; P4 does not say which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tree {
    /// The same for every player: two plies below the move.
    Common,
    /// The one that the player searches.
    Own,
}

impl Tree {
    pub(super) const ALL: [Tree; 2] = [Tree::Common, Tree::Own];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Tree::Common => "common (d = 2)",
            Tree::Own => "the player's",
        }
    }

    const fn depth(self, d: u32) -> u32 {
        match self {
            Tree::Common => 2,
            Tree::Own => d,
        }
    }
}

/// A game that was played to its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Game {
    pub(super) score: u64,
    /// The conspiracy numbers of each turn, one for each [`Tree`]; none if it is infinite.
    pub(super) numbers: Vec<[Option<u32>; 2]>,
    /// The turns at which the largest tile was a new one, and its power of two.
    pub(super) milestones: Vec<(u32, u32)>,
}

impl Game {
    /// Moves made.
    pub(super) fn steps(&self) -> u64 {
        self.numbers.len() as u64
    }

    /// The power of two of the highest tile.
    pub(super) fn highest(&self) -> u32 {
        self.milestones.last().map_or(0, |(_, power)| *power)
    }
}

/// `T` while the largest tile is this power of two.
fn threshold(weights: &Weights, largest: u32) -> f64 {
    THRESHOLD * weights.max_weight() * f64::from(1_u32 << (largest + 1))
}

/// Plays game number `trial` at depth `d`. The same trial starts alike at every depth.
pub(super) fn play(run: &Run<'_>, weights: &Weights, d: u32, trial: u64) -> Result<Game, LabError> {
    let mut dice = stream(run.seed, trial);
    let mut grid = Packed::new().drawn(dice.next_u64()).drawn(dice.next_u64());
    let mut game = Game { score: 0, numbers: Vec::new(), milestones: Vec::new() };
    let mut budget = Budget::new(&Limits::default()).stopped_by(run.stop);
    let value = |position: &Solitaire| weights.value(position.0);
    loop {
        if game.highest() < grid.largest_power() {
            game.milestones.push((game.numbers.len() as u32, grid.largest_power()));
        }
        let best = best_move(grid, d, weights, &mut budget).map_err(|_| LabError::Stopped)?;
        let Some(slid) = best.and_then(|direction| grid.slide(direction)) else {
            return Ok(game);
        };
        let aim = threshold(weights, grid.largest_power());
        let mut number = |tree: Tree| {
            let plies = plies(tree.depth(d));
            let found = conspiracy_number(&Solitaire(grid), plies, aim, &value, &mut budget);
            found.map(ConspiracyNumber::finite).map_err(|_| LabError::Stopped)
        };
        let common = number(Tree::Common)?;
        let own =
            if Tree::Own.depth(d) == Tree::Common.depth(d) { common } else { number(Tree::Own)? };
        game.numbers.push([common, own]);
        game.score += slid.gain;
        grid = slid.grid.drawn(dice.next_u64());
    }
}
