//! The judge along the shipped puzzles: what it says of each move agrees with the records.

#![allow(clippy::unwrap_used)] // the helpers of tests are no tests to clippy

use games::geister::{Move, Position};
use geister::judge::{Judgement, MAX_PLIES_BEYOND, Patience, Worth, judge};
use geister::solver::{SearchGoal, Solver};
use puzzle::Puzzle;
use puzzle::shipped::puzzles;
use search::{Budget, Limits, Verdict};

fn budget_of(nodes: u64) -> Budget<'static> {
    Budget::new(&Limits { nodes: Some(nodes), ..Limits::default() })
}

#[test]
fn unsettled_moves_are_left_open_unless_their_length_is_known() {
    let hasty = Patience { beyond: 1, ..Patience::default() };
    let mut solver = Solver::new(1 << 22);
    let puzzles = puzzles().unwrap();
    let all = puzzles.iter().filter(|puzzle| puzzle.m_win == 11);
    let mut tried =
        all.flat_map(|puzzle| puzzle.first_moves.iter().map(move |first| (puzzle, first.mv)));
    let mut judged = |puzzle: &Puzzle, mv, known| {
        judge(&mut solver, &puzzle.position, puzzle.m_win, mv, known, hasty).unwrap()
    };
    let unclear =
        tried.find(|(puzzle, mv)| matches!(judged(puzzle, *mv, None).worth, Worth::Unclear { .. }));
    let (puzzle, mv) = unclear.unwrap();
    let open = judged(puzzle, mv, None);
    assert!(open.reply.is_some() && open.left.is_none());
    let known = judged(puzzle, mv, Some(Verdict::NoWin { depth: 99 }));
    assert_eq!(known.worth, Worth::Lost { depth: 99, never: false });
    // What is known less far than we would have looked settles nothing.
    assert_eq!(judged(puzzle, mv, Some(Verdict::NoWin { depth: 13 })).worth, open.worth);
}

/// Along every shipped puzzle of up to 13 plies: the judgement of each first move is the one in
/// the record, every reply to a right move is as long as the win, and a refutation refutes.
#[test]
fn judgements_agree_with_the_records() {
    let mut solver = Solver::new(1 << 22);
    let puzzles = puzzles().unwrap();
    for puzzle in puzzles.iter().filter(|puzzle| puzzle.m_win <= 13).step_by(40) {
        for first in &puzzle.first_moves {
            let at = (puzzle.id(), first.mv);
            let (position, patience) = (&puzzle.position, Patience::default());
            let judgement = judge(&mut solver, position, puzzle.m_win, first.mv, None, patience);
            let judgement = judgement.unwrap();
            match (first.verdict, judgement.worth) {
                (Verdict::Win(plies), Worth::Right) => {
                    assert_eq!(plies, puzzle.m_win, "{at:?}");
                }
                (Verdict::Win(plies), Worth::Longer(by)) => {
                    assert_eq!(plies, puzzle.m_win + by, "{at:?}");
                }
                (Verdict::Win(plies), Worth::Lost { depth, never }) => {
                    assert!(plies > depth && !never, "{at:?}");
                }
                (Verdict::NoWin { .. }, Worth::Lost { .. }) => {}
                (Verdict::NoWin { .. }, Worth::Unclear { depth }) => {
                    assert!(depth >= puzzle.m_win, "{at:?}");
                }
                (Verdict::Win(plies), Worth::Unclear { depth }) => {
                    assert!(plies > depth, "{at:?}");
                }
                // The record looked less far.
                (Verdict::NoWin { depth }, Worth::Longer(by)) => {
                    assert!(puzzle.m_win + by > depth, "{at:?}");
                }
                (verdict, worth) => panic!("{at:?}: {verdict:?} but {worth:?}"),
            }
            check_reply(&mut solver, position, first.mv, judgement, puzzle.m_win);
        }
    }
}

/// What a record proves of a much longer win is believed, and the reply spoils the shortest.
#[test]
fn a_known_longer_win_is_reported() {
    let mut solver = Solver::new(1 << 22);
    let puzzles = puzzles().unwrap();
    let longer =
        |puzzle: &Puzzle, verdict| matches!(verdict, Verdict::Win(plies) if plies > puzzle.m_win);
    let mut seen = 0;
    for puzzle in puzzles.iter().filter(|puzzle| puzzle.m_win <= 11).step_by(30) {
        for first in puzzle.first_moves.iter().filter(|first| longer(puzzle, first.verdict)) {
            let Verdict::Win(plies) = first.verdict else { continue };
            let (position, m_win, known) = (&puzzle.position, puzzle.m_win, Some(first.verdict));
            let told = judge(&mut solver, position, m_win, first.mv, known, Patience::default());
            let told = told.unwrap();
            assert_eq!((told.worth, told.left), (Worth::Longer(plies - m_win), Some(plies - 2)));
            let next = position.play(first.mv).unwrap().play(told.reply.unwrap()).unwrap();
            solver.start_from(&next);
            let wins =
                solver.wins_within(&next, m_win - 2, SearchGoal::Win, &mut budget_of(10_000_000));
            assert_eq!(wins, Ok(false), "{} {}", puzzle.id(), first.mv);
            seen += 1;
        }
    }
    assert!(seen > 10, "{seen}");
}

/// The claim about the position after the reply, by a fresh search.
fn check_reply(solver: &mut Solver, at: &Position, mv: Move, judged: Judgement, m_win: u32) {
    let after = at.play(mv).unwrap();
    let Some(reply) = judged.reply else {
        assert!(after.outcome().is_some());
        return;
    };
    let next = after.play(reply).unwrap();
    let depth = match judged.worth {
        Worth::Lost { depth, .. } | Worth::Unclear { depth } => depth - 2,
        _ => m_win + MAX_PLIES_BEYOND,
    };
    let mut budget = budget_of(10_000_000);
    solver.start_from(&next);
    let found = solver.distance(&next, 0, depth, &mut budget).verdict;
    match judged.left {
        Some(left) => assert_eq!(found, Verdict::Win(left), "{mv} {reply}"),
        None => assert!(matches!(found, Verdict::NoWin { .. }), "{mv} {reply}: {found:?}"),
    }
}
