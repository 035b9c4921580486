//! What became of the trials of a request.

use super::examine::Rejected;
use crate::record::Puzzle;
use std::collections::BTreeMap;
use std::fmt;

/// Counts of trials by what became of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Puzzles, those of earlier runs included.
    pub found: u64,
    /// Trials of this run.
    pub trials: u64,
    /// Positions without a win.
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
    /// Without the themes asked for.
    pub theme: u64,
    /// Easier or harder, or less enjoyable, than asked for.
    pub grade: u64,
    /// The source made nothing.
    pub source: u64,
    /// There already, or its mirror image.
    pub double: u64,
    /// The node limit was hit.
    pub unknown: u64,
}

impl Tally {
    /// Enters what became of a trial.
    pub(super) fn enter(&mut self, examined: &Result<Puzzle, Rejected>) {
        self.trials += 1;
        let count = match examined {
            Ok(_) => &mut self.found,
            Err(Rejected::NotWon) => &mut self.not_won,
            Err(Rejected::Length(plies)) => self.lengths.entry(*plies).or_default(),
            Err(Rejected::Key) => &mut self.key,
            Err(Rejected::Purity) => &mut self.purity,
            Err(Rejected::Idle) => &mut self.idle,
            Err(Rejected::Futile) => &mut self.futile,
            Err(Rejected::Theme) => &mut self.theme,
            Err(Rejected::Grade) => &mut self.grade,
            Err(Rejected::Source) => &mut self.source,
            Err(Rejected::Double) => &mut self.double,
            Err(Rejected::Unknown | Rejected::Interrupted) => &mut self.unknown,
        };
        *count += 1;
    }
}

impl fmt::Display for Tally {
    /// What became of the trials in a sentence, the commonest first.
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
            (self.double, "there already".into()),
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
