//! The features of puzzles: hand-made boards, and laws over the shipped collection.

#![allow(clippy::unwrap_used)]

mod common;

use games::Seat;
use games::geister::Standard;
use geister::solver::Solver;
use puzzle::Puzzle;
use puzzle::features::{
    Feature, Features, add_best_play, add_effort, add_indicators, static_features,
};
use puzzle::proof::Proof;
use puzzle::shipped;
use search::{Budget, Limits};

/// The values of P1's features, by number.
fn numbered(features: &Features) -> Vec<Option<f64>> {
    let numbered = Feature::ALL.into_iter().filter(|feature| feature.number().is_some());
    numbered.map(|feature| features.get(feature)).collect()
}

#[test]
fn numbers_are_those_of_the_paper() {
    let numbers: Vec<u32> = Feature::ALL.into_iter().filter_map(Feature::number).collect();
    assert_eq!(numbers, (1..=32).collect::<Vec<u32>>());
    let mut names: Vec<&str> = Feature::ALL.map(Feature::name).to_vec();
    for name in &names {
        assert_eq!(Feature::from_name(name).map(Feature::name), Some(*name));
    }
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Feature::ALL.len());
}

/// B a4 and R a1 against u e5 and u b1, one of them blue; the blue walks out by a5 and a6.
#[test]
fn a_race_by_hand() {
    let mut features = static_features(&common::verified("6/4u1/B5/6/6/Ru4 1"));
    #[rustfmt::skip]
    let expected = [
        1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 0.0, 0.0,
        5.0,
        2.0, 1.0, 2.0, 0.0,
        1.0, 5.0,
        0.0,
    ];
    assert_eq!(numbered(&features)[..16], expected.map(Some));
    assert_eq!(numbered(&features)[16..20], [None; 4]);
    assert_eq!(features.get(Feature::Captured), Some(0.0));
    assert_eq!(features.get(Feature::OwnMovers), Some(1.0));
    assert_eq!(numbered(&features)[25..28], [0.5; 3].map(Some));
    // Puzzles are kept as the one of two mirror images that sorts first.
    let left = features.get(Feature::AllInLeftHalf).unwrap();
    assert!([0.25, 0.75].contains(&left));
    assert_eq!(features.get(Feature::Shown), Some(0.0));
    add_effort(&common::verified("6/4u1/B5/6/6/Ru4 1"), 1_000_000, &mut features);
    let effort = &numbered(&features)[16..20];
    assert!(effort.iter().all(|value| value.is_some_and(|value| value >= 1.0)), "{effort:?}");
    assert!(effort[2] >= effort[3], "all depths take no less than the last one: {effort:?}");
}

/// B c3 takes b c4, the last blue, while r f1 stays: won at once, by capture.
#[test]
fn a_hunt_by_hand() {
    let features = static_features(&common::verified("6/6/2b3/2B3/6/R4r 1"));
    for (feature, value) in [
        (Feature::MWin, 1.0),
        (Feature::ShownBlues, 1.0),
        (Feature::ShownReds, 1.0),
        (Feature::NearestPrey, 1.0),
        (Feature::FarthestPrey, 1.0),
        (Feature::AsideMoves, 0.0),
        (Feature::TopCaptured, 1.0),
        (Feature::OwnCaptured, 0.0),
        (Feature::OwnMovers, 1.0),
        (Feature::TopMovers, 0.0),
        (Feature::Shown, 2.0),
        (Feature::CaptureWin, 1.0),
    ] {
        assert_eq!(features.get(feature), Some(value), "{}", feature.name());
    }
}

/// What the line says must fit what is left on the board when it is over.
#[test]
fn stories_fit_their_boards() {
    for puzzle in shipped::puzzles().unwrap() {
        let features = static_features(&puzzle);
        let end = puzzle.line.iter().fold(puzzle.position, |p, &mv| p.play_unchecked(mv));
        let lost = |side| puzzle.position.army(side).count() - end.army(side).count();
        let escaped = u32::from(end.escaped_side().is_some());
        let value = |feature| features.get(feature).unwrap() as u32;
        assert_eq!(value(Feature::OwnCaptured), lost(Seat::First) - escaped, "{}", puzzle.position);
        assert_eq!(value(Feature::TopCaptured), lost(Seat::Second), "{}", puzzle.position);
        let own_turns = puzzle.m_win / 2 + 1;
        assert!(value(Feature::AsideMoves) < own_turns, "the last move is always for the purpose");
        assert!(value(Feature::OwnMovers) <= value(Feature::OwnGhosts));
        assert!(value(Feature::TopMovers) <= value(Feature::TopGhosts));
    }
}

/// Left and right do not matter but for feature 29, which is about them.
#[test]
fn mirror_images_have_equal_features() {
    for puzzle in shipped::puzzles().unwrap().iter().step_by(50) {
        let mirrored = Puzzle {
            position: puzzle.position.mirror(),
            line: puzzle.line.iter().map(|mv| mv.mirror::<Standard>()).collect(),
            ..puzzle.clone()
        };
        let (ours, theirs) = (static_features(puzzle), static_features(&mirrored));
        for feature in Feature::ALL.into_iter().filter(|&f| f != Feature::AllInLeftHalf) {
            assert_eq!(ours.get(feature), theirs.get(feature), "{}", feature.name());
        }
    }
}

#[test]
fn indicators_repeat_and_lie_in_their_ranges() {
    for puzzle in shipped::puzzles().unwrap().iter().step_by(200) {
        let indicators = || {
            let mut features = static_features(puzzle);
            add_indicators(puzzle, &mut features);
            features
        };
        let features = indicators();
        assert_eq!(features, indicators());
        let value = |feature| features.get(feature).unwrap_or(0.0);
        assert!((0.0..=1.0).contains(&value(Feature::Chance)));
        assert!((0.0..=1.0).contains(&value(Feature::Velocity)));
        assert!(value(Feature::Temptations) < puzzle.first_moves.len() as f64);
        assert!((0.0..=7.0).contains(&value(Feature::TemptationMean)));
    }
}

/// Whoever looks one ply ahead sees the blue walk out: nothing else looks as good.
#[test]
fn a_win_in_one_has_no_tempting_moves() {
    let puzzle = common::verified("B5/6/6/6/3u2/R2u2 1");
    let mut features = static_features(&puzzle);
    add_indicators(&puzzle, &mut features);
    assert_eq!(features.get(Feature::Temptations), Some(0.0));
    assert_eq!(features.get(Feature::DeepestTemptation), Some(1.0));
    assert_eq!(features.get(Feature::TemptationMean), Some(1.0));
}

/// P3's counts are the least over all of best play: never more than those of the main line.
#[test]
fn the_fewest_are_no_more_than_those_of_the_line() {
    let limits = Limits { nodes: Some(2_000_000), ..Limits::default() };
    let mut known = 0;
    let mut solver = Solver::new(16 << 20);
    for puzzle in shipped::puzzles().unwrap().iter().filter(|p| p.m_win <= 13).step_by(60) {
        let mut budget = Budget::new(&limits);
        let mut features = static_features(puzzle);
        let mut proof = Proof::new(&mut solver, &mut budget, puzzle.position, puzzle.m_win);
        add_best_play(&mut proof, &mut features).unwrap();
        let value = |feature| features.get(feature);
        assert!(value(Feature::FewestCaptured) <= value(Feature::Captured), "{}", puzzle.id());
        assert!(value(Feature::FewestMovers) <= value(Feature::OwnMovers), "{}", puzzle.id());
        assert!(value(Feature::FewestMovers).is_none_or(|movers| movers >= 1.0));
        let positions = value(Feature::BestPlay).unwrap().exp2();
        assert!(positions + 0.5 >= f64::from(puzzle.m_win), "{}: {positions}", puzzle.id());
        known += u32::from(value(Feature::FewestMovers).is_some());
    }
    assert!(known >= 10, "{known}");
}
