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

/// The depth of random placement in Hsueh et al. (2025).
const DEPTH: u32 = 17;
/// What a proof of the reverse source may take.
const REVERSE_NODES: u64 = 200_000;
/// The length that the reverse source starts from.
const FROM: u32 = 13;

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

/// What is counted over some time.
struct Measured {
    number: u64,
    trials: u64,
    took: Duration,
}

impl Report {
    fn new(bench: &'static str, unit: &'static str, measured: &Measured) -> Report {
        let Measured { number, trials, took } = *measured;
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

/// Measures every source for about `time`; those that mine only if there are tables.
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
    let mut report = |bench, unit, measured: Option<Measured>| match measured {
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

/// Random placements of all 1..3 counts, not revealed, each proved or refuted to 17 plies.
fn random(seed: u64, time: Duration, stop: &AtomicBool) -> Measured {
    let placement = Placement::new(&Material::default(), geister::solver::Revealed::None);
    let solve = |solver: &mut Solver, trial: u64| {
        let position = placement.as_ref().map(|placement| placement.position(seed, trial))?;
        let limits = Limits { depth: DEPTH, ..Limits::default() };
        let mut budget = Budget::new(&limits).stopped_by(stop);
        let verdict = solver.verdict(&position, &mut budget, &mut ()).verdict;
        (!matches!(verdict, Verdict::Unknown { .. })).then_some(())
    };
    measure(time, stop, |trials| {
        trials.into_par_iter().map_init(new_solver, solve).flatten().count() as u64
    })
}

/// Puzzles of 13 plies, each grown to 15 if it can be. Finding them takes time that is not counted.
fn reverse(seed: u64, time: Duration, stop: &AtomicBool) -> Option<Measured> {
    let starts = starts(seed, time, stop);
    let grow = |solver: &mut Solver, trial: u64| {
        let (start, mut rng) = (&starts[trial as usize % starts.len()], stream(seed, trial));
        lengthened(start, FROM, solver, &mut rng, REVERSE_NODES).ok().flatten().map(drop)
    };
    (!starts.is_empty()).then(|| {
        measure(time, stop, |trials| {
            trials.into_par_iter().map_init(new_solver, grow).flatten().count() as u64
        })
    })
}

fn starts(seed: u64, time: Duration, stop: &AtomicBool) -> Vec<Position> {
    let usual = Request::new(SourceKind::Reverse, Material::default());
    let criteria = Criteria { length: FROM..=FROM, ..Criteria::default() };
    let request = Request { criteria, seed, count: u64::MAX, nodes: REVERSE_NODES, ..usual };
    let mut starts = Vec::new();
    compose(&request, &Tablebase::default(), time, stop, &mut |p| starts.push(p.position));
    starts
}

/// Wins of the five-ghost tables, every one classified and measured.
fn five_ghosts(seed: u64) -> Request {
    let material: Result<Class, _> = "BRuuu:1".parse();
    let material = material.map_or_else(|_| Material::default(), Material::Exact);
    Request { seed, count: u64::MAX, ..Request::new(SourceKind::Mined, material) }
}

/// Long puzzles with a unique key and no idle ghost, from all tables of what is not revealed.
fn clean_and_long(seed: u64) -> Request {
    let usual = Request::new(SourceKind::Mined, Material::default());
    let criteria =
        Criteria { length: 17..=99, unique_key: true, idle: Idle::Refused, ..Criteria::default() };
    Request { criteria, seed, count: u64::MAX, ..usual }
}

fn mined(
    request: &Request,
    tables: &Tablebase,
    time: Duration,
    stop: &AtomicBool,
) -> Option<Measured> {
    compose(request, tables, time, stop, &mut |_| ())
}

/// Composes for about so long. `None` if the request is impossible with these tables.
fn compose(
    request: &Request,
    tables: &Tablebase,
    time: Duration,
    stop: &AtomicBool,
    each: &mut dyn FnMut(&Puzzle),
) -> Option<Measured> {
    let mut composer = Composer::new(request.clone(), tables).ok()?;
    let (start, enough) = (Instant::now(), AtomicBool::new(false));
    let mut found = |puzzle: &Puzzle| -> Result<(), Infallible> {
        each(puzzle);
        Ok(())
    };
    let mut look = |_: &_| {
        enough.store(start.elapsed() >= time || stop.load(Relaxed), Relaxed);
    };
    composer.run(&enough, &mut found, &mut look).ok()?;
    let (statistics, took) = (composer.statistics(), start.elapsed());
    Some(Measured { number: statistics.found, trials: statistics.trials, took })
}

/// Makes trials, some hundreds at a time, until the time is up.
fn measure(
    time: Duration,
    stop: &AtomicBool,
    work: impl Fn(std::ops::Range<u64>) -> u64,
) -> Measured {
    const ROUND: u64 = 256;
    let start = Instant::now();
    let (mut number, mut trials) = (0, 0);
    while start.elapsed() < time && !stop.load(Relaxed) {
        number += work(trials..trials + ROUND);
        trials += ROUND;
    }
    Measured { number, trials, took: start.elapsed() }
}

fn new_solver() -> Solver {
    Solver::new(64 << 20)
}
