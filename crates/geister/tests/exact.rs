//! The solver against every slower search, over random positions.

mod common;

use common::positions::{positions, sample, shut_in};
use common::slow::{alpha_beta, asked, position_wins};
use common::{check, solve, within};
use games::geister::Position;
use geister::reference::{Puzzle, Techniques};
use geister::solver::{Revealed, Solver};
use proptest::prelude::*;
use search::{
    AlphaBeta, Budget, DepthReport, DfPn, Limits, Pns, Progress, Stop, Verdict, wins_within,
};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// The depths that minimax may be asked for, and what it says.
fn minimax(position: &Position, depth: u32) -> Verdict {
    let puzzle = Puzzle::new(*position, Techniques::NONE);
    let mut depths = (1..=depth).step_by(2);
    depths.find(|&d| wins_within(&puzzle, d)).map_or(Verdict::NoWin { depth }, Verdict::Win)
}

/// A slow search may give up: then the solver must not win within what it did refute.
fn agrees(position: &Position, depth: u32, slow: Verdict) -> Result<(), TestCaseError> {
    let fast = solve(position, depth).verdict;
    match slow {
        Verdict::Unknown { depth: refuted, .. } => {
            prop_assert!(!matches!(fast, Verdict::Win(n) if n <= refuted), "{fast:?}, {slow:?}");
        }
        _ => prop_assert_eq!(fast, slow),
    }
    Ok(())
}

#[test]
fn equals_minimax_within_5_plies() {
    check(1, 3000, positions(2, 2, 3), |p| agrees(&p, 5, minimax(&p, 5)));
}

#[test]
fn equals_minimax_within_7_plies_with_few_ghosts() {
    check(2, 150, positions(1, 1, 2), |p| agrees(&p, 7, minimax(&p, 7)));
}

#[test]
fn equals_alpha_beta_within_9_plies() {
    check(3, 1500, positions(3, 3, 4), |p| agrees(&p, 9, alpha_beta(&p, 9, 60_000)));
}

#[test]
fn equals_alpha_beta_within_13_plies_with_few_ghosts() {
    check(4, 200, positions(2, 1, 3), |p| agrees(&p, 13, alpha_beta(&p, 13, 200_000)));
}

#[test]
fn equals_alpha_beta_where_the_top_side_is_short_of_moves() {
    check(14, 1000, shut_in(), |p| agrees(&p, 9, alpha_beta(&p, 9, 60_000)));
}

#[test]
fn equals_alpha_beta_with_techniques_within_13_plies() {
    check(5, 200, positions(3, 3, 4), |p| {
        let mut search = AlphaBeta::with_table(4 << 20);
        agrees(&p, 13, asked(&mut search, &p, Techniques::ALL, 13, 200_000))
    });
}

#[test]
fn equals_dfpn_within_13_plies() {
    for (seed, techniques) in [(6, Techniques::ALL), (7, Techniques::NONE)] {
        check(seed, 200, positions(3, 3, 4), |p| {
            agrees(&p, 13, asked(&mut DfPn::new(4 << 20), &p, techniques, 13, 60_000))
        });
    }
}

#[test]
fn equals_pns_within_9_plies() {
    for (seed, techniques) in [(8, Techniques::ALL), (9, Techniques::NONE)] {
        check(seed, 200, positions(2, 2, 3), |p| {
            agrees(&p, 9, asked(&mut Pns::new(64 << 20), &p, techniques, 9, 20_000))
        });
    }
}

#[test]
fn the_samples_hold_all_kinds_of_positions() {
    let sample = sample(3, 1500, &positions(3, 3, 4));
    let share = |holds: &dyn Fn(&Position) -> bool| sample.iter().filter(|p| holds(p)).count();
    for revealed in [Revealed::None, Revealed::Partly, Revealed::Fully] {
        assert!(share(&|p| Revealed::of(p) == revealed) > 100, "{revealed:?}");
    }
    let counted = |p: &Position| p.count();
    assert!(share(&|p| counted(p).hidden > 0 && counted(p).hidden_blue == 0) > 50);
    assert!(share(&|p| counted(p).hidden > 0 && counted(p).hidden_blue == counted(p).hidden) > 50);
    for plies in [1, 3, 5, 7, 9] {
        assert!(share(&|p| solve(p, 9).verdict == Verdict::Win(plies)) >= 10, "{plies}");
    }
    assert!(share(&|p| solve(p, 9).never) > 100);
    assert!(share(&|p| matches!(solve(p, 9).verdict, Verdict::NoWin { .. })) > 500);
}

#[test]
fn the_mirror_image_has_the_same_answer() {
    check(10, 500, positions(3, 3, 4), |p| {
        prop_assert_eq!(solve(&p, 11).verdict, solve(&p.mirror(), 11).verdict);
        Ok(())
    });
}

/// Positions that take the solver some thousand nodes.
fn laborious() -> Vec<Position> {
    let all = sample(11, 1500, &positions(3, 3, 5));
    let laborious: Vec<Position> = all
        .into_iter()
        .filter(|p| {
            let limits = Limits { depth: 13, nodes: Some(2_000), ..Limits::default() };
            let mut budget = Budget::new(&limits);
            let verdict = Solver::new(8 << 20).verdict(p, &mut budget, &mut ()).verdict;
            matches!(verdict, Verdict::Unknown { stop: Stop::Nodes, .. })
        })
        .take(40)
        .collect();
    assert_eq!(laborious.len(), 40);
    laborious
}

#[test]
fn neither_memory_nor_threads_change_the_answer() {
    for p in laborious() {
        let answer = solve(&p, 13);
        for memory in [0, 200_000] {
            let other = Solver::new(memory).verdict(&p, &mut within(13), &mut ());
            assert_eq!(other.verdict, answer.verdict, "{p} in {memory} bytes");
        }
        for threads in [2, 4] {
            let threads = NonZeroU32::new(threads).unwrap();
            let mut solver = Solver::new(1 << 20).with_threads(threads);
            let other = solver.verdict(&p, &mut within(13), &mut ());
            assert_eq!(other.verdict, answer.verdict, "{p} on {threads} threads");
        }
    }
}

#[test]
fn one_thread_repeats_exactly() {
    let mut solver = Solver::new(8 << 20);
    for p in laborious().into_iter().take(10) {
        let first = solver.verdict(&p, &mut within(13), &mut ());
        assert_eq!(solver.verdict(&p, &mut within(13), &mut ()), first, "{p}");
        assert_eq!(solve(&p, 13), first, "{p}");
    }
}

/// The refuted depth of an answer that a limit cut short, checked against the full answer.
fn cut_short(p: &Position, verdict: Verdict, full: Verdict, expected: Stop) -> u32 {
    let Verdict::Unknown { depth, stop } = verdict else { panic!("{p}: {verdict:?}") };
    assert_eq!(stop, expected, "{p}");
    assert!(!matches!(full, Verdict::Win(n) if n <= depth), "{p}: {full:?} but {verdict:?}");
    depth
}

#[test]
fn limits_give_sound_depths_and_leave_the_solver_usable() {
    let mut depths = Vec::new();
    for threads in [1, 3] {
        let threads = NonZeroU32::new(threads).unwrap();
        let mut solver = Solver::new(1 << 20).with_threads(threads);
        for p in laborious().into_iter().take(15) {
            let full = solve(&p, 13).verdict;
            for nodes in [0, 1, 100, 1000] {
                let limits = Limits { depth: 13, nodes: Some(nodes), ..Limits::default() };
                let mut budget = Budget::new(&limits);
                let answer = solver.verdict(&p, &mut budget, &mut ());
                depths.push(cut_short(&p, answer.verdict, full, Stop::Nodes));
                assert!(answer.nodes <= nodes && !answer.never, "{p}");
            }
            let limits = Limits { depth: 13, time: Some(Duration::ZERO), ..Limits::default() };
            let answer = solver.verdict(&p, &mut Budget::new(&limits), &mut ());
            cut_short(&p, answer.verdict, full, Stop::Time);
            assert_eq!(solver.verdict(&p, &mut within(13), &mut ()).verdict, full, "{p}");
        }
    }
    assert!(depths.iter().any(|&depth| depth >= 7), "{depths:?}");
}

/// Raises a flag once a depth is finished.
struct StopAfter<'a>(u32, &'a AtomicBool);

impl Progress for StopAfter<'_> {
    fn report(&mut self, report: &DepthReport) {
        self.1.store(report.depth >= self.0, Relaxed);
    }
}

#[test]
fn a_raised_flag_stops_the_search() {
    let mut solver = Solver::new(1 << 20);
    let limits = Limits { depth: 15, ..Limits::default() };
    let mut later = 0;
    for p in laborious().into_iter().take(20) {
        let flag = AtomicBool::new(true);
        let full = solver.verdict(&p, &mut Budget::new(&limits), &mut ()).verdict;
        let mut budget = Budget::new(&limits).stopped_by(&flag);
        let verdict = solver.verdict(&p, &mut budget, &mut ()).verdict;
        cut_short(&p, verdict, full, Stop::Interrupted);

        flag.store(false, Relaxed);
        let mut budget = Budget::new(&limits).stopped_by(&flag);
        let verdict = solver.verdict(&p, &mut budget, &mut StopAfter(7, &flag)).verdict;
        if verdict != full {
            assert!(cut_short(&p, verdict, full, Stop::Interrupted) >= 7, "{p}");
            later += 1;
        }
    }
    assert!(later >= 10, "{later}");
}

#[test]
fn reports_grow_and_tell_the_truth() {
    struct Reports(Vec<u32>);
    impl Progress for Reports {
        fn report(&mut self, report: &DepthReport) {
            self.0.push(report.depth);
        }
    }
    for p in laborious() {
        let mut reports = Reports(Vec::new());
        let answer = Solver::new(8 << 20).verdict(&p, &mut within(13), &mut reports);
        assert!(reports.0.is_sorted_by(|a, b| a < b), "{p}: {:?}", reports.0);
        if let Verdict::Win(plies) = answer.verdict {
            assert!(reports.0.iter().all(|&depth| depth < plies), "{p}: {:?}", reports.0);
        }
    }
}

#[test]
fn a_position_proved_to_have_no_win_has_none_at_any_depth() {
    let mut never = 0;
    for p in sample(12, 2400, &positions(2, 2, 3)) {
        let answer = solve(&p, 7);
        if answer.never {
            never += 1;
            assert_eq!(answer.verdict, Verdict::NoWin { depth: 7 }, "{p}");
            let slow = asked(&mut DfPn::new(4 << 20), &p, Techniques::ALL, 21, 30_000);
            assert!(!matches!(slow, Verdict::Win(_)), "{p}: {slow:?}");
            assert_eq!(solve(&p, 99).verdict, Verdict::NoWin { depth: 99 }, "{p}");
        }
    }
    assert!(never > 100, "{never}");
}

#[test]
fn even_depths_and_none() {
    for p in sample(13, 300, &positions(2, 2, 3)) {
        assert_eq!(solve(&p, 0).verdict, Verdict::NoWin { depth: 0 }, "{p}");
        // With an even number of plies the last one is the top side's, and wins nothing.
        for depth in [2, 4] {
            let won = matches!(solve(&p, depth).verdict, Verdict::Win(n) if n <= depth);
            assert_eq!(Some(won), position_wins(&p, depth, 1_000_000), "{p} within {depth}");
        }
    }
}
