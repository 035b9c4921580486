//! What the solver says beyond the verdict, against slow searches and rules written twice.

mod common;

use common::positions::{positions, sample};
use common::slow::{position_wins, wins};
use common::twin::{Twin, Wins};
use common::{solve, within};
use games::Seat;
use games::geister::{Move, Outcome, Position};
use geister::reference::{Puzzle, Techniques};
use geister::solver::{Analysis, Revealed, SearchGoal, Solver};
use search::{AndOr, Budget, Limits, Stop, Verdict};
use std::time::Duration;

/// More than any slow search here needs.
const NODES: u64 = 2_000_000;

fn analyse(position: &Position, depth: u32) -> Analysis {
    Solver::new(16 << 20).analyse(position, &mut within(depth), &within(0), &mut ())
}

/// Random positions that are won within `depth` plies, but not at once.
fn won(seed: u8, tried: u32, most_ghosts: usize, depth: u32) -> Vec<(Position, u32)> {
    let all = sample(seed, tried, &positions(2, 2, most_ghosts));
    let length = |p: Position| match solve(&p, depth).verdict {
        Verdict::Win(plies) if plies > 1 => Some((p, plies)),
        _ => None,
    };
    let won: Vec<_> = all.into_iter().filter_map(length).collect();
    assert!(won.len() > tried as usize / 20, "{}", won.len());
    won
}

fn wins_within(position: &Position, plies: u32) -> bool {
    position_wins(position, plies, NODES).expect("few ghosts take few nodes")
}

#[test]
fn the_line_is_a_shortest_win_against_the_longest_defence() {
    for (start, plies) in won(21, 2500, 3, 9) {
        let line = analyse(&start, 9).line;
        assert_eq!(line.len() as u32, plies, "{start}: {line:?}");
        let mut p = start;
        for (index, &mv) in line.iter().enumerate() {
            let left = plies - index as u32 - 1;
            p = p.play(mv).unwrap_or_else(|_| panic!("{start}: {mv} in {line:?}"));
            if left == 0 {
                break;
            }
            assert_eq!(p.outcome(), None, "{start}: {line:?}");
            // Won in exactly so many plies: the bottom side hurries, the top side does not.
            assert!(wins_within(&p, left), "{start}: {mv} in {line:?}");
            if p.turn() == Seat::First && left > 2 {
                assert!(!wins_within(&p, left - 2), "{start}: {mv} in {line:?}");
            }
        }
        assert_eq!(p.outcome().and_then(Outcome::winner), Some(Seat::First), "{start}: {line:?}");
    }
}

/// The distance of a first move by alpha-beta, counted from before it.
fn slow_distance(start: &Position, mv: Move, depth: u32) -> Option<u32> {
    let after = start.play_unchecked(mv);
    if let Some(outcome) = after.outcome() {
        return (outcome.winner() == Some(Seat::First)).then_some(1);
    }
    (3..=depth).step_by(2).find(|&plies| wins_within(&after, plies - 1))
}

#[test]
fn every_first_move_has_its_own_distance() {
    let (mut longer, mut none) = (0, 0);
    for (start, plies) in won(22, 1500, 3, 7) {
        for asked in [0, 9] {
            let depth = (plies + 2).max(asked);
            let budget = &mut within(7);
            let mut solver = Solver::new(16 << 20);
            let first = solver.analyse(&start, budget, &within(asked), &mut ()).first_moves;
            assert!(first.iter().map(|f| f.mv).eq(start.legal_moves()), "{start}");
            for f in &first {
                let slow = slow_distance(&start, f.mv, depth);
                let expected = slow.map_or(Verdict::NoWin { depth }, Verdict::Win);
                assert_eq!(f.verdict, expected, "{start}: {}", f.mv);
                longer += u32::from(slow.is_some_and(|slow| slow > plies));
                none += u32::from(slow.is_none());
            }
            let best = first.iter().filter_map(|f| match f.verdict {
                Verdict::Win(plies) => Some(plies),
                _ => None,
            });
            assert_eq!(best.min(), Some(plies), "{start}");
        }
    }
    assert!(longer > 100 && none > 100, "{longer}, {none}");
}

#[test]
fn without_a_win_first_moves_share_the_verdict() {
    for p in sample(23, 200, &positions(2, 2, 3)) {
        let analysis = analyse(&p, 5);
        if let Verdict::Win(_) = analysis.answer.verdict {
            continue;
        }
        assert!(analysis.line.is_empty() && analysis.classification.is_none(), "{p}");
        assert!(analysis.first_moves.iter().map(|f| f.mv).eq(p.legal_moves()), "{p}");
        assert!(analysis.first_moves.iter().all(|f| f.verdict == analysis.answer.verdict), "{p}");
    }
}

#[test]
fn the_twin_plays_by_the_same_rules() {
    for p in sample(24, 400, &positions(3, 3, 4)) {
        let (mut puzzle, mut choice) = (Puzzle::new(p, Techniques::NONE), p.key());
        let mut twin = Twin::new(&p, 99, Wins::All);
        for _ in 0..40 {
            assert_eq!(twin.decided(), puzzle.decided(), "{p}: {}", puzzle.position);
            if puzzle.decided().is_some() {
                break;
            }
            let (mut moves, mut twins) = (Vec::new(), Vec::new());
            puzzle.moves(&mut moves);
            twin.moves(&mut twins);
            let as_pair = |mv: &Move| (mv.from().index(), mv.to().unwrap_or(mv.from()).index());
            let (mut sorted, pairs) = (twins, moves.iter().map(as_pair).collect::<Vec<_>>());
            let mut sorted_pairs = pairs.clone();
            sorted.sort_unstable();
            sorted_pairs.sort_unstable();
            assert_eq!(sorted, sorted_pairs, "{p}: {}", puzzle.position);
            choice = choice.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17);
            let index = (choice >> 32) as usize % moves.len();
            puzzle = puzzle.play(moves[index]);
            twin = twin.play(pairs[index]);
        }
    }
}

#[test]
fn the_classification_equals_searches_with_changed_rules() {
    let (mut walls, mut captures, mut plain, mut given_up) = (0, 0, 0, 0);
    let few = won(25, 6000, 3, 9);
    let more = won(26, 2000, 4, 7);
    for (p, plies) in few.into_iter().chain(more) {
        let kind = analyse(&p, plies).classification.expect("it is won");
        let loses = |rules| wins(&Twin::new(&p, plies, rules), plies, 300_000).map(|won| !won);
        match (loses(Wins::WithoutThirdRule), loses(Wins::WithoutLastCapture)) {
            (Some(wall), Some(capture)) => {
                assert_eq!(kind.red_wall, wall, "{p}: red wall");
                assert_eq!(kind.capture_win, capture, "{p}: capture win");
                walls += u32::from(wall);
                captures += u32::from(capture);
                plain += u32::from(!wall && !capture);
            }
            _ => given_up += 1,
        }
    }
    assert!(walls >= 40 && captures >= 50 && plain >= 500, "{walls}, {captures}, {plain}");
    assert!(given_up <= 20, "{given_up}");
}

#[test]
fn limits_leave_out_what_is_not_proved() {
    let (p, plies) = won(27, 600, 3, 9).into_iter().max_by_key(|(p, _)| solve(p, 9).nodes).unwrap();
    let none = Limits { nodes: Some(0), ..Limits::default() };
    let analysis =
        Solver::new(1 << 20).analyse(&p, &mut within(plies), &Budget::new(&none), &mut ());
    assert_eq!(analysis.answer.verdict, Verdict::Win(plies));
    assert_eq!(analysis.line.len() as u32, plies);
    for first in &analysis.first_moves {
        match first.verdict {
            Verdict::Unknown { depth, stop: Stop::Nodes } => {
                assert!(slow_distance(&p, first.mv, depth).is_none(), "{p}: {}", first.mv);
            }
            Verdict::Win(n) => assert_eq!(slow_distance(&p, first.mv, n), Some(n), "{p}"),
            Verdict::NoWin { depth } => assert_eq!(slow_distance(&p, first.mv, depth), None),
            verdict => panic!("{p}: {verdict:?}"),
        }
    }
    let no_time = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    let cut = Solver::new(0).analyse(&p, &mut Budget::new(&no_time), &within(0), &mut ());
    assert!(matches!(cut.answer.verdict, Verdict::Unknown { stop: Stop::Time, .. }), "{p}");
    assert!(cut.line.is_empty() && cut.classification.is_none(), "{p}");
}

#[test]
fn revealed_describes_the_shown_colours() {
    for (text, revealed) in [
        ("6/4u1/B5/6/6/Ru4 1", Revealed::None),
        ("6/4b1/B5/6/6/Ru4 1", Revealed::Partly),
        ("6/4r1/B5/6/6/Ru4 1", Revealed::Partly),
        ("6/4b1/B5/6/6/Rr4 1", Revealed::Fully),
        ("6/4b1/B5/6/4rb/Rr4 2", Revealed::Fully),
    ] {
        assert_eq!(Revealed::of(&text.parse().unwrap()), revealed, "{text}");
    }
}

#[test]
fn other_questions_equal_searches_with_changed_rules() {
    let goals = [
        (SearchGoal::WinThroughA6, Wins::WithoutF6),
        (SearchGoal::WinThroughF6, Wins::WithoutA6),
        (SearchGoal::WinUnopposed, Wins::Unopposed),
    ];
    let mut seen = [[0; 2]; 3];
    let mut solver = Solver::new(1 << 20);
    let all = sample(27, 1500, &positions(3, 2, 3)).into_iter();
    for p in all.chain(sample(28, 500, &positions(3, 3, 4))) {
        for (nth, (goal, rules)) in goals.into_iter().enumerate() {
            solver.start_from(&p);
            for plies in [1, 3, 5, 7] {
                let mut budget = Budget::new(&Limits::default());
                // What the plain goal proves must not spoil the others.
                let plain = solver.wins_within(&p, plies, SearchGoal::Win, &mut budget).unwrap();
                let won = solver.wins_within(&p, plies, goal, &mut budget).unwrap();
                let Some(slow) = wins(&Twin::new(&p, plies, rules), plies, 200_000) else { break };
                assert_eq!(won, slow, "{p}: {goal:?} within {plies}");
                seen[nth][usize::from(won)] += usize::from(won != plain || plies == 7);
            }
        }
    }
    assert!(seen.iter().flatten().all(|&times| times > 100), "{seen:?}");
}
