//! Simulated players and the default grade.

#![allow(clippy::unwrap_used)]

mod common;

use geister::solver::Revealed;
use puzzle::Puzzle;
use puzzle::grade::calibration::{Calibration, GradeDimension, band};
use puzzle::grade::published::{PuzzleKind, expected};
use puzzle::grade::{Appraiser, Basis, Graded, bounds, calibrated};
use puzzle::shipped;
use std::collections::BTreeMap;

const MEMORY: usize = 16 << 20;

fn appraiser() -> Appraiser {
    Appraiser::new(MEMORY, 0)
}

/// Every shipped puzzle has a grade, and it is labelled for what it is.
fn graded() -> Vec<(Puzzle, Graded)> {
    let all = shipped::puzzles().unwrap();
    all.into_iter().map(|puzzle| (puzzle.clone(), puzzle.grade.unwrap())).collect()
}

fn kind(puzzle: &Puzzle) -> PuzzleKind {
    let Puzzle { m_win, red_wall, capture_win, .. } = *puzzle;
    PuzzleKind { m_win, revealed: puzzle.revealed(), red_wall, capture_win }
}

/// The published averages come back over the collection, length by length, within their rounding:
/// what its kinds lead one to expect is what the grades amount to.
#[test]
fn the_averages_come_back_over_the_collection() {
    let mut by_length: BTreeMap<u32, Vec<(f64, f64)>> = BTreeMap::new();
    for (puzzle, graded) in graded() {
        assert_eq!(graded.grade.basis, Basis::Calibrated);
        let average = expected(kind(&puzzle));
        let difference = |value: f64, expected: f64| value - expected;
        by_length.entry(*band(puzzle.m_win).start()).or_default().push((
            difference(graded.grade.difficulty, average.difficulty),
            difference(graded.grade.interest, average.interest),
        ));
    }
    for (plies, differences) in by_length.range(5..=19) {
        let mean = |of: fn(&(f64, f64)) -> f64| {
            differences.iter().map(of).sum::<f64>() / differences.len() as f64
        };
        let (difficulty, interest) = (mean(|d| d.0), mean(|d| d.1));
        assert!(
            difficulty.abs() <= 0.005 && interest.abs() <= 0.005,
            "{plies}: {difficulty} {interest}"
        );
    }
}

/// The records hold what the program says today.
#[test]
fn a_sample_is_graded_again() {
    let calibration = Calibration::shipped();
    let mut appraiser = appraiser();
    for (puzzle, graded) in graded().iter().step_by(97) {
        let appraisal = appraiser.appraise(puzzle);
        let grade = calibrated(puzzle, &appraisal, &calibration);
        assert_eq!(&Graded::new(puzzle, &appraisal, grade), graded, "{}", puzzle.id());
    }
}

/// Stronger players solve more, and longer puzzles are harder for them.
#[test]
fn the_simulation_has_the_shape_of_skill() {
    let graded = graded();
    let mean = |player: usize| graded.iter().map(|(_, g)| g.solved[player]).sum::<f64>();
    let by_strength: Vec<f64> = (0..4).map(mean).collect();
    assert!(by_strength.is_sorted(), "{by_strength:?}");
    let expert = |from: u32, to: u32| {
        let these: Vec<f64> = graded
            .iter()
            .filter(|(puzzle, _)| (from..=to).contains(&puzzle.m_win))
            .map(|(_, graded)| graded.solved[3])
            .collect();
        these.iter().sum::<f64>() / these.len() as f64
    };
    let by_length = [expert(5, 5), expert(7, 9), expert(11, 13), expert(15, 17), expert(19, 21)];
    assert!(by_length.windows(2).all(|pair| pair[0] > pair[1]), "{by_length:?}");
}

/// A win at once, with everything else plainly worse.
#[test]
fn simulated_players_rarely_miss_a_win_in_one() {
    let puzzle = common::verified("B5/6/6/6/3u2/R2u2 1");
    let simulation = appraiser().appraise(&puzzle).simulation;
    assert!(simulation.0.iter().all(|record| record.solved > 0.6), "{simulation:?}");
    assert!(simulation.difficulty() < 0.3);
}

#[test]
fn grades_stay_within_their_bounds() {
    for (puzzle, graded) in graded() {
        let within = |dimension, value: f64| bounds(puzzle.m_win, dimension).contains(&value);
        assert!(within(GradeDimension::Difficulty, graded.grade.difficulty), "{}", puzzle.id());
        assert!(within(GradeDimension::Interest, graded.grade.interest), "{}", puzzle.id());
    }
    let long =
        PuzzleKind { m_win: 41, revealed: Revealed::None, red_wall: false, capture_win: false };
    assert!(expected(long).difficulty <= 2.0);
}
