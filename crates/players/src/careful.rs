//! `careful`: the purple worst case. It plays a proven win whenever the exact solver has one, stops
//! a proven loss, and otherwise searches the purple position with a plain evaluation.

use crate::history::History;
use crate::player::{Player, Thinking};
use crate::purple::{Evaluate, Purple, Search, Value};
use crate::random::{any_placement, moves_of};
use crate::rush::steps_to_exit;
use endgame::solver::Solver;
use games::geister::{Board, Move, Observation, Placement, Standard};
use rand::seq::IndexedRandom;
use search::{Budget, Limits, Verdict};
use std::time::{Duration, Instant};

/// A win of up to so many plies is never missed.
pub const SURE_WIN: u32 = 9;
/// A loss within so many plies of the opponent's turn is avoided if it can be.
pub const SURE_LOSS: u32 = 5;
/// Wins are looked for up to here while there is time.
const DEEP_WIN: u32 = 21;
/// No search goes deeper.
const DEEPEST: u32 = 40;

/// Plays it safe.
pub struct Careful {
    solver: Solver,
    search: Search<Plain>,
}

impl Default for Careful {
    fn default() -> Careful {
        Careful { solver: Solver::new(4 << 20), search: Search::new(Plain) }
    }
}

/// A first move of a proven win: of up to [`SURE_WIN`] plies at any cost, of more within `time`.
fn proven_win(solver: &mut Solver, now: &Observation<Standard>, time: Duration) -> Option<Move> {
    let position = now.purple()?;
    let sure = Limits { depth: SURE_WIN, ..Limits::default() };
    let deep = Limits { depth: DEEP_WIN, time: Some(time), ..Limits::default() };
    [sure, deep].into_iter().find_map(|limits| {
        let mut budget = Budget::new(&limits);
        let answer = solver.verdict(&position, &mut budget, &mut ());
        let Verdict::Win(plies) = answer.verdict else { return None };
        let budget = &mut Budget::new(&Limits::default());
        solver.main_line(&position, plies, budget).first().copied()
    })
}

/// What is proved about a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proved {
    /// This wins.
    Win(Move),
    /// Nothing is known to win; these do not lose within [`SURE_LOSS`] plies if any move does not.
    Safe(Vec<Move>),
}

/// A move of a proven win, looked for within `time` beyond [`SURE_WIN`] plies, or all safe moves.
pub fn proved(solver: &mut Solver, now: &Observation<Standard>, time: Duration) -> Proved {
    proven_win(solver, now, time).map_or_else(|| Proved::Safe(safe_moves(now)), Proved::Win)
}

/// Of the legal moves, those after which the opponent has no proven win within [`SURE_LOSS`] plies;
/// all of them if there are none.
fn safe_moves(now: &Observation<Standard>) -> Vec<Move> {
    let purple = Purple::new(now);
    let moves = moves_of(now);
    let is_safe = |mv: &Move| match *mv {
        Move::Escape { .. } => true,
        Move::Step { from, to } => match purple.step(from, to) {
            Err(end) => end == crate::purple::End::Won,
            Ok(after) => !after.is_lost_within(SURE_LOSS),
        },
    };
    let safe: Vec<Move> = moves.iter().copied().filter(is_safe).collect();
    if safe.is_empty() { moves } else { safe }
}

impl Player<Standard> for Careful {
    fn place(&mut self, thinking: &Thinking) -> Placement<Standard> {
        any_placement(&mut thinking.chance(0))
    }

    fn choose(&mut self, history: &History<Standard>, thinking: &Thinking) -> Move {
        let now = history.now();
        let deadline = Instant::now() + thinking.time.mul_f64(0.9);
        let moves = match proved(&mut self.solver, now, thinking.time / 5) {
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
            return *equal.choose(&mut thinking.chance(now.ply())).unwrap_or(&equal[0]);
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
