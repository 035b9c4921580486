//! Laws of the numbers along lines of play, on puzzles of the collection.

#![allow(clippy::unwrap_used)]

use games::Seat;
use games::geister::Position;
use geister::feel::{Goal, Sight, Trace};
use geister::solver::{SearchGoal, Solver};
use puzzle::Puzzle;
use search::{Budget, Limits};

/// Every fortieth puzzle that is not too long.
fn sample() -> Vec<Puzzle> {
    let all = puzzle::shipped::puzzles().unwrap().into_iter();
    all.filter(|puzzle| puzzle.m_win <= 17).step_by(40).collect()
}

fn budget() -> Budget<'static> {
    Budget::new(&Limits::default())
}

fn sights(most: u32) -> impl Iterator<Item = Sight> {
    let goals = [Goal::Win, Goal::Run];
    goals.into_iter().flat_map(move |goal| (1..=most).map(move |ahead| Sight { goal, ahead }))
}

/// The positions of the main line.
fn positions(puzzle: &Puzzle) -> Vec<Position> {
    let mut all = vec![puzzle.position];
    all.extend(puzzle.line.iter().scan(puzzle.position, |position, &mv| {
        *position = position.play_unchecked(mv);
        Some(*position)
    }));
    all
}

/// With the win as its goal the number is 0 exactly where the win is within sight.
#[test]
fn the_number_is_zero_where_the_solver_sees_the_win() {
    let mut solver = Solver::new(16 << 20);
    for puzzle in sample() {
        solver.start_from(&puzzle.position);
        for position in positions(&puzzle) {
            let plies = if position.turn() == Seat::First { 3 } else { 4 };
            let won = solver.wins_within(&position, plies, SearchGoal::Win, &mut budget()).unwrap();
            let number = Sight { goal: Goal::Win, ahead: 2 }.number(&position, &mut budget());
            assert_eq!(number.unwrap() == Some(0), won, "{position}");
        }
    }
}

/// A line of best play is never lost, and once the win is in sight it stays there.
#[test]
fn the_main_line_ends_at_zero() {
    for puzzle in sample() {
        for sight in sights(2) {
            let trace = Trace::along(&puzzle.position, &puzzle.line, sight, &mut budget()).unwrap();
            assert_eq!(trace.points.len(), puzzle.line.len() + 1);
            assert!(trace.points.iter().all(|point| point.number.is_some()));
            let in_sight = 2 * sight.ahead as usize;
            assert!(trace.points.iter().rev().take(in_sight).all(|p| p.number == Some(0)));
            let (ride, heights) = (trace.ride(), trace.heights());
            assert_eq!(heights.len(), puzzle.line.len().div_ceil(2) + 1);
            assert!((heights[0] + ride.climbed - ride.dropped).abs() < 1e-9);
        }
    }
}

/// The number of a position is the least of what its moves lead to.
#[test]
fn the_outlook_holds_the_number() {
    for puzzle in sample() {
        for sight in sights(2) {
            let number = sight.number(&puzzle.position, &mut budget()).unwrap();
            let outlook = sight.outlook(&puzzle.position, &mut budget()).unwrap();
            let finite = outlook.iter().filter_map(|(_, number)| *number);
            assert_eq!(finite.min(), number, "{}", puzzle.position);
            assert_eq!(outlook.len(), puzzle.position.legal_moves().len());
        }
    }
}

/// Left and right are alike, and to see a run is never harder than to see the win.
#[test]
fn mirrors_agree_and_a_run_is_no_harder_than_a_win() {
    for puzzle in sample() {
        for ahead in 1..=2 {
            let number = |goal, position: &Position| {
                Sight { goal, ahead }.number(position, &mut budget()).unwrap()
            };
            let (position, mirrored) = (puzzle.position, puzzle.position.mirror());
            for goal in [Goal::Win, Goal::Run] {
                assert_eq!(number(goal, &position), number(goal, &mirrored), "{position}");
            }
            let infinite = u32::MAX;
            assert!(
                number(Goal::Run, &position).unwrap_or(infinite)
                    <= number(Goal::Win, &position).unwrap_or(infinite)
            );
        }
    }
}

#[test]
fn a_limit_is_reported() {
    let position: Position = "6/4u1/B5/6/6/Ru4 1".parse().unwrap();
    let mut little = Budget::new(&Limits { nodes: Some(3), ..Limits::default() });
    assert!(Sight { goal: Goal::Win, ahead: 3 }.number(&position, &mut little).is_err());
}
