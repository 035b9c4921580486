//! Verification: proves and measures a position and checks it against the criteria, cheapest check
//! first.

use super::criteria::{Criteria, Idle};
use crate::grade::calibration::Calibration;
use crate::grade::{Appraiser, Graded, calibrated};
use crate::proof::Proof;
use crate::quality::{self, Quality};
use crate::record::{Origin, ProvedBy, Puzzle};
use crate::theme::{self, Theme};
use games::geister::{Move, Position, Square};
use geister::solver::{Classification, MAX_DEPTH, Solver};
use geister::tablebase::Tablebase;
use search::{Budget, Limits, Stop, Verdict};
use std::collections::BTreeSet;
use std::fmt;
use std::num::NonZeroU32;
use std::sync::atomic::AtomicBool;

/// How many plies beyond the shortest win other first moves are searched. Tablebases cover all.
pub const EXTRA_DEPTH_PLIES: u32 = 6;

/// Why a position was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// It has no win within the requested length.
    NotWon,
    /// It is won in this many plies, which is not a requested length.
    Length(u32),
    /// More than one first move keeps the shortest win.
    Key,
    /// The main line leaves too much choice.
    Purity,
    /// It has an idle ghost.
    Idle,
    /// Attacks only add plies.
    Futile,
    /// A wanted theme is missing, or it has an unwanted one.
    Theme,
    /// Its grade is out of the requested range.
    Grade,
    /// The source proposed no position in this trial.
    Source,
    /// It or its mirror image was found before.
    Duplicate,
    /// A limit was hit.
    Unknown,
    /// The stop flag was set.
    Interrupted,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rejection::NotWon => "it is not won within the depth",
            Rejection::Length(plies) => return write!(f, "it is won in {plies} plies"),
            Rejection::Key => "it has several keys",
            Rejection::Purity => "its main line leaves too much choice",
            Rejection::Idle => "it has an idle ghost",
            Rejection::Futile => "it has futile attacks",
            Rejection::Theme => "it does not have the requested themes",
            Rejection::Grade => "its grade is out of the requested range",
            Rejection::Source => "its source proposed no position",
            Rejection::Duplicate => "it is a duplicate",
            Rejection::Unknown => "a limit was hit",
            Rejection::Interrupted => "it was interrupted",
        })
    }
}

impl From<Stop> for Rejection {
    fn from(stop: Stop) -> Rejection {
        match stop {
            Stop::Interrupted => Rejection::Interrupted,
            Stop::Nodes | Stop::Time | Stop::Memory => Rejection::Unknown,
        }
    }
}

/// A proved puzzle that is not yet measured.
struct Draft {
    position: Position,
    m_win: u32,
    proved_by: ProvedBy,
    keys: Vec<Move>,
    idle: Vec<Square>,
}

/// The verifier of candidate positions.
///
/// Without tablebases, everything is proved by search, and the result is a pure function of
/// position, criteria and node limit. With tablebases, the length is proved by search if that fits
/// the node limit; longer proofs and all measurements use the tablebases.
pub struct Verifier<'s> {
    /// Proves lengths, always without tablebases; also explores proofs if there are none.
    search: Solver,
    /// Explores proofs with tablebases.
    tablebase_solver: Option<Solver>,
    /// Solves modified positions, so that the other solvers keep their transposition tables.
    variant_solver: Solver,
    /// Grades puzzles, if grades were requested.
    appraiser: Option<(Appraiser, Calibration)>,
    limits: Limits,
    stop: &'s AtomicBool,
}

impl<'s> Verifier<'s> {
    /// A verifier that searches with these limits, except the depth. Results are reproducible only
    /// if the node limit is the only limit ever hit.
    pub fn new(limits: Limits, stop: &'s AtomicBool) -> Verifier<'s> {
        let [search, variant_solver] = [limits.memory; 2].map(Solver::new);
        Verifier { search, tablebase_solver: None, variant_solver, appraiser: None, limits, stop }
    }

    /// The same verifier, but it grades every puzzle; `seed` is for the simulated solvers.
    #[must_use]
    pub fn with_grades(mut self, seed: u64) -> Verifier<'s> {
        let appraiser = Appraiser::new(self.limits.memory, seed);
        self.appraiser = Some((appraiser, Calibration::shipped()));
        self
    }

    /// The same verifier with this many threads per search.
    #[must_use]
    pub fn with_threads(mut self, threads: NonZeroU32) -> Verifier<'s> {
        self.search = self.search.with_threads(threads);
        self.variant_solver = self.variant_solver.with_threads(threads);
        self
    }

    /// The same verifier with tablebases.
    #[must_use]
    pub fn with_tables(mut self, tables: &Tablebase) -> Verifier<'s> {
        self.tablebase_solver =
            Some(Solver::new(self.limits.memory).with_tablebase(tables.clone()));
        self.variant_solver = self.variant_solver.with_tablebase(tables.clone());
        self
    }

    /// The solver without tablebases.
    pub fn solver(&mut self) -> &mut Solver {
        &mut self.search
    }

    /// The solver that explores the proof.
    fn walker(&mut self) -> &mut Solver {
        self.tablebase_solver.as_mut().unwrap_or(&mut self.search)
    }

    fn budget(&self, depth: u32) -> Budget<'s> {
        Budget::new(&Limits { depth, ..self.limits }).stopped_by(self.stop)
    }

    /// The puzzle of `position`, if it meets the criteria.
    ///
    /// # Errors
    /// The first reason for rejecting it.
    pub fn verify(
        &mut self,
        position: &Position,
        criteria: &Criteria,
        origin: Origin,
    ) -> Result<Puzzle, Rejection> {
        let position = position.canonical();
        let (m_win, proved_by) = self.length(&position, criteria)?;
        let keys = self.keys(&position, m_win)?;
        if criteria.unique_key && keys.len() != 1 {
            return Err(Rejection::Key);
        }
        self.categories_fit(&position, m_win, criteria)?;
        let mut budget = self.budget(m_win);
        let idle = quality::idle(&mut self.variant_solver, &position, m_win, &keys, &mut budget)?;
        match (criteria.idle, idle.first()) {
            (Idle::Refused, Some(_)) => Err(Rejection::Idle),
            (Idle::Stripped, Some(&square)) => {
                let (variant_solver, mut budget) = (&mut self.variant_solver, budget.renewed());
                let fewer = quality::stripped(
                    variant_solver,
                    &position,
                    square,
                    m_win,
                    &keys,
                    &mut budget,
                )?;
                self.verify(&fewer.ok_or(Rejection::Idle)?, criteria, origin)
            }
            _ => {
                let draft = Draft { position, m_win, proved_by, keys, idle };
                self.measure(draft, criteria, origin)
            }
        }
    }

    /// The length of the win, if it was requested, and how it was proved.
    fn length(
        &mut self,
        position: &Position,
        criteria: &Criteria,
    ) -> Result<(u32, ProvedBy), Rejection> {
        let longest = (*criteria.length.end()).min(MAX_DEPTH);
        let mut budget = self.budget(longest);
        let mut answer = self.search.verdict(position, &mut budget, &mut ());
        let mut proved_by = ProvedBy::Search;
        if let (Some(tablebase_solver), Verdict::Unknown { .. }) =
            (&mut self.tablebase_solver, answer.verdict)
        {
            answer = tablebase_solver.verdict(position, &mut budget.renewed(), &mut ());
            proved_by = ProvedBy::Tables;
        }
        match answer.verdict {
            Verdict::Win(plies) if criteria.length.contains(&plies) => Ok((plies, proved_by)),
            Verdict::Win(plies) => Err(Rejection::Length(plies)),
            Verdict::NoWin { .. } => Err(Rejection::NotWon),
            Verdict::Unknown { stop, .. } => Err(stop.into()),
        }
    }

    /// The first moves that keep the shortest win, after [`Verifier::length`].
    fn keys(&mut self, position: &Position, m_win: u32) -> Result<Vec<Move>, Rejection> {
        if let Some(tablebase_solver) = &mut self.tablebase_solver {
            tablebase_solver.start_from(position);
        }
        let mut budget = self.budget(m_win);
        let mut proof = Proof::new(self.walker(), &mut budget, *position, m_win);
        Ok(proof.best_moves(position, m_win)?)
    }

    /// Checks the two categories early: they are cheap to decide, and rare.
    fn categories_fit(
        &mut self,
        position: &Position,
        m_win: u32,
        criteria: &Criteria,
    ) -> Result<(), Rejection> {
        let asked = criteria.themes.iter().chain(&criteria.without);
        if !asked.into_iter().any(|theme| theme.is_category()) {
            return Ok(());
        }
        let mut budget = self.budget(m_win);
        let kinds = self.walker().classify(position, m_win, &mut budget)?;
        let fit = criteria.themes_fit(&categories(kinds), Theme::is_category);
        if fit { Ok(()) } else { Err(Rejection::Theme) }
    }

    /// Measures everything else about a puzzle, after [`Verifier::keys`].
    fn measure(
        &mut self,
        draft: Draft,
        criteria: &Criteria,
        origin: Origin,
    ) -> Result<Puzzle, Rejection> {
        let Draft { position, m_win, proved_by, keys, idle } = draft;
        let mut budget = self.budget(m_win);
        let depth = if self.tablebase_solver.is_some() {
            MAX_DEPTH
        } else {
            (m_win + EXTRA_DEPTH_PLIES).min(MAX_DEPTH)
        };
        let walker = self.walker();
        let line = walker.main_line(&position, m_win, &mut budget);
        if line.len() != m_win as usize {
            return Err(Rejection::Unknown);
        }
        let kinds = walker.classify(&position, m_win, &mut budget)?;
        let mut proof = Proof::new(walker, &mut budget, position, m_win);
        let purity = quality::purity(&mut proof, &line)?;
        if purity < criteria.purity {
            return Err(Rejection::Purity);
        }
        let themes = theme::themes(&mut proof, &keys, kinds)?;
        if !criteria.themes_fit(&themes, |_| true) {
            return Err(Rejection::Theme);
        }
        let mut extra = budget.renewed();
        let mut proof = Proof::new(walker, &mut extra, position, m_win);
        let futile_plies = quality::futile_plies(&mut proof, &line).ok();
        if criteria.no_futile && futile_plies != Some(0) {
            return Err(Rejection::Futile);
        }
        let first_moves = walker.first_moves(&position, m_win, depth, &mut budget.renewed());
        let quality = Quality {
            keys: keys.len() as u32,
            winning_first_moves: quality::winning(&first_moves),
            purity,
            idle,
            futile_plies,
        };
        let puzzle = Puzzle {
            position,
            m_win,
            red_wall: kinds.red_wall,
            capture_win: kinds.capture_win,
            themes,
            quality,
            line,
            first_moves,
            origin,
            proved_by,
            version: env!("CARGO_PKG_VERSION").into(),
            grade: None,
        };
        self.graded(puzzle, criteria)
    }

    /// The puzzle with its grade, if grades were requested and it is in range.
    fn graded(&mut self, mut puzzle: Puzzle, criteria: &Criteria) -> Result<Puzzle, Rejection> {
        if let Some((appraiser, calibration)) = &mut self.appraiser {
            let appraisal = appraiser.appraise(&puzzle);
            let grade = calibrated(&puzzle, &appraisal, calibration);
            if !criteria.grade_fits(&grade) {
                return Err(Rejection::Grade);
            }
            puzzle.grade = Some(Graded::new(&puzzle, &appraisal, grade));
        }
        Ok(puzzle)
    }
}

fn categories(kinds: Classification) -> BTreeSet<Theme> {
    let Classification { red_wall, capture_win } = kinds;
    let all = [(Theme::RedWall, red_wall), (Theme::CaptureWin, capture_win)];
    all.into_iter().filter(|&(_, holds)| holds).map(|(theme, _)| theme).collect()
}
