//! Many trials on all threads, in order.

use crate::{LabError, Run};
use endgame::solver::{Analysis, Solver};
use games::geister::Position;
use rayon::prelude::*;
use search::{Budget, Limits, Verdict};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The memory of a solver's table; every thread has one.
const MEMORY: usize = 256 << 20;

/// So many trials go by between two words on progress.
const TOLD_EVERY: u64 = 16;

/// Runs trials `0..trials` and returns what they gave, in order. A trial must depend on nothing but
/// its number: solvers are kept from trial to trial, but nothing they have proved.
pub(crate) fn each<T: Send>(
    run: &Run<'_>,
    what: &str,
    trials: u64,
    trial: impl Fn(&mut Solver, u64) -> Result<T, LabError> + Sync,
) -> Result<Vec<T>, LabError> {
    let done = AtomicU64::new(0);
    (0..trials)
        .into_par_iter()
        .map_init(
            || Solver::new(MEMORY),
            |solver, number| {
                if run.stop.load(Relaxed) {
                    return Err(LabError::Stopped);
                }
                let result = trial(solver, number)?;
                let done = 1 + done.fetch_add(1, Relaxed);
                if done % TOLD_EVERY == 0 || done == trials {
                    run.progress.step(what, done, trials);
                }
                Ok(result)
            },
        )
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
