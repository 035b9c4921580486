//! The reasons for a grade.

use super::Appraisal;
use crate::features::Feature;
use crate::record::Puzzle;
use crate::simulated_solvers::SIMULATED_SOLVERS;
use crate::theme::Theme;
use search::Verdict;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A reason for a grade. In records it is a code, such as `short` or `captures-that-lose 2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Reason {
    /// Many plies for its number of ghosts.
    LongForItsPieces,
    /// A short win.
    Short,
    /// The number of first moves that capture and do not win.
    CapturesThatLose(u32),
    /// The number of wrong first moves that look as good as the key.
    TemptingMoves(u32),
    /// The depth in plies that refutes the most tempting move.
    DeepRefutation(u32),
    /// The first move captures nothing although it could.
    QuietKey,
    /// Every own move is the only shortest win.
    SingleLine,
    /// The number of captures on the main line.
    ManyCaptures(u32),
    /// The number of own ghosts that move.
    Teamwork(u32),
    /// The index of the weakest simulated solver that solves it in at least half of its attempts.
    SolvedBy(usize),
    /// No simulated solver solves it in half of its attempts.
    SolvedByNone,
}

/// The minimum plies per ghost of a long puzzle.
const LONG_PLIES_PER_GHOST: u32 = 3;

/// The reasons for the grade of a puzzle, the most important first.
pub fn reasons(puzzle: &Puzzle, appraisal: &Appraisal) -> Vec<Reason> {
    let count = |feature| appraisal.features.get(feature).unwrap_or(0.0) as u32;
    let ghosts = count(Feature::OwnGhosts) + count(Feature::TopGhosts);
    let solved = appraisal.simulation.0.iter().position(|record| record.solved >= 0.5);
    let losing = losing_captures(puzzle);
    let all = [
        (puzzle.m_win <= 5, Reason::Short),
        (puzzle.m_win >= LONG_PLIES_PER_GHOST * ghosts, Reason::LongForItsPieces),
        (losing > 0, Reason::CapturesThatLose(losing)),
        (puzzle.themes.contains(&Theme::QuietKey), Reason::QuietKey),
        (count(Feature::Temptations) > 0, Reason::TemptingMoves(count(Feature::Temptations))),
        (
            count(Feature::DeepestTemptation) >= 5,
            Reason::DeepRefutation(count(Feature::DeepestTemptation)),
        ),
        (puzzle.quality.purity >= 1.0 && puzzle.m_win > 5, Reason::SingleLine),
        (count(Feature::Captured) >= 3, Reason::ManyCaptures(count(Feature::Captured))),
        (count(Feature::OwnMovers) >= 3, Reason::Teamwork(count(Feature::OwnMovers))),
        (true, solved.map_or(Reason::SolvedByNone, Reason::SolvedBy)),
    ];
    all.into_iter().filter(|(holds, _)| *holds).map(|(_, reason)| reason).collect()
}

/// First moves that capture and are proved not to win.
fn losing_captures(puzzle: &Puzzle) -> u32 {
    let loses = |verdict| matches!(verdict, Verdict::NoWin { .. });
    let first_moves = puzzle.first_moves.iter().filter(|first| loses(first.verdict));
    first_moves.filter(|first| puzzle.position.captured(first.mv).is_some()).count() as u32
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |n: u32| if n == 1 { "" } else { "s" };
        match *self {
            Reason::LongForItsPieces => f.write_str("long for its pieces"),
            Reason::Short => f.write_str("short"),
            Reason::CapturesThatLose(1) => f.write_str("a capture that loses"),
            Reason::CapturesThatLose(n) => write!(f, "{n} captures that lose"),
            Reason::TemptingMoves(n) => write!(f, "{n} tempting wrong move{}", plural(n)),
            Reason::DeepRefutation(n) => {
                write!(f, "a try that is refuted only {n} plies deep or deeper")
            }
            Reason::QuietKey => f.write_str("a quiet first move where a capture is offered"),
            Reason::SingleLine => f.write_str("every move has to be found"),
            Reason::ManyCaptures(n) => write!(f, "{n} captures on the way"),
            Reason::Teamwork(n) => write!(f, "{n} ghosts work together"),
            Reason::SolvedBy(index) => {
                write!(f, "a simulated {} solves it", SIMULATED_SOLVERS[index].name)
            }
            Reason::SolvedByNone => f.write_str("no simulated player solves it often"),
        }
    }
}

impl Reason {
    /// Its code without a number, and the number if it has one.
    pub fn parts(self) -> (&'static str, Option<u32>) {
        match self {
            Reason::LongForItsPieces => ("long-for-its-pieces", None),
            Reason::Short => ("short", None),
            Reason::CapturesThatLose(n) => ("captures-that-lose", Some(n)),
            Reason::TemptingMoves(n) => ("tempting-moves", Some(n)),
            Reason::DeepRefutation(n) => ("deep-refutation", Some(n)),
            Reason::QuietKey => ("quiet-key", None),
            Reason::SingleLine => ("single-line", None),
            Reason::ManyCaptures(n) => ("many-captures", Some(n)),
            Reason::Teamwork(n) => ("teamwork", Some(n)),
            Reason::SolvedBy(index) => ("solved-by", Some(index as u32)),
            Reason::SolvedByNone => ("solved-by-none", None),
        }
    }

    /// The reason with this code and number.
    fn from_parts(code: &str, number: u32) -> Option<Reason> {
        Some(match code {
            "long-for-its-pieces" => Reason::LongForItsPieces,
            "short" => Reason::Short,
            "captures-that-lose" => Reason::CapturesThatLose(number),
            "tempting-moves" => Reason::TemptingMoves(number),
            "deep-refutation" => Reason::DeepRefutation(number),
            "quiet-key" => Reason::QuietKey,
            "single-line" => Reason::SingleLine,
            "many-captures" => Reason::ManyCaptures(number),
            "teamwork" => Reason::Teamwork(number),
            "solved-by" if (number as usize) < SIMULATED_SOLVERS.len() => {
                Reason::SolvedBy(number as usize)
            }
            "solved-by-none" => Reason::SolvedByNone,
            _ => return None,
        })
    }
}

impl From<Reason> for String {
    fn from(reason: Reason) -> String {
        match reason.parts() {
            (code, Some(number)) => format!("{code} {number}"),
            (code, None) => code.into(),
        }
    }
}

impl TryFrom<String> for Reason {
    type Error = String;

    fn try_from(text: String) -> Result<Reason, String> {
        let (code, number) = text.split_once(' ').unwrap_or((&text, "0"));
        let reason = number.parse().ok().and_then(|number| Reason::from_parts(code, number));
        // One text for each reason: any other text is refused.
        let reason = reason.filter(|&reason| String::from(reason) == text);
        reason.ok_or_else(|| format!("{text:?} is no reason"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_again() {
        let all = [
            Reason::LongForItsPieces,
            Reason::Short,
            Reason::CapturesThatLose(2),
            Reason::TemptingMoves(1),
            Reason::DeepRefutation(7),
            Reason::QuietKey,
            Reason::SingleLine,
            Reason::ManyCaptures(4),
            Reason::Teamwork(3),
            Reason::SolvedBy(3),
            Reason::SolvedByNone,
        ];
        for reason in all {
            assert_eq!(Reason::try_from(String::from(reason)), Ok(reason));
        }
        for text in ["", "short 1", "solved-by 4", "solved-by", "teamwork x", "teamwork  3"] {
            assert!(Reason::try_from(text.to_string()).is_err(), "{text}");
        }
    }
}
