//! From a position to a puzzle: proved, measured, and held against the criteria, the cheapest
//! question first.

use super::criteria::{Criteria, Idle};
use crate::grade::calibration::Calibration;
use crate::grade::{Appraiser, Graded, calibrated};
use crate::proof::Proof;
use crate::quality::{self, Quality};
use crate::record::{Origin, ProvedBy, Puzzle};
use crate::theme::{self, Theme};
use games::geister::{Move, Position, Square};
use geister::solver::{Classification, LONGEST, Solver};
use geister::tablebase::Tables;
use search::{Budget, Limits, Stop, Verdict};
use std::collections::BTreeSet;
use std::fmt;
use std::num::NonZeroU32;
use std::sync::atomic::AtomicBool;

/// How many plies beyond the shortest win other first moves are looked at. Tables tell all of them.
pub const BEYOND: u32 = 6;

/// Why a position was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejected {
    /// It is not won within the longest length asked for.
    NotWon,
    /// It is won in so many plies, which is not the length asked for.
    Length(u32),
    /// More than one first move keeps the shortest win.
    Key,
    /// The main line leaves too much choice.
    Purity,
    /// It has an idle ghost.
    Idle,
    /// Attacks only add plies.
    Futile,
    /// A theme is missing, or one is there that must not be.
    Theme,
    /// It is too easy or too hard, or not as enjoyable as asked for.
    Grade,
    /// The source made nothing in this trial.
    Source,
    /// It is there already, or its mirror image.
    Double,
    /// A limit was hit.
    Unknown,
    /// Someone asked to stop.
    Interrupted,
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rejected::NotWon => "it is not won within the depth",
            Rejected::Length(plies) => return write!(f, "it is won in {plies} plies"),
            Rejected::Key => "it has several keys",
            Rejected::Purity => "its main line leaves too much choice",
            Rejected::Idle => "it has an idle ghost",
            Rejected::Futile => "it has futile attacks",
            Rejected::Theme => "its themes are others",
            Rejected::Grade => "its grade is another",
            Rejected::Source => "its source made nothing",
            Rejected::Double => "it is there already",
            Rejected::Unknown => "a limit was hit",
            Rejected::Interrupted => "it was interrupted",
        })
    }
}

impl From<Stop> for Rejected {
    fn from(stop: Stop) -> Rejected {
        match stop {
            Stop::Interrupted => Rejected::Interrupted,
            Stop::Nodes | Stop::Time | Stop::Memory => Rejected::Unknown,
        }
    }
}

/// What is known of a puzzle before it is measured.
struct Draft {
    position: Position,
    m_win: u32,
    proved_by: ProvedBy,
    keys: Vec<Move>,
    idle: Vec<Square>,
}

/// Examines positions one after the other.
///
/// Without tables, everything is proved by search, and the answer is a pure function of position,
/// criteria and node limit. With tables, the length is proved by search where that takes no more
/// than the node limit; a longer proof, and all that is measured, stands on the tables.
pub struct Examiner<'s> {
    /// Proves lengths, always without tables, and walks through proofs if there are none.
    search: Solver,
    /// Walks through proofs with the help of tables.
    tabled: Option<Solver>,
    /// Tries changed positions, so that what has been proved is kept.
    aside: Solver,
    /// Grades, if that was asked for.
    appraiser: Option<(Appraiser, Calibration)>,
    limits: Limits,
    stop: &'s AtomicBool,
}

impl<'s> Examiner<'s> {
    /// An examiner that gives each question these limits; their depth does not matter. Only with
    /// nodes as the one limit that is ever hit, the answers can be repeated.
    pub fn new(limits: Limits, stop: &'s AtomicBool) -> Examiner<'s> {
        let [search, aside] = [limits.memory; 2].map(Solver::new);
        Examiner { search, tabled: None, aside, appraiser: None, limits, stop }
    }

    /// The same with a default grade for every puzzle, by this seed of the simulation.
    #[must_use]
    pub fn with_grades(mut self, seed: u64) -> Examiner<'s> {
        let appraiser = Appraiser::new(self.limits.memory, seed);
        self.appraiser = Some((appraiser, Calibration::shipped()));
        self
    }

    /// The same with so many threads for each question.
    #[must_use]
    pub fn with_threads(mut self, threads: NonZeroU32) -> Examiner<'s> {
        self.search = self.search.with_threads(threads);
        self.aside = self.aside.with_threads(threads);
        self
    }

    /// The same with tables of small endings.
    #[must_use]
    pub fn with_tables(mut self, tables: &Tables) -> Examiner<'s> {
        self.tabled = Some(Solver::new(self.limits.memory).with_tables(tables.clone()));
        self.aside = self.aside.with_tables(tables.clone());
        self
    }

    /// The solver without tables.
    pub fn solver(&mut self) -> &mut Solver {
        &mut self.search
    }

    /// The solver that walks through the proof.
    fn walker(&mut self) -> &mut Solver {
        self.tabled.as_mut().unwrap_or(&mut self.search)
    }

    fn budget(&self, depth: u32) -> Budget<'s> {
        Budget::new(&Limits { depth, ..self.limits }).stopped_by(self.stop)
    }

    /// The puzzle of `position`, if it is one that meets the criteria.
    ///
    /// # Errors
    /// The first reason why it is not.
    pub fn examine(
        &mut self,
        position: &Position,
        criteria: &Criteria,
        origin: Origin,
    ) -> Result<Puzzle, Rejected> {
        let position = position.canonical();
        let (m_win, proved_by) = self.length(&position, criteria)?;
        let keys = self.keys(&position, m_win)?;
        if criteria.unique_key && keys.len() != 1 {
            return Err(Rejected::Key);
        }
        self.categories_fit(&position, m_win, criteria)?;
        let mut budget = self.budget(m_win);
        let idle = quality::idle(&mut self.aside, &position, m_win, &keys, &mut budget)?;
        match (criteria.idle, idle.first()) {
            (Idle::Refused, Some(_)) => Err(Rejected::Idle),
            (Idle::Stripped, Some(&square)) => {
                let (aside, mut budget) = (&mut self.aside, budget.renewed());
                let fewer = quality::stripped(aside, &position, square, m_win, &keys, &mut budget)?;
                self.examine(&fewer.ok_or(Rejected::Idle)?, criteria, origin)
            }
            _ => {
                let draft = Draft { position, m_win, proved_by, keys, idle };
                self.measure(draft, criteria, origin)
            }
        }
    }

    /// The length of the win, if it is one that was asked for, and what it rests on.
    fn length(
        &mut self,
        position: &Position,
        criteria: &Criteria,
    ) -> Result<(u32, ProvedBy), Rejected> {
        let longest = (*criteria.length.end()).min(LONGEST);
        let mut budget = self.budget(longest);
        let mut answer = self.search.verdict(position, &mut budget, &mut ());
        let mut proved_by = ProvedBy::Search;
        if let (Some(tabled), Verdict::Unknown { .. }) = (&mut self.tabled, answer.verdict) {
            answer = tabled.verdict(position, &mut budget.renewed(), &mut ());
            proved_by = ProvedBy::Tables;
        }
        match answer.verdict {
            Verdict::Win(plies) if criteria.length.contains(&plies) => Ok((plies, proved_by)),
            Verdict::Win(plies) => Err(Rejected::Length(plies)),
            Verdict::NoWin { .. } => Err(Rejected::NotWon),
            Verdict::Unknown { stop, .. } => Err(stop.into()),
        }
    }

    /// The first moves that keep the shortest win, after [`Examiner::length`].
    fn keys(&mut self, position: &Position, m_win: u32) -> Result<Vec<Move>, Rejected> {
        if let Some(tabled) = &mut self.tabled {
            tabled.start_from(position);
        }
        let mut budget = self.budget(m_win);
        let mut proof = Proof::new(self.walker(), &mut budget, *position, m_win);
        Ok(proof.best_moves(position, m_win)?)
    }

    /// The two categories are cheap to tell, and seldom.
    fn categories_fit(
        &mut self,
        position: &Position,
        m_win: u32,
        criteria: &Criteria,
    ) -> Result<(), Rejected> {
        let asked = criteria.themes.iter().chain(&criteria.without);
        if !asked.into_iter().any(|theme| theme.is_category()) {
            return Ok(());
        }
        let mut budget = self.budget(m_win);
        let kinds = self.walker().classify(position, m_win, &mut budget)?;
        let fit = criteria.themes_fit(&categories(kinds), Theme::is_category);
        if fit { Ok(()) } else { Err(Rejected::Theme) }
    }

    /// Everything else about a puzzle, after [`Examiner::keys`].
    fn measure(
        &mut self,
        draft: Draft,
        criteria: &Criteria,
        origin: Origin,
    ) -> Result<Puzzle, Rejected> {
        let Draft { position, m_win, proved_by, keys, idle } = draft;
        let mut budget = self.budget(m_win);
        let depth = if self.tabled.is_some() { LONGEST } else { (m_win + BEYOND).min(LONGEST) };
        let walker = self.walker();
        let line = walker.main_line(&position, m_win, &mut budget);
        if line.len() != m_win as usize {
            return Err(Rejected::Unknown);
        }
        let kinds = walker.classify(&position, m_win, &mut budget)?;
        let mut proof = Proof::new(walker, &mut budget, position, m_win);
        let purity = quality::purity(&mut proof, &line)?;
        if purity < criteria.purity {
            return Err(Rejected::Purity);
        }
        let themes = theme::themes(&mut proof, &keys, kinds)?;
        if !criteria.themes_fit(&themes, |_| true) {
            return Err(Rejected::Theme);
        }
        let mut extra = budget.renewed();
        let mut proof = Proof::new(walker, &mut extra, position, m_win);
        let futile_plies = quality::futile_plies(&mut proof, &line).ok();
        if criteria.no_futile && futile_plies != Some(0) {
            return Err(Rejected::Futile);
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

    /// The puzzle with its grade, if grades are given and it is one that was asked for.
    fn graded(&mut self, mut puzzle: Puzzle, criteria: &Criteria) -> Result<Puzzle, Rejected> {
        if let Some((appraiser, calibration)) = &mut self.appraiser {
            let appraisal = appraiser.appraise(&puzzle);
            let grade = calibrated(&puzzle, &appraisal, calibration);
            if !criteria.grade_fits(&grade) {
                return Err(Rejected::Grade);
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
