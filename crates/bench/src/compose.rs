//! The speed of the composer, source by source.

use crate::{Failure, VERSION};
use common::rng::stream;
use games::geister::Position;
use geister::solver::Solver;
use geister::tablebase::{Class, Tablebase};
use puzzle::Puzzle;
use puzzle::compose::random::Placement;
use puzzle::compose::reverse::lengthened;
use puzzle::compose::{Composer, Criteria, Idle, Request};
use puzzle::material::Material;
use puzzle::record::SourceKind;
use rayon::prelude::*;
use search::{Budget, Limits, Verdict};
use serde::Serialize;
use std::convert::Infallible;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The depth in plies of random placement in Hsueh et al. (2025).
const RANDOM_DEPTH: u32 = 17;
/// The maximum number of nodes of a proof of the reverse source.
const MAX_REVERSE_NODES: u64 = 200_000;
/// The length in plies of the puzzles that the reverse source lengthens.
const START_LENGTH: u32 = 13;

/// One measurement.
#[derive(Serialize)]
pub struct Report {
    v: u32,
    bench: &'static str,
    /// What was counted.
    unit: &'static str,
    number: u64,
    trials: u64,
    seconds: f64,
    per_second: f64,
}

/// What was counted, and in which time.
struct Measurement {
    number: u64,
    trials: u64,
    took: Duration,
}

impl Report {
    fn new(bench: &'static str, unit: &'static str, measured: &Measurement) -> Report {
        let Measurement { number, trials, took } = *measured;
        let seconds = took.as_secs_f64();
        let per_second = number as f64 / seconds;
        Report { v: VERSION, bench, unit, number, trials, seconds, per_second }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { bench, unit, number, trials, seconds, per_second, .. } = self;
        writeln!(
            f,
            "{bench:<24} {per_second:>8.1} {unit} a second ({number} of {trials} in {seconds:.1} s)"
        )
    }
}

/// Measures every source for about `time`; mining only if there are tablebases.
///
/// # Errors
/// If `on_report` fails.
pub fn run(
    seed: u64,
    time: Duration,
    tables: &Tablebase,
    stop: &AtomicBool,
    on_report: &mut (dyn FnMut(&Report) -> Result<(), Failure> + Send),
) -> Result<(), Failure> {
    let mut report = |bench, unit, measured: Option<Measurement>| match measured {
        Some(measured) => on_report(&Report::new(bench, unit, &measured)),
        None => Ok(()),
    };
    report("random", "trials", Some(random(seed, time, stop)))?;
    report("reverse, 13 to 15 plies", "puzzles", reverse(seed, time, stop))?;
    if tables.is_empty() {
        return Ok(());
    }
    report("mined, 5 ghosts", "puzzles", mined(&five_ghosts(seed), tables, time, stop))?;
    let clean = mined(&clean_and_long(seed), tables, time, stop);
    report("mined, clean from 17 on", "puzzles", clean)
}

/// Random placements of 1 to 3 ghosts of each colour, not revealed, each proved or refuted to 17 plies.
fn random(seed: u64, time: Duration, stop: &AtomicBool) -> Measurement {
    let placement = Placement::new(&Material::default(), geister::solver::Revealed::None);
    let solve = |solver: &mut Solver, trial: u64| {
        let position = placement.as_ref().map(|placement| placement.position(seed, trial))?;
        let limits = Limits { depth: RANDOM_DEPTH, ..Limits::default() };
        let mut budget = Budget::new(&limits).stopped_by(stop);
        let verdict = solver.verdict(&position, &mut budget, &mut ()).verdict;
        (!matches!(verdict, Verdict::Unknown { .. })).then_some(())
    };
    measure(time, stop, |trials| {
        trials.into_par_iter().map_init(new_solver, solve).flatten().count() as u64
    })
}

/// Puzzles of 13 plies, each lengthened to 15 if possible. The time for finding them is not counted.
fn reverse(seed: u64, time: Duration, stop: &AtomicBool) -> Option<Measurement> {
    let starts = starts(seed, time, stop);
    let grow = |solver: &mut Solver, trial: u64| {
        let (start, mut rng) = (&starts[trial as usize % starts.len()], stream(seed, trial));
        lengthened(start, START_LENGTH, solver, &mut rng, MAX_REVERSE_NODES)
            .ok()
            .flatten()
            .map(drop)
    };
    (!starts.is_empty()).then(|| {
        measure(time, stop, |trials| {
            trials.into_par_iter().map_init(new_solver, grow).flatten().count() as u64
        })
    })
}

fn starts(seed: u64, time: Duration, stop: &AtomicBool) -> Vec<Position> {
    let defaults = Request::new(SourceKind::Reverse, Material::default());
    let criteria = Criteria { length: START_LENGTH..=START_LENGTH, ..Criteria::default() };
    let request = Request { criteria, seed, count: u64::MAX, nodes: MAX_REVERSE_NODES, ..defaults };
    let mut starts = Vec::new();
    compose(&request, &Tablebase::default(), time, stop, &mut |p| starts.push(p.position));
    starts
}

/// The wins of a five-ghost tablebase, each classified and measured.
fn five_ghosts(seed: u64) -> Request {
    let material: Result<Class, _> = "BRuuu:1".parse();
    let material = material.map_or_else(|_| Material::default(), Material::Exact);
    Request { seed, count: u64::MAX, ..Request::new(SourceKind::Mined, material) }
}

/// Long puzzles with a unique key and no idle ghost, from all tablebases without revealed ghosts.
fn clean_and_long(seed: u64) -> Request {
    let defaults = Request::new(SourceKind::Mined, Material::default());
    let criteria =
        Criteria { length: 17..=99, unique_key: true, idle: Idle::Refused, ..Criteria::default() };
    Request { criteria, seed, count: u64::MAX, ..defaults }
}

fn mined(
    request: &Request,
    tables: &Tablebase,
    time: Duration,
    stop: &AtomicBool,
) -> Option<Measurement> {
    compose(request, tables, time, stop, &mut |_| ())
}

/// Composes for about `time`. `None` if the request is impossible with these tablebases.
fn compose(
    request: &Request,
    tables: &Tablebase,
    time: Duration,
    stop: &AtomicBool,
    each: &mut dyn FnMut(&Puzzle),
) -> Option<Measurement> {
    let mut composer = Composer::new(request.clone(), tables).ok()?;
    let (start, is_over) = (Instant::now(), AtomicBool::new(false));
    let mut on_puzzle = |puzzle: &Puzzle| -> Result<(), Infallible> {
        each(puzzle);
        Ok(())
    };
    let mut on_statistics = |_: &_| {
        is_over.store(start.elapsed() >= time || stop.load(Relaxed), Relaxed);
    };
    composer.run(&is_over, &mut on_puzzle, &mut on_statistics).ok()?;
    let (statistics, took) = (composer.statistics(), start.elapsed());
    Some(Measurement { number: statistics.found, trials: statistics.trials, took })
}

/// Runs batches of trials until the time is up.
fn measure(
    time: Duration,
    stop: &AtomicBool,
    work: impl Fn(std::ops::Range<u64>) -> u64,
) -> Measurement {
    const BATCH_SIZE: u64 = 256;
    let start = Instant::now();
    let (mut number, mut trials) = (0, 0);
    while start.elapsed() < time && !stop.load(Relaxed) {
        number += work(trials..trials + BATCH_SIZE);
        trials += BATCH_SIZE;
    }
    Measurement { number, trials, took: start.elapsed() }
}

fn new_solver() -> Solver {
    Solver::new(64 << 20)
}
