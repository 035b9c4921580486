//! What can be proved about a turn, at both ends: a sure win of the own side, by the exact solver and by
//! tables of small endings; and sure losses, in the purple worst case.

use crate::purple::Purple;
use games::Seat;
use games::geister::{Move, Observation, Position};
use geister::solver::Solver;
use geister::tablebase::Tablebase;
use search::{Budget, Limits, Verdict};
use std::time::Duration;

/// A win of up to so many plies is never missed.
pub const SURE_WIN: u32 = 9;
/// A loss within so many plies of the opponent's turn is avoided if it can be.
pub const SURE_LOSS: u32 = 5;
/// Wins are looked for up to here while there is time; those of a table are known however long.
const DEEP_WIN: u32 = 21;

/// Memory of the solver.
const MEMORY: usize = 4 << 20;

/// Proves what it can.
pub struct Prover {
    solver: Solver,
}

/// What is proved about a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proved {
    /// This wins.
    Win(Move),
    /// Nothing is known to win; these do not lose within [`SURE_LOSS`] plies if any move does not.
    Safe(Vec<Move>),
}

impl Prover {
    /// With these tables of small endings.
    pub fn new(tables: &Tablebase) -> Prover {
        Prover { solver: Solver::new(MEMORY).with_tablebase(tables.clone()) }
    }

    /// A move of a proven win, looked for within `time` beyond [`SURE_WIN`] plies, or all safe moves.
    pub fn prove(&mut self, now: &Observation, time: Duration) -> Proved {
        self.win(now, time).map_or_else(|| Proved::Safe(safe_moves(now)), Proved::Win)
    }

    /// A first move of a proven win: of up to [`SURE_WIN`] plies at any cost, of more within `time`.
    fn win(&mut self, now: &Observation, time: Duration) -> Option<Move> {
        let position = now.purple()?;
        if self.solver.has_table_for(&position) {
            return self.win_within(&position, &Limits::default());
        }
        let sure = Limits { depth: SURE_WIN, ..Limits::default() };
        let deep = Limits { depth: DEEP_WIN, time: Some(time), ..Limits::default() };
        [sure, deep].iter().find_map(|limits| self.win_within(&position, limits))
    }

    fn win_within(&mut self, position: &Position, limits: &Limits) -> Option<Move> {
        let answer = self.solver.verdict(position, &mut Budget::new(limits), &mut ());
        let Verdict::Win(plies) = answer.verdict else { return None };
        let budget = &mut Budget::new(&Limits::default());
        self.solver.main_line(position, plies, budget).first().copied()
    }
}

/// Of the legal moves, those after which the opponent has no proven win within [`SURE_LOSS`] plies;
/// all of them if there are none.
fn safe_moves(now: &Observation) -> Vec<Move> {
    let purple = Purple::from(now);
    let moves = now.legal_moves();
    let is_safe = |mv: &Move| match *mv {
        Move::Escape { .. } => true,
        Move::Step { from, to } => match purple.step(from, to) {
            Err(end) => end.winner() == Some(Seat::First),
            Ok(after) => !after.is_lost_within(SURE_LOSS),
        },
    };
    let safe: Vec<Move> = moves.iter().copied().filter(is_safe).collect();
    if safe.is_empty() { moves } else { safe }
}
