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

use crate::material::{Colours, Material};
use crate::record::{Origin, Puzzle, SourceKind};
use games::geister::Position;
use geister::solver::{Revealed, Solver};
use geister::tablebase::{Class, Tablebase};
use mined::{MinedWins, MiningError, Order};
use random::Placement;
use rayon::prelude::*;
use reverse::Reverse;
use search::Limits;
use std::collections::{BTreeSet, HashSet};
use std::fmt;
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
    /// Every position of the source was tried, and each was a puzzle or certainly is none: there
    /// are no more.
    Exhausted,
    /// Every position of the source was tried, but some are undecided.
    Undecided,
    /// Too many consecutive trials failed.
    OutOfPatience,
    /// The stop flag was set.
    Interrupted,
}

/// Why a request cannot be composed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ComposerError {
    /// No puzzle can satisfy it.
    Impossible(ImpossibleRequest),
    /// A tablebase that it needs is missing or damaged; how to get it.
    Tablebase(String),
}

impl fmt::Display for ComposerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ComposerError::Impossible(request) => request.fmt(f),
            ComposerError::Tablebase(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for ComposerError {}

impl From<ImpossibleRequest> for ComposerError {
    fn from(request: ImpossibleRequest) -> ComposerError {
        ComposerError::Impossible(request)
    }
}

impl From<MiningError> for ComposerError {
    fn from(error: MiningError) -> ComposerError {
        let reason = error.to_string();
        match error {
            MiningError::Nothing { .. } => ComposerError::Impossible(ImpossibleRequest(reason)),
            MiningError::NoTable(_) | MiningError::File(_) => ComposerError::Tablebase(reason),
        }
    }
}

/// The composer: a request in progress.
pub struct Composer {
    request: Request,
    text: String,
    source: Source,
    tables: Option<Tablebase>,
    seen: HashSet<String>,
    next_trial: u64,
    /// Whether trials of an earlier run are skipped; why they failed is not known.
    resumed: bool,
    /// A class of the material whose tablebase is missing, so that its wins are not mined.
    missing: Option<Class>,
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
    /// If no puzzle can satisfy the request, or a tablebase is missing.
    pub fn new(request: Request, tables: &Tablebase) -> Result<Composer, ComposerError> {
        request.check()?;
        let missing = match request.source {
            SourceKind::Mined => {
                mined_classes(&request).into_iter().find(|&class| tables.get(class).is_none())
            }
            _ => None,
        };
        let source = Source::new(&request, tables)?;
        let text = request.to_string();
        Ok(Composer {
            request,
            text,
            source,
            tables: (!tables.is_empty()).then(|| tables.clone()),
            seen: HashSet::new(),
            next_trial: 0,
            resumed: false,
            missing,
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
        self.resumed |= self.next_trial < *trial;
        self.next_trial = trial + 1;
        self.seen.insert(puzzle.id());
        self.statistics.found += 1;
        Ok(())
    }

    /// The statistics so far.
    pub fn statistics(&self) -> &ComposeStatistics {
        &self.statistics
    }

    /// A class of the material whose wins are not mined, since its tablebase is missing.
    pub fn missing_tablebase(&self) -> Option<Class> {
        self.missing
    }

    /// How a request ends whose source has no more positions.
    fn exhausted(&self) -> ComposeOutcome {
        let certain = self.statistics.unknown == 0 && !self.resumed && self.missing.is_none();
        if certain { ComposeOutcome::Exhausted } else { ComposeOutcome::Undecided }
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
                return Ok(self.exhausted());
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
    fn new(request: &Request, tables: &Tablebase) -> Result<Source, ComposerError> {
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
        Ok(made.ok_or_else(nothing)?)
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
fn mine(request: &Request, tables: &Tablebase) -> Result<MinedWins, ComposerError> {
    let Request { material, criteria, longest_first, .. } = request;
    let wanted = mined_classes(request);
    let classes: Vec<Class> = match material {
        Material::Exact(_) => wanted,
        Material::Counts(_) => {
            wanted.iter().copied().filter(|&class| tables.get(class).is_some()).collect()
        }
    };
    if classes.is_empty() {
        return Err(ComposerError::Tablebase(format!(
            "there is no tablebase for {material} as it is to be revealed; \
             build some with `spuk tablebase build --pieces 5`"
        )));
    }
    let order = if *longest_first { Order::LongestFirst } else { Order::Uniform };
    Ok(MinedWins::new(tables, &classes, criteria.length.clone(), order)?)
}

/// The classes that fit the request, with or without a tablebase.
fn mined_classes(request: &Request) -> Vec<Class> {
    match &request.material {
        Material::Exact(class) => vec![*class],
        Material::Counts(counts) => {
            let pieces: BTreeSet<u32> =
                counts.combinations().into_iter().map(Colours::pieces).collect();
            let classes = pieces.into_iter().flat_map(Class::all_with);
            let fits =
                |class: &Class| request.material.has(*class) && shows(*class, request.revealed);
            classes.filter(fits).collect()
        }
    }
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
