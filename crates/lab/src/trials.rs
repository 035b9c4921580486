//! Runs trials on all threads and returns their results in order.

use crate::{Journal, LabError, Run};
use games::geister::Position;
use geister::solver::{Analysis, Solver};
use rayon::prelude::*;
use search::{Budget, Limits, Verdict};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The memory of each thread's solver.
const SOLVER_MEMORY_BYTES: usize = 256 << 20;

/// The number of trials between two progress reports.
const PROGRESS_INTERVAL_TRIALS: u64 = 16;

/// Runs trials `0..trials` and returns what they gave, in order. A trial must depend on nothing but
/// its number: solvers are kept from trial to trial, but nothing they have proved.
pub(crate) fn run_trials_with_solver<T: Send + Serialize + DeserializeOwned>(
    run: &Run<'_>,
    what: &str,
    trials: u64,
    trial: impl Fn(&mut Solver, u64) -> Result<T, LabError> + Sync,
) -> Result<Vec<T>, LabError> {
    run_trials_with(run, what, trials, || Solver::new(SOLVER_MEMORY_BYTES), trial)
}

/// [`run_trials_with_solver`] without a solver.
pub(crate) fn run_trials<T: Send + Serialize + DeserializeOwned>(
    run: &Run<'_>,
    what: &str,
    trials: u64,
    trial: impl Fn(u64) -> Result<T, LabError> + Sync,
) -> Result<Vec<T>, LabError> {
    run_trials_with(run, what, trials, || (), |(), number| trial(number))
}

/// [`run_trials_with_solver`] with tools that every thread makes for itself. Trials that the
/// journal has are taken from there, the others are written into it.
pub(crate) fn run_trials_with<S, T: Send + Serialize + DeserializeOwned>(
    run: &Run<'_>,
    what: &str,
    trials: u64,
    tools: impl Fn() -> S + Sync + Send,
    trial: impl Fn(&mut S, u64) -> Result<T, LabError> + Sync,
) -> Result<Vec<T>, LabError> {
    let done = AtomicU64::new(0);
    let part = run.journal.map_or(0, Journal::next_part);
    let new = |tools: &mut S, number| {
        let result = trial(tools, number)?;
        if let Some(journal) = run.journal {
            journal.record(part, number, &result).map_err(|error| {
                LabError::Input(format!("cannot write the journal: {error}; make room for it"))
            })?;
        }
        Ok(result)
    };
    (0..trials)
        .into_par_iter()
        .map_init(tools, |tools, number| {
            if run.stop.load(Relaxed) {
                return Err(LabError::Stopped);
            }
            let win_length = run.journal.and_then(|journal| journal.result(part, number));
            let result = win_length.map_or_else(|| new(tools, number), Ok)?;
            let done = 1 + done.fetch_add(1, Relaxed);
            if done.is_multiple_of(PROGRESS_INTERVAL_TRIALS) || done == trials {
                run.progress.step(what, done, trials);
            }
            Ok(result)
        })
        .collect()
}

/// A budget of this depth with the stop flag of the experiment.
pub(crate) fn budget<'a>(run: &Run<'a>, depth: u32) -> Budget<'a> {
    Budget::new(&Limits { depth, ..Limits::default() }).stopped_by(run.stop)
}

/// The length of the shortest win within `depth` plies.
pub(crate) fn m_win(
    run: &Run<'_>,
    solver: &mut Solver,
    position: &Position,
    depth: u32,
) -> Result<Option<u32>, LabError> {
    win_length(solver.verdict(position, &mut budget(run, depth), &mut ()).verdict)
}

/// A position and the length of its shortest win.
pub(crate) type SolvedPlacement = (Position, Option<u32>);

/// The positions of all trials with their shortest wins within `depth` plies. Only the lengths are
/// kept: a position is made again sooner than it is read.
pub(crate) fn solved_placements(
    run: &Run<'_>,
    what: &str,
    trials: u64,
    depth: u32,
    position: impl Fn(u64) -> Position + Sync,
) -> Result<Vec<SolvedPlacement>, LabError> {
    let length = |solver: &mut Solver, trial| m_win(run, solver, &position(trial), depth);
    let lengths = run_trials_with_solver(run, what, trials, length)?;
    Ok((0..).map(&position).zip(lengths).collect())
}

/// The length of the win. Only the stop flag can leave a verdict unknown: there is no other limit.
pub(crate) fn win_length(verdict: Verdict) -> Result<Option<u32>, LabError> {
    match verdict {
        Verdict::Win(plies) => Ok(Some(plies)),
        Verdict::NoWin { .. } => Ok(None),
        Verdict::Unknown { .. } => Err(LabError::Stopped),
    }
}

/// Verdict, main line and classification of a position, without its other first moves.
pub(crate) fn analysis(
    run: &Run<'_>,
    solver: &mut Solver,
    position: &Position,
    depth: u32,
) -> Result<Analysis, LabError> {
    let nothing = Budget::new(&Limits { depth: 1, nodes: Some(0), ..Limits::default() });
    let analysis = solver.analyse(position, &mut budget(run, depth), &nothing, &mut ());
    let won = win_length(analysis.answer.verdict)?.is_some();
    if won && analysis.classification.is_none() {
        return Err(LabError::Stopped);
    }
    Ok(analysis)
}
