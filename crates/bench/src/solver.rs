//! The speed of the solver, and a signature of its search.
//!
//! The signature is the number of expanded nodes over fixed positions on one thread. It is the same
//! on every machine; a change that should not alter the search keeps it.

use crate::{Failure, VERSION};
use clap::ValueEnum;
use games::geister::Position;
use geister::reference::{Puzzle, Techniques};
use geister::solver::Solver;
use search::{AlphaBeta, Budget, DepthSearch, DfPn, Limits, Pns, Steps, Verdict, deepen};
use serde::Serialize;
use std::fmt;
use std::num::NonZeroU32;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Random placements of one to three ghosts of each kind, half of them not revealed.
const POSITIONS: &str = include_str!("positions.txt");

/// The depth of the papers' experiments.
pub const DEFAULT_DEPTH: u32 = 17;

/// The algorithm that is measured.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Algorithm {
    /// The solver of every command and of the site.
    Solver,
    /// The reference: df-pn with deepening by two plies.
    DfPn,
    /// Alpha-beta with a transposition table.
    AlphaBeta,
    /// Proof-number search.
    Pns,
}

/// The settings of a measurement.
#[derive(Clone, Copy)]
pub struct Settings {
    /// The limits of each search; the depth is [`DEFAULT_DEPTH`] for the signature.
    pub limits: Limits,
    /// Threads of the solver.
    pub threads: NonZeroU32,
    /// Passes over all positions, at least one.
    pub repeat: u32,
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Techniques of the reference algorithms.
    pub techniques: Techniques,
}

/// The result over all positions.
#[derive(Serialize)]
pub struct Report {
    v: u32,
    positions: usize,
    depth: u32,
    won: usize,
    unknown: usize,
    nodes: u64,
    signature: String,
    seconds: Vec<f64>,
    nodes_per_second: f64,
}

/// One pass over all positions.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Totals {
    won: usize,
    unknown: usize,
    nodes: u64,
}

/// Searches all positions, several times.
///
/// # Errors
/// If a position of the bench cannot be read.
pub fn run(
    settings: &Settings,
    stop: &AtomicBool,
    on_progress: &dyn Fn(String),
) -> Result<Report, Failure> {
    let positions = positions()?;
    let mut seconds = Vec::new();
    let mut totals = Totals::default();
    for round in 0..settings.repeat.max(1) {
        on_progress(format!("round {} of {}", round + 1, settings.repeat));
        let start = Instant::now();
        totals = pass(&positions, settings, stop);
        seconds.push(start.elapsed().as_secs_f64());
    }
    seconds.sort_by(f64::total_cmp);
    Ok(Report {
        v: VERSION,
        positions: positions.len(),
        depth: settings.limits.depth,
        won: totals.won,
        unknown: totals.unknown,
        nodes: totals.nodes,
        signature: signature(&totals),
        nodes_per_second: totals.nodes as f64 / seconds[0].max(1e-9),
        seconds,
    })
}

fn positions() -> Result<Vec<Position>, Failure> {
    let parse =
        |text: &str| text.parse().map_err(|error| format!("bench position {text}: {error}"));
    POSITIONS.lines().filter(|line| !line.starts_with('#')).map(parse).collect()
}

/// A search cut short by a limit has no signature: how far it got depends on the machine.
fn signature(totals: &Totals) -> String {
    if totals.unknown == 0 { totals.nodes.to_string() } else { "none".into() }
}

fn pass(positions: &[Position], settings: &Settings, stop: &AtomicBool) -> Totals {
    let memory = settings.limits.memory;
    let mut solver = Solver::new(memory).with_threads(settings.threads);
    let mut totals = Totals::default();
    for position in positions {
        let mut budget = Budget::new(&settings.limits).stopped_by(stop);
        let puzzle = Puzzle::new(*position, settings.techniques);
        let verdict = match settings.algorithm {
            Algorithm::Solver => solver.verdict(position, &mut budget, &mut ()).verdict,
            Algorithm::DfPn => reference(&puzzle, DfPn::new(memory), &mut budget),
            Algorithm::AlphaBeta => reference(&puzzle, AlphaBeta::with_table(memory), &mut budget),
            Algorithm::Pns => reference(&puzzle, Pns::new(memory), &mut budget),
        };
        totals.nodes += budget.nodes();
        totals.won += usize::from(matches!(verdict, Verdict::Win(_)));
        totals.unknown += usize::from(matches!(verdict, Verdict::Unknown { .. }));
    }
    totals
}

fn reference(
    puzzle: &Puzzle,
    mut search: impl DepthSearch<Puzzle>,
    budget: &mut Budget<'_>,
) -> Verdict {
    deepen(&mut search, puzzle, Steps::default(), budget, &mut ())
}

impl Report {
    /// Whether every search came to an end.
    pub fn is_complete(&self) -> bool {
        self.unknown == 0
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { positions, depth, won, unknown, nodes, signature, .. } = self;
        let times = &self.seconds;
        let (best, median, worst) = (times[0], times[times.len() / 2], times[times.len() - 1]);
        let each = Duration::from_secs_f64(best / *positions as f64);
        write!(
            f,
            "{positions} positions, {depth} plies: {won} won, {unknown} unknown\n\
             time       {best:.3} s (median {median:.3} s, slowest {worst:.3} s of {}), {each:.1?} a position\n\
             nodes      {nodes}\n\
             nodes/s    {:.0}\n\
             signature  {signature}\n",
            times.len(),
            self.nodes_per_second,
        )
    }
}
