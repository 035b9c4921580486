//! Statistics of a request: how many trials were rejected, and why.

use super::verify::Rejection;
use crate::record::Puzzle;
use std::collections::BTreeMap;
use std::fmt;

/// The number of trials by result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ComposeStatistics {
    /// Puzzles, those of earlier runs included.
    pub found: u64,
    /// Trials of this run.
    pub trials: u64,
    /// Positions without a win within the length limit.
    pub not_won: u64,
    /// Wins of another length, by their plies.
    pub lengths: BTreeMap<u32, u64>,
    /// Right length, but several keys.
    pub key: u64,
    /// Too much choice on the main line.
    pub purity: u64,
    /// With an idle ghost.
    pub idle: u64,
    /// With attacks that only add plies.
    pub futile: u64,
    /// Without the requested themes.
    pub theme: u64,
    /// With a grade out of the requested range.
    pub grade: u64,
    /// The source proposed no position.
    pub source: u64,
    /// Duplicates, mirror images included.
    pub duplicates: u64,
    /// The node limit was hit.
    pub unknown: u64,
}

impl ComposeStatistics {
    /// Counts the result of a trial.
    pub(super) fn enter(&mut self, verified: &Result<Puzzle, Rejection>) {
        self.trials += 1;
        let count = match verified {
            Ok(_) => &mut self.found,
            Err(Rejection::NotWon) => &mut self.not_won,
            Err(Rejection::Length(plies)) => self.lengths.entry(*plies).or_default(),
            Err(Rejection::Key) => &mut self.key,
            Err(Rejection::Purity) => &mut self.purity,
            Err(Rejection::Idle) => &mut self.idle,
            Err(Rejection::Futile) => &mut self.futile,
            Err(Rejection::Theme) => &mut self.theme,
            Err(Rejection::Grade) => &mut self.grade,
            Err(Rejection::Source) => &mut self.source,
            Err(Rejection::Duplicate) => &mut self.duplicates,
            Err(Rejection::Unknown | Rejection::Interrupted) => &mut self.unknown,
        };
        *count += 1;
    }
}

impl fmt::Display for ComposeStatistics {
    /// The results in one sentence, the most frequent first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let other_lengths: u64 = self.lengths.values().sum();
        let longest = self.lengths.keys().next_back().copied().unwrap_or_default();
        let mut reasons = vec![
            (self.not_won, "not won in time".to_string()),
            (other_lengths, format!("of another length (the longest {longest})")),
            (self.key, "with several keys".into()),
            (self.purity, "with too much choice on the main line".into()),
            (self.idle, "with an idle ghost".into()),
            (self.futile, "with futile attacks".into()),
            (self.theme, "without the themes".into()),
            (self.grade, "of another grade".into()),
            (self.source, "that led nowhere".into()),
            (self.duplicates, "there already".into()),
            (self.unknown, "over the node limit".into()),
        ];
        reasons.retain(|&(times, _)| times > 0);
        reasons.sort_by_key(|&(times, _)| std::cmp::Reverse(times));
        write!(f, "{} trials", self.trials)?;
        let separators = std::iter::once(": ").chain(std::iter::repeat(", "));
        reasons
            .iter()
            .zip(separators)
            .try_for_each(|((times, what), separator)| write!(f, "{separator}{times} {what}"))
    }
}
