//! `spuk bench judge`: how long the site's judge takes to answer a move, over the collection.

use crate::output::print;
use crate::progress::Line;
use crate::report::{VERSION, json_line};
use crate::{Failure, exit, interrupt};
use clap::Args;
use games::Seat;
use geister::judge::{Patience, judge};
use geister::solver::Solver;
use puzzle::Puzzle;
use serde::Serialize;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// What the site gives each of its judges.
const MEMORY: usize = 64 << 20;

#[derive(Args)]
#[command(after_help = "\
Every legal move in every own position along the main line of each puzzle is judged as the site does it, \
without tables and from nothing each time: right, longer or lost, with the reply.")]
pub(crate) struct Arguments {
    /// Take every Nth puzzle of the collection.
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Look for longer wins for so many nodes.
    #[arg(long, value_name = "NODES", default_value_t = Patience::default().beyond)]
    beyond: u64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Record {
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

/// Measures and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let stop = interrupt::listen()?;
    let all = puzzle::shipped::puzzles().map_err(|error| error.to_string())?;
    let puzzles: Vec<&Puzzle> = all.iter().step_by(arguments.every as usize).collect();
    let line = Line::new();
    let patience = Patience { beyond: arguments.beyond, ..Patience::default() };
    let mut solver = Solver::new(MEMORY);
    let (mut times, mut unanswered) = (Vec::new(), 0);
    for (number, puzzle) in puzzles.iter().enumerate() {
        if stop.load(Relaxed) {
            return Ok(exit::UNKNOWN);
        }
        line.say(format!("puzzle {} of {}", number + 1, puzzles.len()));
        unanswered += judge_along(&mut solver, puzzle, patience, &mut times);
    }
    line.clear();
    times.sort_by(|a: &(f64, String), b| a.0.total_cmp(&b.0));
    let at = |share: f64| {
        let place = (share * times.len() as f64) as usize;
        times.get(place.min(times.len().saturating_sub(1))).cloned().unwrap_or_default()
    };
    let (longest_ms, longest_at) = at(1.0);
    let record = Record {
        v: VERSION,
        puzzles: puzzles.len(),
        moves: times.len(),
        unanswered,
        median_ms: at(0.5).0,
        p95_ms: at(0.95).0,
        p99_ms: at(0.99).0,
        longest_ms,
        longest_at,
    };
    print(&if arguments.json { json_line(&record) } else { text(&record) })?;
    Ok(exit::YES)
}

/// Judges every move along the main line; how many could not be judged.
fn judge_along(
    solver: &mut Solver,
    puzzle: &Puzzle,
    patience: Patience,
    times: &mut Vec<(f64, String)>,
) -> usize {
    let (mut position, mut plies, mut unanswered) = (puzzle.position, puzzle.m_win, 0);
    for &mv in &puzzle.line {
        let own = position.turn() == Seat::First;
        for tried in position.moves().into_iter().filter(|_| own) {
            let begun = Instant::now();
            let judged = judge(solver, &position, plies, tried, None, patience);
            times.push((begun.elapsed().as_secs_f64() * 1e3, puzzle.id()));
            unanswered += usize::from(judged.is_err());
        }
        position = position.play_unchecked(mv);
        plies -= 1;
    }
    unanswered
}

fn text(record: &Record) -> String {
    let Record {
        puzzles,
        moves,
        unanswered,
        median_ms,
        p95_ms,
        p99_ms,
        longest_ms,
        longest_at,
        ..
    } = record;
    format!(
        "{moves} moves of {puzzles} puzzles: median {median_ms:.3} ms, 19 of 20 under {p95_ms:.1} ms, \
         99 of 100 under {p99_ms:.1} ms, longest {longest_ms:.0} ms (puzzle {longest_at}); \
         {unanswered} without an answer.\n"
    )
}
