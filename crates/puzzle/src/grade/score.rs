//! Scores that rank puzzles of one length. Only their order matters, see [`super::calibration`].
//!
//! The weights are not fitted to ratings: difficulty is the simulated difficulty plus a little for
//! tempting moves; interest is our heuristic, guided by the reports of P1 and P3: beginners like
//! captures, surprising first moves are praised, and harder puzzles are liked until they are too
//! hard.

use super::Appraisal;
use crate::features::Feature;
use crate::record::Puzzle;
use crate::theme::Theme;

/// The difficulty score: simulated difficulty and tempting moves.
pub(super) fn difficulty(appraisal: &Appraisal) -> f64 {
    let known = |feature, most: f64| {
        appraisal.features.get(feature).map_or(0.0, |value: f64| value.min(most) / most)
    };
    appraisal.simulation.difficulty()
        + 0.10 * known(Feature::TemptationMean, 7.0)
        + 0.05 * known(Feature::Temptations, 8.0)
        + 0.05 * known(Feature::BestPlay, 10.0)
        + 0.05 * known(Feature::AsideMoves, 10.0)
}

/// Themes that surprise.
const SURPRISES: [Theme; 6] = [
    Theme::Sacrifice,
    Theme::QuietKey,
    Theme::Retreat,
    Theme::FarExit,
    Theme::Decoy,
    Theme::Zugzwang,
];

/// How enjoyable: captures, surprises, a clean line, and neither too easy nor too hard.
pub(super) fn interest(puzzle: &Puzzle, appraisal: &Appraisal) -> f64 {
    let feature = |feature| appraisal.features.get(feature).unwrap_or(0.0);
    let surprises = SURPRISES.iter().filter(|theme| puzzle.themes.contains(theme)).count() as f64;
    let hard = appraisal.simulation.difficulty();
    0.15 * feature(Feature::Captured).min(5.0)
        + 0.25 * surprises
        + 0.06 * feature(Feature::Temptations).min(6.0)
        + 0.30 * feature(Feature::Purity)
        + 0.06 * feature(Feature::OwnMovers).min(4.0)
        + 0.05 * feature(Feature::ConspiracyTurns).min(4.0)
        - 0.10 * feature(Feature::FutilePlies).min(6.0)
        + 0.40 * (1.0 - (2.0 * hard - 1.2).powi(2))
}
