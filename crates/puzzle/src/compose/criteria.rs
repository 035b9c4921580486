//! The criteria that a puzzle must meet to be accepted.

use crate::grade::Grade;
use crate::theme::Theme;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// Conditions on a puzzle. The default takes a puzzle of any length that the solver can prove.
#[derive(Clone, Debug, PartialEq)]
pub struct Criteria {
    /// Plies of the shortest win.
    pub length: RangeInclusive<u32>,
    /// Themes it must have, categories included.
    pub themes: BTreeSet<Theme>,
    /// Themes it must not have.
    pub without: BTreeSet<Theme>,
    /// Exactly one first move keeps the shortest win.
    pub unique_key: bool,
    /// The minimum fraction of own main-line moves that are the only shortest win.
    pub purity: f64,
    /// How idle ghosts are treated.
    pub idle: Idle,
    /// Reject puzzles in which attacks of the top side only add plies.
    pub no_futile: bool,
    /// The range of the default difficulty grade.
    pub difficulty: Option<RangeInclusive<f64>>,
    /// The range of the default interest grade.
    pub interest: Option<RangeInclusive<f64>>,
}

/// How idle ghosts are treated: those that can be removed without changing length or key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Idle {
    /// They stay on the board.
    #[default]
    Kept,
    /// A puzzle with an idle ghost is rejected.
    Refused,
    /// They are removed one by one, and the rest is proved again.
    Stripped,
}

impl Default for Criteria {
    fn default() -> Criteria {
        Criteria {
            length: 1..=geister::solver::MAX_DEPTH,
            themes: BTreeSet::new(),
            without: BTreeSet::new(),
            unique_key: false,
            purity: 0.0,
            idle: Idle::Kept,
            no_futile: false,
            difficulty: None,
            interest: None,
        }
    }
}

impl Criteria {
    /// Whether checking the criteria needs a grade.
    pub fn asks_for_grade(&self) -> bool {
        self.difficulty.is_some() || self.interest.is_some()
    }

    /// Whether a grade is in the requested ranges.
    pub(crate) fn grade_fits(&self, grade: &Grade) -> bool {
        let fits = |range: &Option<RangeInclusive<f64>>, value: f64| {
            range.as_ref().is_none_or(|range| range.contains(&value))
        };
        fits(&self.difficulty, grade.difficulty) && fits(&self.interest, grade.interest)
    }

    /// Whether `themes` has the wanted and none of the unwanted themes. A missing theme counts only
    /// if `decided` says that it has been checked.
    pub(crate) fn themes_fit(
        &self,
        themes: &BTreeSet<Theme>,
        decided: impl Fn(Theme) -> bool,
    ) -> bool {
        self.themes.iter().all(|theme| !decided(*theme) || themes.contains(theme))
            && !self.without.iter().any(|theme| themes.contains(theme))
    }
}
