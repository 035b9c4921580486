//! What a puzzle must be to be taken.

use crate::grade::Grade;
use crate::theme::Theme;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// Conditions on a puzzle. The default takes every puzzle of up to 99 plies.
#[derive(Clone, Debug, PartialEq)]
pub struct Criteria {
    /// Plies of the shortest win.
    pub length: RangeInclusive<u32>,
    /// Themes it must have, categories included.
    pub themes: BTreeSet<Theme>,
    /// Themes it must not have.
    pub without: BTreeSet<Theme>,
    /// One first move alone keeps the shortest win.
    pub unique_key: bool,
    /// The least share of own moves on the main line without an equally short choice.
    pub purity: f64,
    /// What happens to ghosts that could be taken off.
    pub idle: Idle,
    /// Attacks of the top side that only add plies are refused.
    pub no_futile: bool,
    /// How hard it must be, by the default grade.
    pub difficulty: Option<RangeInclusive<f64>>,
    /// How enjoyable it must be, by the default grade.
    pub interest: Option<RangeInclusive<f64>>,
}

/// What happens to ghosts that could be taken off without changing length or key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Idle {
    /// They stay.
    #[default]
    Kept,
    /// A puzzle that has one is refused.
    Refused,
    /// They are taken off, one after the other, and the rest is proved again.
    Stripped,
}

impl Default for Criteria {
    fn default() -> Criteria {
        Criteria {
            length: 1..=geister::solver::LONGEST,
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
    /// Whether a grade is needed to tell.
    pub fn asks_for_grade(&self) -> bool {
        self.difficulty.is_some() || self.interest.is_some()
    }

    /// Whether a grade is one that was asked for.
    pub(crate) fn grade_fits(&self, grade: &Grade) -> bool {
        let fits = |range: &Option<RangeInclusive<f64>>, value: f64| {
            range.as_ref().is_none_or(|range| range.contains(&value))
        };
        fits(&self.difficulty, grade.difficulty) && fits(&self.interest, grade.interest)
    }

    /// Whether the wanted and unwanted themes fit `themes`, as far as `decided` tells which have
    /// been looked at.
    pub(crate) fn themes_fit(
        &self,
        themes: &BTreeSet<Theme>,
        decided: impl Fn(Theme) -> bool,
    ) -> bool {
        self.themes.iter().all(|theme| !decided(*theme) || themes.contains(theme))
            && !self.without.iter().any(|theme| themes.contains(theme))
    }
}
