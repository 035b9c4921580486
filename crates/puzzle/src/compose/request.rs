//! A request to the composer, and the check whether it can be satisfied.

use super::criteria::{Criteria, Idle};
use crate::grade::bounds;
use crate::grade::calibration::GradeDimension;
use crate::material::{Material, range_text};
use crate::record::{SourceKind, revealed_name};
use crate::theme::Theme;
use geister::solver::{MAX_DEPTH, Revealed};
use std::fmt;

/// A request for puzzles. It determines the sequence of puzzles; `count` is how many are wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The source of positions.
    pub source: SourceKind,
    /// The ghosts they may have.
    pub material: Material,
    /// How many of the opponent's colours are revealed.
    pub revealed: Revealed,
    /// The criteria for accepting a puzzle.
    pub criteria: Criteria,
    /// From tablebases: the longest wins first.
    pub longest_first: bool,
    /// The node limit of each search.
    pub nodes: u64,
    /// The seed of the random generator.
    pub seed: u64,
    /// Whether puzzles get a default grade.
    pub graded: bool,
    /// How many puzzles are wanted.
    pub count: u64,
    /// Give up after this many consecutive trials without a puzzle.
    pub patience: u64,
}

/// The error for a request that no puzzle can satisfy: the reason and the nearest alternative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImpossibleRequest(pub(crate) String);

impl fmt::Display for ImpossibleRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ImpossibleRequest {}

impl Request {
    /// A request with this source and material, and defaults for the rest.
    pub fn new(source: SourceKind, material: Material) -> Request {
        let revealed = match &material {
            Material::Exact(class) => Revealed::of_class(*class),
            Material::Counts(_) => Revealed::None,
        };
        Request {
            source,
            material,
            revealed,
            criteria: Criteria::default(),
            longest_first: false,
            nodes: 500_000,
            seed: 1,
            graded: false,
            count: 1,
            patience: default_patience(source),
        }
    }

    /// Checks whether any puzzle can satisfy the request, as far as that is known without search.
    ///
    /// # Errors
    /// If none can: the reason and the nearest alternative.
    pub fn check(&self) -> Result<(), ImpossibleRequest> {
        let impossible = |reason: String| Err(ImpossibleRequest(reason));
        let Criteria { length, themes, without, .. } = &self.criteria;
        if *length.start() > MAX_DEPTH {
            return impossible(format!(
                "the longest win that is looked for takes {MAX_DEPTH} plies"
            ));
        }
        if length.start() == length.end() && length.start() % 2 == 0 {
            let (less, more) = (length.start().saturating_sub(1).max(1), length.start() + 1);
            return impossible(format!(
                "a win takes an odd number of plies; the nearest lengths are {less} and {more}"
            ));
        }
        self.check_grade()?;
        if let Some(theme) = themes.intersection(without).next() {
            return impossible(format!("{theme} is both wanted and unwanted; leave one out"));
        }
        if themes.contains(&Theme::CaptureWin) && !self.may_show_a_red() {
            return impossible(
                "no win by capture without a revealed red ghost; \
                 ask for --revealed partly or fully, or for material with an r"
                    .into(),
            );
        }
        if !self.material.allows(self.revealed) {
            return impossible(format!(
                "{} cannot be {} revealed; partly revealed means that a blue and a red stay hidden \
                 and another ghost is shown",
                self.material,
                revealed_words(self.revealed)
            ));
        }
        Ok(())
    }

    /// Checks the requested grades against the bounds of their length.
    fn check_grade(&self) -> Result<(), ImpossibleRequest> {
        let Criteria { length, difficulty, interest, .. } = &self.criteria;
        let lengths = || length.clone().take(MAX_DEPTH as usize).filter(|plies| plies % 2 == 1);
        for (dimension, asked) in
            [(GradeDimension::Difficulty, difficulty), (GradeDimension::Interest, interest)]
        {
            let Some(asked) = asked else { continue };
            let bounds = lengths().map(|plies| bounds(plies, dimension));
            let all = bounds.reduce(|a, b| a.start().min(*b.start())..=a.end().max(*b.end()));
            let Some(all) = all else { continue };
            if asked.start() > all.end() || asked.end() < all.start() {
                return Err(ImpossibleRequest(format!(
                    "puzzles of these lengths have a default {} of {:.2} to {:.2}",
                    dimension.name(),
                    all.start(),
                    all.end()
                )));
            }
        }
        Ok(())
    }

    /// Whether a red of the opponent may be revealed.
    fn may_show_a_red(&self) -> bool {
        match (&self.material, self.revealed) {
            (Material::Exact(class), _) => class.count().shown_red > 0,
            (_, Revealed::None) => false,
            (_, Revealed::Fully) => true,
            // One red has to stay hidden.
            (Material::Counts(counts), Revealed::Partly) => *counts.top_red.end() > 1,
        }
    }
}

/// Fewer trials for reverse generation: one is a chain of proofs, while a trial of random placement
/// or from a tablebase takes about a millisecond.
const fn default_patience(source: SourceKind) -> u64 {
    match source {
        SourceKind::Reverse => 5_000,
        SourceKind::Random | SourceKind::Mined | SourceKind::Given => 200_000,
    }
}

fn revealed_words(revealed: Revealed) -> &'static str {
    match revealed {
        Revealed::None => "not",
        Revealed::Partly => "partly",
        Revealed::Fully => "fully",
    }
}

impl fmt::Display for Request {
    /// The request as the command line takes it, without seed and count.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Criteria {
            length,
            themes,
            without,
            unique_key,
            purity,
            idle,
            no_futile,
            difficulty,
            interest,
        } = &self.criteria;
        let (material, revealed) = (&self.material, revealed_name(self.revealed));
        write!(f, "--source {}", self.source.name())?;
        write!(f, " --material {material} --revealed {revealed} --length {}", range_text(length))?;
        themes.iter().try_for_each(|theme| write!(f, " --theme {theme}"))?;
        without.iter().try_for_each(|theme| write!(f, " --without {theme}"))?;
        if *unique_key {
            f.write_str(" --unique-key")?;
        }
        if *purity > 0.0 {
            write!(f, " --purity {purity}")?;
        }
        match idle {
            Idle::Kept => {}
            Idle::Refused => f.write_str(" --no-idle")?,
            Idle::Stripped => f.write_str(" --minimal")?,
        }
        if *no_futile {
            f.write_str(" --no-futile")?;
        }
        for (flag, range) in [("difficulty", difficulty), ("interest", interest)] {
            if let Some(range) = range {
                write!(f, " --{flag} {}..{}", range.start(), range.end())?;
            }
        }
        if self.longest_first {
            f.write_str(" --longest-first")?;
        }
        write!(f, " --nodes {}", self.nodes)
    }
}
