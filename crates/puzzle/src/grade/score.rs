//! Scores that order puzzles of one length. Only their order matters, see [`super::calibration`].
//!
//! Nobody's ratings stand behind the weights: difficulty is what the simulation says, with a little
//! of what misleads; interest is our taste, guided by what P1 and P3 report of people: captures
//! attract beginners, a first move that surprises is praised, and what is hard is liked until it is
//! too hard.

use super::Appraisal;
use crate::features::Feature;
use crate::record::Puzzle;
use crate::theme::Theme;

/// How hard: by the simulated players, and by what misleads.
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
