//! Puzzle composition: a source proposes positions, the solver proves or rejects them.
//!
//! ```text
//!   request ──> source: trial 0, 1, 2, ... ──> verify ──> duplicate? ──> puzzle 0, 1, 2, ...
//!                   (a pure function of seed and trial, on any thread)    (in the order of trials)
//! ```
//!
//! Trials run in batches on all threads and are processed in order, so that the puzzles do not
//! depend on the number of threads, and an interrupted request resumes after the last puzzle it has
//! written.

pub mod criteria;
pub mod mined;
pub mod random;
pub mod request;
pub mod reverse;
mod statistics;
pub mod verify;

pub use criteria::{Criteria, Idle};
pub use request::{ImpossibleRequest, Request};
pub use statistics::ComposeStatistics;
pub use verify::{Rejection, Verifier};

use crate::material::Material;
use crate::record::{Origin, Puzzle, SourceKind};
use games::geister::Position;
use geister::solver::{Revealed, Solver};
use geister::tablebase::{Class, Tablebase};
use mined::{MinedWins, Order};
use random::Placement;
use rayon::prelude::*;
use reverse::Reverse;
use search::Limits;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A source of candidate positions.
enum Source {
    Random(Placement),
    Reverse(Reverse),
    Mined(MinedWins),
}

/// How a request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComposeOutcome {
    /// All requested puzzles were found.
    Done,
    /// The source has no more positions.
    Exhausted,
    /// Too many consecutive trials failed.
    OutOfPatience,
    /// The stop flag was set.
    Interrupted,
}

/// The composer: a request in progress.
pub struct Composer {
    request: Request,
    text: String,
    source: Source,
    tables: Option<Tablebase>,
    seen: HashSet<String>,
    next_trial: u64,
    statistics: ComposeStatistics,
}

/// The memory of each solver's transposition table.
const SOLVER_MEMORY_BYTES: usize = 64 << 20;

/// The batch size: enough trials to keep all threads busy, few enough for frequent progress
/// reports.
const BATCH: BatchSize = BatchSize { min: 16, max: 8192, target_time: Duration::from_millis(200) };

struct BatchSize {
    min: u64,
    max: u64,
    target_time: Duration,
}

/// The seed of the simulated solvers: grades depend on the puzzle, not on the request.
const GRADE_SEED: u64 = 0;

impl Composer {
    /// A composer for `request`. Only the mined source needs `tables`.
    ///
    /// # Errors
    /// If no puzzle can satisfy the request.
    pub fn new(request: Request, tables: &Tablebase) -> Result<Composer, ImpossibleRequest> {
        request.check()?;
        let source = Source::new(&request, tables)?;
        let text = request.to_string();
        Ok(Composer {
            request,
            text,
            source,
            tables: (!tables.is_empty()).then(|| tables.clone()),
            seen: HashSet::new(),
            next_trial: 0,
            statistics: ComposeStatistics::default(),
        })
    }

    /// Resumes after a puzzle of an earlier run. Puzzles must be passed in the order in which they
    /// were found.
    ///
    /// # Errors
    /// If it comes from another request or seed: its origin.
    pub fn resume_after(&mut self, puzzle: &Puzzle) -> Result<(), Origin> {
        let Origin { request, seed, trial, .. } = &puzzle.origin;
        if *request != self.text || *seed != self.request.seed || *trial < self.next_trial {
            return Err(puzzle.origin.clone());
        }
        self.next_trial = trial + 1;
        self.seen.insert(puzzle.id());
        self.statistics.found += 1;
        Ok(())
    }

    /// The statistics so far.
    pub fn statistics(&self) -> &ComposeStatistics {
        &self.statistics
    }

    /// Composes puzzles on the threads of the current rayon pool until the request is done or given
    /// up, and passes each to `found` in order. `progress` receives the statistics after each
    /// batch.
    ///
    /// # Errors
    /// If `found` fails.
    pub fn run<E>(
        &mut self,
        stop: &AtomicBool,
        found: &mut dyn FnMut(&Puzzle) -> Result<(), E>,
        progress: &mut dyn FnMut(&ComposeStatistics),
    ) -> Result<ComposeOutcome, E> {
        let mut size = BATCH.min;
        let mut failed_trials = 0;
        while self.statistics.found < self.request.count {
            if stop.load(Relaxed) {
                return Ok(ComposeOutcome::Interrupted);
            }
            let start = Instant::now();
            let batch = self.next_batch(size, stop);
            if batch.is_empty() {
                return Ok(ComposeOutcome::Exhausted);
            }
            for verified in batch {
                match self.record(verified) {
                    Ok(puzzle) => {
                        found(&puzzle)?;
                        failed_trials = 0;
                    }
                    Err(Rejection::Interrupted) => return Ok(ComposeOutcome::Interrupted),
                    Err(_) => failed_trials += 1,
                }
                if self.statistics.found >= self.request.count {
                    break;
                }
                if failed_trials >= self.request.patience {
                    return Ok(ComposeOutcome::OutOfPatience);
                }
            }
            progress(&self.statistics);
            size = BATCH.next(size, start.elapsed());
        }
        Ok(ComposeOutcome::Done)
    }

    /// The results of the next trials, in order.
    fn next_batch(&self, size: u64, stop: &AtomicBool) -> Vec<Result<Puzzle, Rejection>> {
        let end = self.next_trial.saturating_add(size).min(self.source.trials());
        (self.next_trial..end)
            .into_par_iter()
            .map_init(|| self.verifier(stop), |verifier, trial| self.verify(verifier, trial))
            .collect()
    }

    fn verifier<'s>(&self, stop: &'s AtomicBool) -> Verifier<'s> {
        let limits = Limits {
            nodes: Some(self.request.nodes),
            memory: SOLVER_MEMORY_BYTES,
            ..Limits::default()
        };
        let mut verifier = Verifier::new(limits, stop);
        if self.request.graded || self.request.criteria.asks_for_grade() {
            verifier = verifier.with_grades(GRADE_SEED);
        }
        match &self.tables {
            Some(tables) => verifier.with_tables(tables),
            None => verifier,
        }
    }

    fn verify(&self, verifier: &mut Verifier<'_>, trial: u64) -> Result<Puzzle, Rejection> {
        let Request { source, seed, criteria, nodes, .. } = &self.request;
        let position = self.source.propose(*seed, trial, verifier.solver(), *nodes)?;
        let request = self.text.clone();
        let origin = Origin { kind: *source, trial, request, seed: *seed };
        verifier.verify(&position, criteria, origin)
    }

    /// Records the result of the next trial and rejects duplicates.
    fn record(&mut self, verified: Result<Puzzle, Rejection>) -> Result<Puzzle, Rejection> {
        if verified == Err(Rejection::Interrupted) {
            return verified;
        }
        self.next_trial += 1;
        let verified = verified.and_then(|puzzle| {
            let is_new = self.seen.insert(puzzle.id());
            if is_new { Ok(puzzle) } else { Err(Rejection::Duplicate) }
        });
        self.statistics.enter(&verified);
        verified
    }
}

impl Source {
    fn new(request: &Request, tables: &Tablebase) -> Result<Source, ImpossibleRequest> {
        let Request { source, material, revealed, criteria, .. } = request;
        let made = match source {
            SourceKind::Mined => return Ok(Source::Mined(mine(request, tables)?)),
            SourceKind::Reverse => {
                Reverse::new(material, *revealed, criteria.length.clone()).map(Source::Reverse)
            }
            _ => Placement::new(material, *revealed).map(Source::Random),
        };
        let nothing =
            || ImpossibleRequest(format!("{source:?} placement has nothing for {material}"));
        made.ok_or_else(nothing)
    }

    /// The number of trials.
    fn trials(&self) -> u64 {
        match self {
            Source::Random(_) | Source::Reverse(_) => u64::MAX,
            Source::Mined(mine) => mine.total(),
        }
    }

    /// The position of a trial.
    fn propose(
        &self,
        seed: u64,
        trial: u64,
        solver: &mut Solver,
        nodes: u64,
    ) -> Result<Position, Rejection> {
        match self {
            Source::Random(placement) => Ok(placement.position(seed, trial)),
            Source::Reverse(reverse) => {
                let made = reverse.position(seed, trial, solver, nodes)?;
                made.map(|(position, _)| position).ok_or(Rejection::Source)
            }
            Source::Mined(mine) => {
                let entry = mine.position(seed, trial);
                entry.map(|(position, _)| position).ok_or(Rejection::Source)
            }
        }
    }
}

/// The wins of the tablebases that fit the request.
fn mine(request: &Request, tables: &Tablebase) -> Result<MinedWins, ImpossibleRequest> {
    let Request { material, revealed, criteria, longest_first, .. } = request;
    let classes: Vec<Class> = match material {
        Material::Exact(class) => vec![*class],
        Material::Counts(_) => {
            let meant = |class: &Class| material.has(*class) && shows(*class, *revealed);
            tables.classes().into_iter().filter(meant).collect()
        }
    };
    if classes.is_empty() {
        return Err(ImpossibleRequest(format!(
            "there is no table for {material} as it is to be revealed; \
             build some with `spuk tablebase build --pieces 5`"
        )));
    }
    let order = if *longest_first { Order::LongestFirst } else { Order::Uniform };
    MinedWins::new(tables, &classes, criteria.length.clone(), order)
        .map_err(|error| ImpossibleRequest(error.to_string()))
}

/// Whether a class is revealed as requested. If anything is hidden, at least one blue and one red
/// must be: otherwise counting reveals the colours.
fn shows(class: Class, revealed: Revealed) -> bool {
    let hidden_red = class.count().hidden - class.hidden_blue();
    let open = revealed == Revealed::Fully || class.hidden_blue() > 0 && hidden_red > 0;
    open && Revealed::of_class(class) == revealed
}

impl BatchSize {
    fn next(&self, size: u64, took: Duration) -> u64 {
        if took < self.target_time / 2 {
            (2 * size).min(self.max)
        } else if took > self.target_time * 2 {
            (size / 2).max(self.min)
        } else {
            size
        }
    }
}
