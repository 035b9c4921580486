//! `careful`: the purple worst case. It plays a proven win whenever the exact solver has one, stops
//! a proven loss, and otherwise searches the purple position with a plain evaluation.

use crate::history::History;
use crate::player::{Player, Thinking};
use crate::prover::{Proved, Prover};
use crate::purple::{Evaluate, Purple, Search, Value};
use crate::random::any_placement;
use crate::rush::steps_to_exit;
use games::geister::{Board, Move, Placement, Standard};
use geister::tablebase::Tables;
use rand::seq::IndexedRandom;
use std::time::Instant;

/// No search goes deeper.
const DEEPEST: u32 = 40;

/// Plays it safe.
pub struct Careful {
    prover: Prover,
    search: Search<Plain>,
}

impl Careful {
    /// With these tables of small endings.
    pub fn new(tables: &Tables) -> Careful {
        Careful { prover: Prover::new(tables), search: Search::new(Plain) }
    }
}

impl Player<Standard> for Careful {
    fn place(&mut self, thinking: &Thinking) -> Placement<Standard> {
        any_placement(&mut thinking.rng(0))
    }

    fn choose(&mut self, history: &History<Standard>, thinking: &Thinking) -> Move {
        let now = history.now();
        let deadline = Instant::now() + thinking.time.mul_f64(0.9);
        let moves = match self.prover.prove(now, thinking.time / 5) {
            Proved::Win(mv) => return mv,
            Proved::Safe(moves) => moves,
        };
        let found = self.search.search(&Purple::new(now), &moves, 1, DEEPEST, deadline);
        let best = found.moves[0].1;
        // Only the first value is exact, so that equal ones may be worse: take the first, but for
        // the very first moves, which chance varies.
        let equal: Vec<Move> =
            found.moves.iter().filter(|(_, value)| *value == best).map(|(mv, _)| *mv).collect();
        if now.ply() < 2 {
            return *equal.choose(&mut thinking.rng(now.ply())).unwrap_or(&equal[0]);
        }
        equal[0]
    }
}

/// Material and ways to the exits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

/// What an own blue is worth at so many steps from an exit.
const NEAR: [Value; 12] = [90, 60, 38, 24, 14, 8, 4, 2, 0, 0, 0, 0];

impl Evaluate for Plain {
    fn value(&self, position: &Purple) -> Value {
        let own: Value = position
            .blue
            .map(|square| NEAR[steps_to_exit::<Standard>(square) as usize])
            .max()
            .unwrap_or(0);
        let theirs = |square| NEAR[steps_to_exit::<Standard>(Standard::turned(square)) as usize];
        let danger: Value = position.others.map(theirs).max().unwrap_or(0);
        let blues = 120 * position.blue.count() as Value;
        // A red that was captured is a step towards winning, and one guard less.
        let reds = -25 * position.red.count() as Value;
        let prey = match position.others_red {
            1 => -90,
            2 => -30,
            _ => 0,
        };
        let turn = if position.own_turn { 6 } else { -6 };
        blues + reds + own - danger + prey + turn - 10 * position.others.count() as Value
    }
}
