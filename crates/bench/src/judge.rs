//! How long the site takes to judge a move, over the collection.

use crate::{Failure, VERSION};
use games::Seat;
use geister::judge::{Patience, judge};
use geister::solver::Solver;
use puzzle::Puzzle;
use serde::Serialize;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

/// The memory of a solver of the site.
const MEMORY_BYTES: usize = 64 << 20;

/// The times to judge a move.
#[derive(Serialize)]
pub struct Report {
    v: u32,
    puzzles: usize,
    moves: usize,
    unanswered: usize,
    median_ms: f64,
    p95_ms: f64,
    p99_ms: f64,
    longest_ms: f64,
    longest_at: String,
}

/// Judges every legal move along the main line of each `every`th puzzle of the collection, looking
/// for longer wins for `beyond` nodes; `None` if it was stopped.
///
/// # Errors
/// If the collection cannot be read.
pub fn run(
    every: usize,
    beyond: u64,
    stop: &AtomicBool,
    on_progress: &dyn Fn(String),
) -> Result<Option<Report>, Failure> {
    let all = puzzle::shipped::puzzles().map_err(|error| error.to_string())?;
    let puzzles: Vec<&Puzzle> = all.iter().step_by(every.max(1)).collect();
    let patience = Patience { beyond, ..Patience::default() };
    let mut solver = Solver::new(MEMORY_BYTES);
    let (mut times, mut unanswered) = (Vec::new(), 0);
    for (number, puzzle) in puzzles.iter().enumerate() {
        if stop.load(Relaxed) {
            return Ok(None);
        }
        on_progress(format!("puzzle {} of {}", number + 1, puzzles.len()));
        unanswered += judge_along(&mut solver, puzzle, patience, &mut times);
    }
    times.sort_by(|a: &(f64, String), b| a.0.total_cmp(&b.0));
    let at = |share: f64| {
        let index = (share * times.len() as f64) as usize;
        times.get(index.min(times.len().saturating_sub(1))).cloned().unwrap_or_default()
    };
    let (longest_ms, longest_at) = at(1.0);
    Ok(Some(Report {
        v: VERSION,
        puzzles: puzzles.len(),
        moves: times.len(),
        unanswered,
        median_ms: at(0.5).0,
        p95_ms: at(0.95).0,
        p99_ms: at(0.99).0,
        longest_ms,
        longest_at,
    }))
}

/// Judges every move along the main line; returns how many could not be judged.
fn judge_along(
    solver: &mut Solver,
    puzzle: &Puzzle,
    patience: Patience,
    times: &mut Vec<(f64, String)>,
) -> usize {
    let (mut position, mut plies, mut unanswered) = (puzzle.position, puzzle.m_win, 0);
    for &mv in &puzzle.line {
        let is_own_turn = position.turn() == Seat::First;
        for tried in position.legal_moves().into_iter().filter(|_| is_own_turn) {
            let start = Instant::now();
            let judged = judge(solver, &position, plies, tried, None, patience);
            times.push((start.elapsed().as_secs_f64() * 1e3, puzzle.id()));
            unanswered += usize::from(judged.is_err());
        }
        position = position.play_unchecked(mv);
        plies -= 1;
    }
    unanswered
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report {
            puzzles,
            moves,
            unanswered,
            median_ms,
            p95_ms,
            p99_ms,
            longest_ms,
            longest_at,
            ..
        } = self;
        writeln!(
            f,
            "{moves} moves of {puzzles} puzzles: median {median_ms:.3} ms, 19 of 20 under {p95_ms:.1} ms, \
         99 of 100 under {p99_ms:.1} ms, longest {longest_ms:.0} ms (puzzle {longest_at}); \
         {unanswered} without an answer."
        )
    }
}
