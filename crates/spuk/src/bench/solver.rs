//! `spuk bench` alone: how fast the solver is, and its fingerprint.
//!
//! The signature is the number of expanded nodes over fixed positions on one thread. It is the same
//! on every machine; a change that should not alter the search keeps it.

use crate::limits::LimitArguments;
use crate::output::print;
use crate::progress::Line;
use crate::report::{VERSION, json_line};
use crate::{Failure, exit, interrupt};
use clap::{Args, ValueEnum};
use games::geister::Position;
use geister::reference::{Puzzle, Techniques};
use geister::solver::Solver;
use search::{AlphaBeta, Budget, DepthSearch, DfPn, Limits, Pns, Steps, Verdict, deepen};
use serde::Serialize;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Random placements of one to three ghosts of each kind, half of them not revealed.
const POSITIONS: &str = include_str!("positions.txt");

/// The depth of the papers' experiments.
const USUAL_DEPTH: u32 = 17;

/// Which algorithm is measured.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Algorithm {
    /// The solver that users get.
    Solver,
    /// The reference: df-pn with deepening by two plies.
    DfPn,
    /// Alpha-beta with a table.
    AlphaBeta,
    /// Proof-number search.
    Pns,
}

#[derive(Args)]
#[command(after_help = "\
The signature is the number of expanded nodes at the usual depth on one thread: equal signatures mean \
equal searches. The reference algorithms are much slower; give them a smaller --depth or a --time for \
each position.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    limits: LimitArguments,
    /// Measure so many times and tell the fastest, the median and the slowest.
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,
    /// What to measure.
    #[arg(long, value_enum, default_value = "solver")]
    algorithm: Algorithm,
    /// For the reference algorithms: do not judge escapes before moving.
    #[arg(long)]
    no_escape_first: bool,
    /// For the reference algorithms: do not use the lower bounds on escape and capture.
    #[arg(long)]
    no_lower_bounds: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Record {
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

/// Measures and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let stop = interrupt::listen()?;
    let positions = positions()?;
    let progress = Line::new();
    let mut seconds = Vec::new();
    let mut totals = Totals::default();
    for round in 0..arguments.repeat {
        progress.say(format!("round {} of {}", round + 1, arguments.repeat));
        let start = Instant::now();
        totals = pass(&positions, arguments, stop);
        seconds.push(start.elapsed().as_secs_f64());
    }
    progress.clear();
    seconds.sort_by(f64::total_cmp);
    let record = Record {
        v: VERSION,
        positions: positions.len(),
        depth: depth(arguments),
        won: totals.won,
        unknown: totals.unknown,
        nodes: totals.nodes,
        signature: signature(&totals),
        nodes_per_second: totals.nodes as f64 / seconds[0].max(1e-9),
        seconds,
    };
    print(&if arguments.json { json_line(&record) } else { text(&record) })?;
    Ok(if totals.unknown > 0 { exit::UNKNOWN } else { exit::YES })
}

fn positions() -> Result<Vec<Position>, Failure> {
    let parse =
        |text: &str| text.parse().map_err(|error| format!("bench position {text}: {error}"));
    POSITIONS.lines().filter(|line| !line.starts_with('#')).map(parse).collect()
}

fn depth(arguments: &Arguments) -> u32 {
    arguments.limits.depth.unwrap_or(USUAL_DEPTH)
}

/// A search cut short by a limit has no signature: how far it got depends on the machine.
fn signature(totals: &Totals) -> String {
    if totals.unknown == 0 { totals.nodes.to_string() } else { "none".into() }
}

fn pass(positions: &[Position], arguments: &Arguments, stop: &AtomicBool) -> Totals {
    let LimitArguments { nodes, time, memory, threads, .. } = arguments.limits;
    let limits = Limits { depth: depth(arguments), nodes, time, memory };
    let mut solver = Solver::new(memory).with_threads(threads);
    let mut totals = Totals::default();
    for position in positions {
        let mut budget = Budget::new(&limits).stopped_by(stop);
        let verdict = match arguments.algorithm {
            Algorithm::Solver => solver.verdict(position, &mut budget, &mut ()).verdict,
            Algorithm::DfPn => reference(position, arguments, DfPn::new(memory), &mut budget),
            Algorithm::AlphaBeta => {
                reference(position, arguments, AlphaBeta::with_table(memory), &mut budget)
            }
            Algorithm::Pns => reference(position, arguments, Pns::new(memory), &mut budget),
        };
        totals.nodes += budget.nodes();
        totals.won += usize::from(matches!(verdict, Verdict::Win(_)));
        totals.unknown += usize::from(matches!(verdict, Verdict::Unknown { .. }));
    }
    totals
}

fn reference(
    position: &Position,
    arguments: &Arguments,
    mut search: impl DepthSearch<Puzzle>,
    budget: &mut Budget<'_>,
) -> Verdict {
    let techniques = Techniques {
        escape_before_moving: !arguments.no_escape_first,
        lower_bounds: !arguments.no_lower_bounds,
    };
    let puzzle = Puzzle::new(*position, techniques);
    deepen(&mut search, &puzzle, Steps::default(), budget, &mut ())
}

fn text(record: &Record) -> String {
    let Record { positions, depth, won, unknown, nodes, signature, .. } = record;
    let times = &record.seconds;
    let (best, middle, worst) = (times[0], times[times.len() / 2], times[times.len() - 1]);
    let each = Duration::from_secs_f64(best / *positions as f64);
    format!(
        "{positions} positions, {depth} plies: {won} won, {unknown} unknown\n\
         time       {best:.3} s (median {middle:.3} s, slowest {worst:.3} s of {}), {each:.1?} a position\n\
         nodes      {nodes}\n\
         nodes/s    {:.0}\n\
         signature  {signature}\n",
        times.len(),
        record.nodes_per_second,
    )
}
