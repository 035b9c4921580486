//! The exact solvers of other games, and the generic searches on them, against plain minimax.

#![allow(clippy::unwrap_used)] // the helpers of tests are no tests to clippy

use classic::exact::{GameScore, Outcome};
use classic::forced::ForcedWin;
use classic::{connect_four, othello};
use games::connect_four as connect_four_rules;
use games::othello as othello_rules;
use games::{Ending, Keyed, Rules, Seat, TwoPlayer, pgame};
use search::{AlphaBeta, Budget, DepthSearch, DfPn, Limits, Pns, Stop, wins_within};
use std::fmt::Debug;
use std::sync::atomic::AtomicBool;

/// Numbers that stay the same (Knuth's linear congruence).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// The first late positions of random games, one a game.
fn endings<G: Rules>(start: &G, count: usize, is_late: impl Fn(&G) -> bool) -> Vec<G> {
    let mut numbers = Numbers(7);
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = start.clone();
        while !is_late(&position) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play_unchecked(moves[numbers.below(moves.len())]);
        }
        if is_late(&position) {
            found.push(position);
        }
    }
    found
}

/// The score by trying everything; `score` is that of a finished game for the player to move.
fn minimax<G: Rules>(position: &G, score: &impl Fn(&G) -> i32) -> i32 {
    let moves = position.legal_moves();
    let values = moves.into_iter().map(|mv| -minimax(&position.play_unchecked(mv), score));
    values.max().unwrap_or_else(|| score(position))
}

fn free() -> Budget<'static> {
    Budget::new(&Limits::default())
}

/// 22 less the winner's stones, from the loser's side; 0 for a full board.
fn connect_four_score(position: &connect_four_rules::Position) -> i32 {
    match position.ending() {
        Some(Ending::Win(_)) => position.plies().div_ceil(2) as i32 - 22,
        _ => 0,
    }
}

fn connect_four_endings(count: usize, stones: u32) -> Vec<connect_four_rules::Position> {
    let is_late = |p: &connect_four_rules::Position| p.plies() >= stones;
    endings(&connect_four_rules::Position::START, count, is_late)
}

fn othello_endings(count: usize, empty: u32) -> Vec<othello_rules::Position> {
    let is_late = |p: &othello_rules::Position| p.empty().count_ones() <= empty;
    endings(&othello_rules::Position::START, count, is_late)
}

#[test]
fn connect_four_equals_minimax() {
    let mut solver = connect_four::Solver::new(1 << 20);
    let mut decided = 0;
    for (stones, count) in [(30, 150), (34, 300), (38, 300)] {
        for position in connect_four_endings(count, stones) {
            let expected = minimax(&position, &connect_four_score);
            assert_eq!(
                solver.solve(&position, &mut free()),
                GameScore::Exact(expected),
                "{position}"
            );
            let best = solver.best_moves(&position, expected, &mut free()).unwrap();
            let reaches = |mv: &connect_four_rules::Column| {
                -minimax(&position.play_unchecked(*mv), &connect_four_score) == expected
            };
            let expected_moves: Vec<_> =
                position.legal_moves().into_iter().filter(reaches).collect();
            assert_eq!(best, expected_moves, "{position}");
            decided += usize::from(expected != 0);
        }
    }
    assert!(decided > 200, "only {decided} of the positions were no draws");
}

#[test]
fn connect_four_is_the_same_in_the_mirror_and_in_little_memory() {
    let (mut large, mut small) =
        (connect_four::Solver::new(64 << 20), connect_four::Solver::new(0));
    for position in connect_four_endings(200, 22) {
        let score = large.solve(&position, &mut free());
        assert!(score.exact().is_some());
        assert_eq!(small.solve(&position.mirror(), &mut free()), score, "{position}");
    }
}

#[test]
fn connect_four_scores_wins_by_the_stones_they_take() {
    let cases = [
        ("445566", 18),   // the fourth stone wins: 22 - 4
        ("4455667", -18), // it lies
        ("1212121", -18),
        ("44556", -18), // a row of three with both ends open
    ];
    for (text, score) in cases {
        let found = connect_four::Solver::new(0).solve(&text.parse().unwrap(), &mut free());
        assert_eq!(found, GameScore::Exact(score), "{text}");
    }
}

#[test]
fn othello_equals_minimax() {
    let mut solver = othello::Solver::new(1 << 20);
    let score = |p: &othello_rules::Position| p.final_score();
    for (empty, count) in [(4, 300), (6, 200), (8, 60), (9, 12)] {
        for position in othello_endings(count, empty) {
            let expected = minimax(&position, &score);
            assert_eq!(
                solver.solve(&position, &mut free()),
                GameScore::Exact(expected),
                "{position}"
            );
            let best = solver.best_moves(&position, expected, &mut free()).unwrap();
            let reaches = |mv: &othello_rules::Move| {
                -minimax(&position.play_unchecked(*mv), &score) == expected
            };
            let expected_moves: Vec<_> =
                position.legal_moves().into_iter().filter(reaches).collect();
            assert_eq!(best, expected_moves, "{position}");
        }
    }
}

/// Deeper than minimax sees: a position is worth what its best move is worth, and colours and
/// little memory change nothing.
#[test]
fn othello_scores_are_consistent_between_parent_and_children() {
    let (mut large, mut small) = (othello::Solver::new(64 << 20), othello::Solver::new(0));
    for position in othello_endings(25, 13) {
        let score = large.solve(&position, &mut free()).exact().unwrap();
        let children = position.legal_moves().into_iter().map(|mv| position.play_unchecked(mv));
        let best = children.map(|child| -small.solve(&child, &mut free()).exact().unwrap()).max();
        assert_eq!(best.unwrap_or(position.final_score()), score, "{position}");
        let turn = position.turn().opponent();
        let recoloured = othello_rules::Position::new(position.own(), position.other(), turn);
        assert_eq!(large.solve(&recoloured, &mut free()), GameScore::Exact(score));
    }
}

#[test]
fn limits_leave_bounds_and_repeat_exactly() {
    let position = othello_endings(1, 18).remove(0);
    let mut solver = othello::Solver::new(1 << 20);
    let limited = |nodes| Budget::new(&Limits { nodes: Some(nodes), ..Limits::default() });
    let mut whole = free();
    let score = solver.solve(&position, &mut whole).exact().unwrap();
    for share in 1..8 {
        let nodes = whole.nodes() * share / 8;
        let mut budget = limited(nodes);
        let GameScore::Between { lower, upper, stop } = solver.solve(&position, &mut budget) else {
            panic!("{nodes} nodes are too few");
        };
        assert_eq!((stop, budget.nodes()), (Stop::Nodes, nodes));
        assert!(lower <= score && score <= upper, "{lower} {score} {upper}");
        assert_eq!(solver.best_moves(&position, score, &mut limited(0)), Err(Stop::Nodes));
    }
    assert_eq!(solver.solve(&position, &mut limited(whole.nodes())), GameScore::Exact(score));
    let stopped = AtomicBool::new(true);
    let start = connect_four_rules::Position::START;
    let mut budget = free().stopped_by(&stopped);
    let found = connect_four::Solver::new(0).solve(&start, &mut budget);
    assert_eq!(found.outcome(), None);
    assert!(matches!(found, GameScore::Between { stop: Stop::Interrupted, .. }), "{found:?}");
}

/// All generic searches on one question.
fn generic_answers<G>(question: &ForcedWin<G>, depth: u32) -> [bool; 3]
where
    G: TwoPlayer<Move: Eq + Debug> + Keyed,
{
    let memory = 16 << 20;
    let mut budget = free();
    [
        AlphaBeta::with_table(memory).prove(question, depth, &mut budget).unwrap(),
        DfPn::new(memory).prove(question, depth, &mut budget).unwrap(),
        Pns::new(256 << 20).prove(question, depth, &mut budget).unwrap(),
    ]
}

#[test]
fn forced_wins_are_what_the_solvers_say() {
    let mut connect_four = connect_four::Solver::new(1 << 20);
    for position in connect_four_endings(60, 32) {
        let outcome = connect_four.solve(&position, &mut free()).outcome().unwrap();
        let question = ForcedWin::of_mover(position);
        assert_eq!(generic_answers(&question, 42), [outcome == Outcome::Win; 3], "{position}");
        let other = ForcedWin { side: question.side.opponent(), position };
        assert_eq!(generic_answers(&other, 42), [outcome == Outcome::Loss; 3], "{position}");
    }
    let mut othello = othello::Solver::new(1 << 20);
    for position in othello_endings(30, 8) {
        let outcome = othello.solve(&position, &mut free()).outcome().unwrap();
        let question = ForcedWin::of_mover(position);
        assert_eq!(generic_answers(&question, 20), [outcome == Outcome::Win; 3], "{position}");
    }
}

#[test]
fn forced_wins_of_random_trees_are_those_of_minimax() {
    let mut won = 0;
    for (branching, depth) in [(2, 10), (4, 6)] {
        for seed in 0..100 {
            let position = pgame::Position::new(branching, depth, seed).unwrap();
            let question = ForcedWin { position, side: Seat::First };
            let expected = wins_within(&question, depth);
            assert_eq!(generic_answers(&question, depth), [expected; 3], "{position}");
            won += u32::from(expected);
        }
    }
    assert!((40..160).contains(&won), "{won} of 200 trees were won");
}
