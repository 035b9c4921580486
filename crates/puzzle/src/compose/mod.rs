//! Making puzzles: a source proposes positions, the solver proves or drops them.
//!
//! ```text
//!   request ──> source: trial 0, 1, 2, ... ──> examine ──> no double? ──> puzzle 0, 1, 2, ...
//!                   (a pure function of seed and trial, on any thread)    (in the order of trials)
//! ```
//!
//! Trials are made in rounds on all threads and looked at in their order, so that the puzzles do
//! not depend on the number of threads, and a request that was interrupted goes on behind the last
//! puzzle it has written.

pub mod criteria;
pub mod examine;
pub mod mined;
pub mod random;
pub mod request;
pub mod reverse;
mod tally;

pub use criteria::{Criteria, Idle};
pub use examine::{Examiner, Rejected};
pub use request::{Impossible, Request};
pub use tally::Tally;

use crate::material::Material;
use crate::record::{Origin, Puzzle, SourceKind};
use games::geister::Position;
use geister::solver::{Revealed, Solver};
use geister::tablebase::{Class, Tables};
use mined::{Mine, Order};
use random::Placement;
use rayon::prelude::*;
use reverse::Reverse;
use search::Limits;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// What proposes positions.
enum Source {
    Random(Placement),
    Reverse(Reverse),
    Mined(Mine),
}

/// How a request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// There are as many puzzles as were wanted.
    Done,
    /// The source has no more.
    Exhausted,
    /// So many trials in a row brought nothing that it was given up.
    OutOfPatience,
    /// Someone asked to stop.
    Interrupted,
}

/// A request at work.
pub struct Composer {
    request: Request,
    text: String,
    source: Source,
    tables: Option<Tables>,
    seen: HashSet<String>,
    next_trial: u64,
    tally: Tally,
}

/// The memory of a solver's table.
const MEMORY: usize = 64 << 20;

/// Trials in a round: enough to keep all threads busy, few enough to hear about it soon.
const ROUND: RoundSize = RoundSize { least: 16, most: 8192, time: Duration::from_millis(200) };

struct RoundSize {
    least: u64,
    most: u64,
    time: Duration,
}

/// The seed of the simulated players: grades depend on the puzzle, not on the request.
const GRADE_SEED: u64 = 0;

impl Composer {
    /// Gets ready for `request`. Only mining needs `tables`.
    ///
    /// # Errors
    /// If no puzzle can be as requested.
    pub fn new(request: Request, tables: &Tables) -> Result<Composer, Impossible> {
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
            tally: Tally::default(),
        })
    }

    /// Goes on behind a puzzle that was made before. Puzzles come in the order in which they were
    /// made.
    ///
    /// # Errors
    /// If another request or seed made it: what made it.
    pub fn go_on_behind(&mut self, puzzle: &Puzzle) -> Result<(), Origin> {
        let Origin { request, seed, trial, .. } = &puzzle.origin;
        if *request != self.text || *seed != self.request.seed || *trial < self.next_trial {
            return Err(puzzle.origin.clone());
        }
        self.next_trial = trial + 1;
        self.seen.insert(puzzle.id());
        self.tally.found += 1;
        Ok(())
    }

    /// What has happened so far.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Makes puzzles on the threads of the current rayon pool, until there are enough or there is
    /// no hope, and hands each to `found` in order. `progress` hears the tally from time to time.
    ///
    /// # Errors
    /// If `found` fails.
    pub fn run<E>(
        &mut self,
        stop: &AtomicBool,
        found: &mut dyn FnMut(&Puzzle) -> Result<(), E>,
        progress: &mut dyn FnMut(&Tally),
    ) -> Result<End, E> {
        let mut size = ROUND.least;
        let mut in_vain = 0;
        while self.tally.found < self.request.count {
            if stop.load(Relaxed) {
                return Ok(End::Interrupted);
            }
            let start = Instant::now();
            let round = self.round(size, stop);
            if round.is_empty() {
                return Ok(End::Exhausted);
            }
            for examined in round {
                match self.take(examined) {
                    Ok(puzzle) => {
                        found(&puzzle)?;
                        in_vain = 0;
                    }
                    Err(Rejected::Interrupted) => return Ok(End::Interrupted),
                    Err(_) => in_vain += 1,
                }
                if self.tally.found >= self.request.count {
                    break;
                }
                if in_vain >= self.request.patience {
                    return Ok(End::OutOfPatience);
                }
            }
            progress(&self.tally);
            size = ROUND.next(size, start.elapsed());
        }
        Ok(End::Done)
    }

    /// The next trials, examined, in order.
    fn round(&self, size: u64, stop: &AtomicBool) -> Vec<Result<Puzzle, Rejected>> {
        let end = self.next_trial.saturating_add(size).min(self.source.trials());
        (self.next_trial..end)
            .into_par_iter()
            .map_init(|| self.examiner(stop), |examiner, trial| self.examine(examiner, trial))
            .collect()
    }

    fn examiner<'s>(&self, stop: &'s AtomicBool) -> Examiner<'s> {
        let limits =
            Limits { nodes: Some(self.request.nodes), memory: MEMORY, ..Limits::default() };
        let mut examiner = Examiner::new(limits, stop);
        if self.request.graded || self.request.criteria.asks_for_grade() {
            examiner = examiner.with_grades(GRADE_SEED);
        }
        match &self.tables {
            Some(tables) => examiner.with_tables(tables),
            None => examiner,
        }
    }

    fn examine(&self, examiner: &mut Examiner<'_>, trial: u64) -> Result<Puzzle, Rejected> {
        let Request { source, seed, criteria, nodes, .. } = &self.request;
        let position = self.source.propose(*seed, trial, examiner.solver(), *nodes)?;
        let request = self.text.clone();
        let origin = Origin { kind: *source, trial, request, seed: *seed };
        examiner.examine(&position, criteria, origin)
    }

    /// Enters what became of the next trial.
    fn take(&mut self, examined: Result<Puzzle, Rejected>) -> Result<Puzzle, Rejected> {
        if examined == Err(Rejected::Interrupted) {
            return examined;
        }
        self.next_trial += 1;
        let examined = examined.and_then(|puzzle| {
            let is_new = self.seen.insert(puzzle.id());
            if is_new { Ok(puzzle) } else { Err(Rejected::Double) }
        });
        self.tally.enter(&examined);
        examined
    }
}

impl Source {
    fn new(request: &Request, tables: &Tables) -> Result<Source, Impossible> {
        let Request { source, material, revealed, criteria, .. } = request;
        let made = match source {
            SourceKind::Mined => return Ok(Source::Mined(mine(request, tables)?)),
            SourceKind::Reverse => {
                Reverse::new(material, *revealed, criteria.length.clone()).map(Source::Reverse)
            }
            _ => Placement::new(material, *revealed).map(Source::Random),
        };
        let nothing = || Impossible(format!("{source:?} placement has nothing for {material}"));
        made.ok_or_else(nothing)
    }

    /// How many trials there are.
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
    ) -> Result<Position, Rejected> {
        match self {
            Source::Random(placement) => Ok(placement.position(seed, trial)),
            Source::Reverse(reverse) => {
                let made = reverse.position(seed, trial, solver, nodes)?;
                made.map(|(position, _)| position).ok_or(Rejected::Source)
            }
            Source::Mined(mine) => {
                let entry = mine.position(seed, trial);
                entry.map(|(position, _)| position).ok_or(Rejected::Source)
            }
        }
    }
}

/// The wins of the tables that the request allows.
fn mine(request: &Request, tables: &Tables) -> Result<Mine, Impossible> {
    let Request { material, revealed, criteria, longest_first, .. } = request;
    let classes: Vec<Class> = match material {
        Material::Exact(class) => vec![*class],
        Material::Counts(_) => {
            let meant = |class: &Class| material.has(*class) && shows(*class, *revealed);
            tables.classes().into_iter().filter(meant).collect()
        }
    };
    if classes.is_empty() {
        return Err(Impossible(format!(
            "there is no table for {material} as it is to be revealed; \
             build some with `spuk tablebase build --pieces 5`"
        )));
    }
    let order = if *longest_first { Order::LongestFirst } else { Order::Uniform };
    Mine::new(tables, &classes, criteria.length.clone(), order)
        .map_err(|error| Impossible(error.to_string()))
}

/// Whether a class shows so much. If anything is hidden, a blue and a red are: otherwise counting
/// tells their colours.
fn shows(class: Class, revealed: Revealed) -> bool {
    let hidden_red = class.count().hidden - class.hidden_blue();
    let open = revealed == Revealed::Fully || class.hidden_blue() > 0 && hidden_red > 0;
    open && Revealed::of_class(class) == revealed
}

impl RoundSize {
    fn next(&self, size: u64, took: Duration) -> u64 {
        if took < self.time / 2 {
            (2 * size).min(self.most)
        } else if took > self.time * 2 {
            (size / 2).max(self.least)
        } else {
            size
        }
    }
}
