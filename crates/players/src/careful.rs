//! `careful`: the purple worst case. It plays a proven win whenever the exact solver has one, stops
//! a proven loss, and otherwise searches the purple position with a plain evaluation.

use crate::prover::{Proved, Prover};
use crate::purple::{Purple, Search, TABLE_MEMORY};
use crate::rush::steps_to_exit;
use games::geister::{Game, Move, Standard};
use games::hidden::InformationState;
use geister::board::turned_square;
use geister::tablebase::Tablebase;
use play::{Player, Thinking};
use rand::seq::IndexedRandom;
use search::{Evaluate, Limits};
use std::time::Instant;

/// The depth limit of the search, in plies.
const MAX_DEPTH: u32 = 40;

/// Plays it safe.
pub struct Careful {
    prover: Prover,
    search: Search<Plain>,
}

impl Careful {
    /// With these tables of small endings.
    pub fn new(tables: &Tablebase) -> Careful {
        Careful { prover: Prover::new(tables), search: Search::new(Plain, TABLE_MEMORY) }
    }
}

impl Player<Game> for Careful {
    fn choose(&mut self, history: &InformationState<Game>, thinking: &Thinking) -> Move {
        let now = history.now();
        let deadline = Instant::now() + thinking.time.mul_f64(0.9);
        let moves = match self.prover.prove(now, thinking.time / 5) {
            Proved::Win(mv) => return mv,
            Proved::Safe(moves) => moves,
        };
        let time = deadline.saturating_duration_since(Instant::now());
        let limits = Limits { depth: MAX_DEPTH, time: Some(time), ..Limits::default() };
        let found = self.search.search(&Purple::from(now), &moves, 1, &limits);
        let best = found.moves[0].1;
        // Only the first score is exact, so that equal ones may be worse: take the first, except at
        // the very first moves, which are varied at random.
        let equal: Vec<Move> =
            found.moves.iter().filter(|(_, score)| *score == best).map(|(mv, _)| *mv).collect();
        if now.ply() < 2 {
            return *equal.choose(&mut thinking.rng(now.ply())).unwrap_or(&equal[0]);
        }
        equal[0]
    }
}

/// The evaluation: material and distances to the exits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

/// The value of a piece by its steps to the nearest exit.
const NEAR: [i32; 12] = [90, 60, 38, 24, 14, 8, 4, 2, 0, 0, 0, 0];

impl Evaluate<Purple> for Plain {
    fn evaluate(&self, position: &Purple) -> i32 {
        let state = &position.state;
        let own: i32 = state
            .blue
            .map(|square| NEAR[steps_to_exit::<Standard>(square) as usize])
            .max()
            .unwrap_or(0);
        let theirs = |square| NEAR[steps_to_exit::<Standard>(turned_square(square)) as usize];
        let danger: i32 = state.hidden.map(theirs).max().unwrap_or(0);
        let blues = 120 * state.blue.count() as i32;
        // A red that was captured is a step towards winning, and one guard less.
        let reds = -25 * state.red.count() as i32;
        let prey = match position.hidden_red {
            1 => -90,
            2 => -30,
            _ => 0,
        };
        let turn = if position.own_turn { 6 } else { -6 };
        blues + reds + own - danger + prey + turn - 10 * state.hidden.count() as i32
    }
}
