//! Many trials on all threads, in order.

use crate::{Journal, LabError, Run};
use games::geister::Position;
use geister::solver::{Analysis, Solver};
use rayon::prelude::*;
use search::{Budget, Limits, Verdict};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The memory of a solver's table; every thread has one.
const MEMORY: usize = 256 << 20;

/// So many trials go by between two words on progress.
const TOLD_EVERY: u64 = 16;

/// Runs trials `0..trials` and returns what they gave, in order. A trial must depend on nothing but
/// its number: solvers are kept from trial to trial, but nothing they have proved.
pub(crate) fn each<T: Send + Serialize + DeserializeOwned>(
    run: &Run<'_>,
    what: &str,
    trials: u64,
    trial: impl Fn(&mut Solver, u64) -> Result<T, LabError> + Sync,
) -> Result<Vec<T>, LabError> {
    each_with(run, what, trials, || Solver::new(MEMORY), trial)
}

/// [`each`] without a solver.
pub(crate) fn kept<T: Send + Serialize + DeserializeOwned>(
    run: &Run<'_>,
    what: &str,
    trials: u64,
    trial: impl Fn(u64) -> Result<T, LabError> + Sync,
) -> Result<Vec<T>, LabError> {
    each_with(run, what, trials, || (), |(), number| trial(number))
}

/// [`each`] with tools that every thread makes for itself. Trials that the journal has are taken
/// from there, the others are written into it.
pub(crate) fn each_with<S, T: Send + Serialize + DeserializeOwned>(
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
            journal.keep(part, number, &result).map_err(|error| {
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
            let known = run.journal.and_then(|journal| journal.result(part, number));
            let result = known.map_or_else(|| new(tools, number), Ok)?;
            let done = 1 + done.fetch_add(1, Relaxed);
            if done.is_multiple_of(TOLD_EVERY) || done == trials {
                run.progress.step(what, done, trials);
            }
            Ok(result)
        })
        .collect()
}

/// A budget of this depth that ends with the experiment.
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
    known(solver.verdict(position, &mut budget(run, depth), &mut ()).verdict)
}

/// A position and the length of its shortest win.
pub(crate) type Placed = (Position, Option<u32>);

/// The positions of all trials with their shortest wins within `depth` plies. Only the lengths are
/// kept: a position is made again sooner than it is read.
pub(crate) fn placed(
    run: &Run<'_>,
    what: &str,
    trials: u64,
    depth: u32,
    position: impl Fn(u64) -> Position + Sync,
) -> Result<Vec<Placed>, LabError> {
    let length = |solver: &mut Solver, trial| m_win(run, solver, &position(trial), depth);
    let lengths = each(run, what, trials, length)?;
    Ok((0..).map(&position).zip(lengths).collect())
}

/// A verdict as a length. Nothing but the stop flag leaves it unknown: there is no other limit.
pub(crate) fn known(verdict: Verdict) -> Result<Option<u32>, LabError> {
    match verdict {
        Verdict::Win(plies) => Ok(Some(plies)),
        Verdict::NoWin { .. } => Ok(None),
        Verdict::Unknown { .. } => Err(LabError::Stopped),
    }
}

/// Verdict, line and kind of a position, without a look at its other first moves.
pub(crate) fn analysis(
    run: &Run<'_>,
    solver: &mut Solver,
    position: &Position,
    depth: u32,
) -> Result<Analysis, LabError> {
    let nothing = Budget::new(&Limits { depth: 1, nodes: Some(0), ..Limits::default() });
    let analysis = solver.analyse(position, &mut budget(run, depth), &nothing, &mut ());
    let won = known(analysis.answer.verdict)?.is_some();
    if won && analysis.classification.is_none() {
        return Err(LabError::Stopped);
    }
    Ok(analysis)
}
