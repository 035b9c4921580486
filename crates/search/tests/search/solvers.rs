//! The best-first solvers: their proofs are right, and their limits hold.

use crate::agreement::{trees, walks};
use crate::toys::{Heaps, PGame, Walk};
use proptest::prelude::*;
use search::{
    AndOr, Budget, Conclusion, DepthSearch, Iteration, Limits, Mcpns, Mcts, Player, Playouts, Pns,
    Ppns, Solve, Solved, Stop, Uct, wins_within,
};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

fn playouts(seed: u64) -> Playouts {
    Playouts { per_leaf: 3, length: 20, seed }
}

/// All solvers that prove.
fn provers<P: AndOr>(seed: u64) -> Vec<Box<dyn Solve<P>>> {
    let playouts = playouts(seed);
    vec![
        Box::new(Pns::default()),
        Box::new(Mcpns { playouts }),
        Box::new(Ppns { playouts, ..Ppns::default() }),
        Box::new(Ppns { playouts, theta: 0.2, ..Ppns::default() }),
        Box::new(Uct { playouts, ..Uct::default() }),
        Box::new(Uct { playouts, exploration: 0.0 }),
    ]
}

fn plain(seed: u64, iterations: u64) -> Mcts {
    Mcts { playouts: playouts(seed), iterations, ..Mcts::default() }
}

/// Every solver there is, those that do not prove included.
fn solvers<P: AndOr>(seed: u64) -> Vec<Box<dyn Solve<P>>> {
    let mut all = provers(seed);
    let playouts = playouts(seed);
    all.push(Box::new(Ppns { playouts, theta: 0.01, precision: 0.02 }));
    all.push(Box::new(plain(seed, 300)));
    all
}

fn solve<P: AndOr>(solver: &mut dyn Solve<P>, position: &P, limits: &Limits) -> Solved<P::Move> {
    solver.solve(position, &mut Budget::new(limits))
}

fn trace<P: AndOr>(
    solver: &mut dyn Solve<P>,
    position: &P,
    limits: &Limits,
) -> (Vec<Iteration<P::Move>>, Solved<P::Move>) {
    let mut iterations = Vec::new();
    let observer = &mut |iteration: &Iteration<P::Move>| iterations.push(*iteration);
    let solved = solver.solve_observed(position, &mut Budget::new(limits), observer);
    (iterations, solved)
}

fn within(depth: u32) -> Limits {
    Limits { depth, memory: 8 << 20, ..Limits::default() }
}

/// The move named best keeps what is proved for the side to move.
fn check_best<P: AndOr>(
    position: &P,
    depth: u32,
    solved: &Solved<P::Move>,
) -> Result<(), TestCaseError> {
    let wants = position.decided().is_none().then(|| position.to_move() == Player::Or);
    if solved.last.number > 0 && solved.conclusion.proved() == wants {
        let best = solved.last.best.expect("an expanded root has a move");
        prop_assert_eq!(Some(wins_within(&position.play(best), depth - 1)), wants);
    }
    Ok(())
}

/// Without limits on nodes every prover finds what minimax finds.
fn check_proofs<P: AndOr>(position: &P, depth: u32, seed: u64) -> Result<(), TestCaseError> {
    let truth = wins_within(position, depth);
    for solver in &mut provers(seed) {
        let solved = solve(solver.as_mut(), position, &within(depth));
        prop_assert_eq!(solved.conclusion.proved(), Some(truth));
        prop_assert_eq!(solved.last.win_estimate, f64::from(u8::from(truth)));
        check_best(position, depth, &solved)?;
    }
    Ok(())
}

/// Under tight limits a proof is still right, and anything else names the limit.
fn check_limits<P: AndOr>(
    position: &P,
    depth: u32,
    seed: u64,
    nodes: u64,
    memory: usize,
) -> Result<(), TestCaseError> {
    let truth = wins_within(position, depth);
    let limits = Limits { depth, memory, nodes: Some(nodes), time: None };
    for solver in &mut solvers(seed) {
        let mut budget = Budget::new(&limits);
        let solved = solver.solve(position, &mut budget);
        prop_assert!(budget.nodes() <= nodes && solved.last.number <= budget.nodes());
        prop_assert!(solved.last.nodes <= memory / 24, "no node is smaller than that");
        match solved.conclusion {
            Conclusion::Unknown(Stop::Nodes) => prop_assert_eq!(solved.last.number, nodes),
            Conclusion::Unknown(stop) => prop_assert_eq!(stop, Stop::Memory),
            Conclusion::Believed(_) => prop_assert!(solved.last.number > 0),
            proof => prop_assert_eq!(proof.proved(), Some(truth)),
        }
    }
    Ok(())
}

fn p_games() -> impl Strategy<Value = PGame> {
    (any::<u64>(), 1..4_u64, 0..6_u32, any::<bool>())
        .prop_map(|(node, width, layers, turns)| PGame::new(node, width, layers, turns))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn proofs_are_right_on_p_games(game in p_games(), seed in any::<u64>()) {
        check_proofs(&game, 99, seed)?;
    }

    #[test]
    fn proofs_are_right_on_random_trees(tree in trees(), depth in 0..6_u32, seed in any::<u64>()) {
        check_proofs(&tree, depth, seed)?;
    }

    #[test]
    fn proofs_are_right_on_graphs_with_cycles(walk in walks(), depth in 0..6_u32, seed in any::<u64>()) {
        check_proofs(&walk, depth, seed)?;
    }

    #[test]
    fn limits_hold_on_p_games(
        game in p_games(), seed in any::<u64>(), nodes in 0..40_u64, memory in 0..4000_usize
    ) {
        check_limits(&game, 99, seed, nodes, memory)?;
    }

    #[test]
    fn limits_hold_on_graphs_with_cycles(
        walk in walks(), depth in 0..7_u32, seed in any::<u64>(), nodes in 0..40_u64, memory in 0..4000_usize
    ) {
        check_limits(&walk, depth, seed, nodes, memory)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_seed_repeats_every_iteration(game in p_games(), seed in any::<u64>()) {
        for solver in &mut solvers(seed) {
            let first = trace(solver.as_mut(), &game, &within(99));
            prop_assert_eq!(first, trace(solver.as_mut(), &game, &within(99)));
        }
    }

    #[test]
    fn every_iteration_is_seen(game in p_games(), seed in any::<u64>()) {
        for solver in &mut solvers(seed) {
            let (iterations, solved) = trace(solver.as_mut(), &game, &within(99));
            let numbers: Vec<u64> = iterations.iter().map(|iteration| iteration.number).collect();
            prop_assert_eq!(numbers, (1..=solved.last.number).collect::<Vec<_>>());
            prop_assert!(iterations.is_sorted_by_key(|iteration| iteration.nodes));
            prop_assert!(iterations.iter().all(|i| (0.0..=1.0).contains(&i.win_estimate)));
            prop_assert!(iterations.iter().all(|iteration| iteration.best.is_some()));
            prop_assert_eq!(iterations.last().unwrap_or(&solved.last), &solved.last);
        }
    }

    #[test]
    fn pns_answers_a_depth_and_a_limit_alike(walk in walks(), depth in 0..7_u32) {
        let mut pns = Pns::default();
        let proved = pns.prove(&walk, depth, &mut Budget::new(&Limits::default()));
        let solved = solve(&mut pns, &walk, &within(depth));
        prop_assert_eq!(proved.ok(), solved.conclusion.proved());
    }
}

#[test]
fn another_seed_plays_other_games() {
    let game = PGame::new(3, 3, 8, true);
    let win_estimates = |seed| {
        let (iterations, _) = trace(&mut plain(seed, 20), &game, &within(99));
        iterations.iter().map(|iteration| iteration.win_estimate).collect::<Vec<_>>()
    };
    assert_ne!(win_estimates(1), win_estimates(2));
}

#[test]
fn a_belief_saves_iterations_and_can_be_wrong() {
    let (mut wrong, mut right, mut cheap, mut sure) = (0, 0, 0, 0);
    for node in 0..300 {
        let game = PGame::new(node, 2, 8, true);
        let truth = wins_within(&game, 99);
        let mut ppns = Ppns { playouts: playouts(node), theta: 0.01, precision: 0.0 };
        sure += solve(&mut ppns, &game, &within(99)).last.number;
        ppns.precision = 0.1;
        let solved = solve(&mut ppns, &game, &within(99));
        cheap += solved.last.number;
        match solved.conclusion {
            Conclusion::Believed(won) if won == truth => right += 1,
            Conclusion::Believed(_) => wrong += 1,
            proof => assert_eq!(proof.proved(), Some(truth)),
        }
    }
    assert!(cheap < sure, "{cheap} iterations with belief, {sure} without");
    assert!(wrong > 0 && right > 3 * wrong, "{right} beliefs right, {wrong} wrong");
}

#[test]
fn plain_search_finds_good_moves_without_proving_any() {
    let mut right = 0;
    let games: Vec<PGame> = (0..400)
        .map(|node| PGame::new(node, 3, 5, true))
        .filter(|game| wins_within(game, 99) == (game.to_move() == Player::Or))
        .collect();
    for game in &games {
        let solved = solve(&mut plain(1, 2000), game, &within(99));
        assert_eq!(solved.conclusion, Conclusion::Unknown(Stop::Nodes));
        assert_eq!(solved.last.number, 2000);
        let best = solved.last.best.expect("a move");
        let wants = game.to_move() == Player::Or;
        right += usize::from(wins_within(&game.play(best), 99) == wants);
    }
    assert!(games.len() > 100 && 100 * right > 95 * games.len(), "{right} of {}", games.len());
}

#[test]
fn decided_roots_need_no_iterations() {
    let taken = Heaps { heaps: vec![0], to_move: Player::And };
    for solver in &mut solvers(1) {
        let (iterations, solved) = trace(solver.as_mut(), &taken, &within(99));
        assert_eq!((solved.conclusion, solved.last.nodes), (Conclusion::Proved, 0));
        assert!(iterations.is_empty() && solved.last.best.is_none());
        let beyond = solve(solver.as_mut(), &Heaps::new(&[3]), &within(0));
        assert_eq!(beyond.conclusion, Conclusion::Disproved);
    }
}

/// A game too big to finish: nothing is ever decided.
fn endless() -> Walk {
    Walk { seed: 1, size: 1 << 40, width: 6, decided_percent: 0, place: 0, turn: 0 }
}

#[test]
fn time_and_the_flag_end_every_search() {
    let limits = Limits { time: Some(Duration::from_millis(20)), ..Limits::default() };
    let calm = Limits { time: None, ..limits };
    let raised = AtomicBool::new(true);
    for solver in &mut provers(1) {
        let timed = solve(solver.as_mut(), &endless(), &limits);
        assert_eq!(timed.conclusion, Conclusion::Unknown(Stop::Time));
        let mut budget = Budget::new(&calm).stopped_by(&raised);
        let stopped = solver.solve(&endless(), &mut budget);
        assert_eq!(stopped.conclusion, Conclusion::Unknown(Stop::Interrupted));
    }
}

#[test]
fn slow_playouts_do_not_outrun_the_clock() {
    let playouts = Playouts { per_leaf: 100, length: 100, seed: 0 };
    let limits = Limits { time: Some(Duration::from_millis(1)), ..Limits::default() };
    let mut budget = Budget::new(&limits);
    let solved = Mcpns { playouts }.solve(&endless(), &mut budget);
    assert_eq!(solved.conclusion, Conclusion::Unknown(Stop::Time));
    assert!(budget.nodes() < Budget::CHECK_INTERVAL_NODES);
}

#[test]
fn a_full_tree_gives_unknown() {
    for memory in [0, 1000, 100_000] {
        let limits = Limits { memory, ..Limits::default() };
        for mut solver in solvers(1).into_iter().rev().skip(1) {
            let solved = solve(solver.as_mut(), &endless(), &limits);
            assert!(solved.last.nodes <= memory / 24);
            // A game that is never won soon looks lost to a search that may believe.
            let believes = matches!(solved.conclusion, Conclusion::Believed(false));
            assert!(believes || solved.conclusion == Conclusion::Unknown(Stop::Memory));
        }
    }
}

#[test]
fn settings_out_of_range_make_no_wrong_proof() {
    let playouts = Playouts { per_leaf: 0, length: 0, seed: 0 };
    for (node, setting) in [f64::NAN, f64::INFINITY, -3.0, 0.0, 7.0].into_iter().enumerate() {
        let game = PGame::new(node as u64, 3, 5, false);
        let truth = Some(wins_within(&game, 99));
        let mut ppns = Ppns { playouts, theta: setting, precision: 0.0 };
        assert_eq!(solve(&mut ppns, &game, &within(99)).conclusion.proved(), truth);
        ppns = Ppns { precision: setting, ..Ppns::default() };
        let proved = solve(&mut ppns, &game, &within(99)).conclusion.proved();
        assert!(proved.is_none() || proved == truth);
        let mut uct = Uct { playouts, exploration: setting };
        assert_eq!(solve(&mut uct, &game, &within(99)).conclusion.proved(), truth);
    }
}
