//! Expectimax and conspiracy numbers against independent reference implementations.

use crate::toys::{Fortune, PGame};
use proptest::prelude::*;
use search::{
    AndOr, Budget, ConspiracyNumber, Limits, Player, Stochastic, Stop, Turn, conspiracy_number,
    deepest_expectation, expectation, wins_within,
};

const ALL: &[Turn] = &[Turn::Max, Turn::Min, Turn::Chance];
const ALONE: &[Turn] = &[Turn::Max, Turn::Chance];

fn fortunes(width: u64) -> impl Strategy<Value = Fortune> {
    let turns = prop::sample::select(vec![ALL, ALONE]);
    (any::<u64>(), 1..=width, 0..40_u64, turns).prop_map(|(node, width, ended_percent, turns)| {
        Fortune { node, width, ended_percent, turns }
    })
}

fn budget() -> Budget<'static> {
    Budget::new(&Limits::default())
}

/// Children with their probabilities; a move of the players has none.
fn children(position: &Fortune) -> Vec<(f64, Fortune)> {
    let mut children = Vec::new();
    if position.turn() == Some(Turn::Chance) {
        position.outcomes(&mut children);
    } else {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        children.extend(moves.into_iter().map(|m| (1.0, position.play(m))));
    }
    children
}

/// The value of each of MAX's strategies for the whole tree against the best MIN; the maximum is
/// taken only over complete strategies.
fn plans(position: &Fortune, depth: u32) -> Vec<f64> {
    let Some(turn) = position.turn().filter(|_| depth > 0) else { return vec![position.value()] };
    let below = children(position).into_iter().map(|(p, child)| (p, plans(&child, depth - 1)));
    match turn {
        Turn::Max => below.flat_map(|(_, plans)| plans).collect(),
        Turn::Min => every_pair(below, f64::INFINITY, |worst, _, value| f64::min(worst, value)),
        Turn::Chance => every_pair(below, 0.0, |mean, p, value| mean + p * value),
    }
}

/// One plan of each child, in every combination.
fn every_pair(
    below: impl Iterator<Item = (f64, Vec<f64>)>,
    start: f64,
    join: fn(f64, f64, f64) -> f64,
) -> Vec<f64> {
    below.fold(vec![start], |all, (p, plans)| {
        all.iter().flat_map(|&so_far| plans.iter().map(move |&v| join(so_far, p, v))).collect()
    })
}

/// The definition of the single conspiracy number, without any cut-off.
fn definition(position: &Fortune, depth: u32, threshold: f64) -> Option<u32> {
    let reached = position.value() >= threshold;
    let Some(turn) = position.turn() else { return reached.then_some(0) };
    if depth == 0 {
        return Some(u32::from(!reached));
    }
    let below = children(position);
    let mut numbers = below.iter().map(|(_, child)| definition(child, depth - 1, threshold));
    match turn {
        Turn::Max => numbers.flatten().min(),
        Turn::Min | Turn::Chance => numbers.try_fold(0, |sum, number| Some(sum + number?)),
    }
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn expectimax_is_the_value_of_the_best_plan(game in fortunes(2), depth in 0..6_u32) {
        let found = expectation(&game, depth, &Fortune::value, &mut budget()).unwrap();
        let best = plans(&game, depth).into_iter().fold(f64::NEG_INFINITY, f64::max);
        prop_assert!(close(found.value, best), "{} {best}", found.value);
    }

    #[test]
    fn the_best_move_has_the_value(game in fortunes(3), depth in 0..5_u32) {
        let found = expectation(&game, depth, &Fortune::value, &mut budget()).unwrap();
        let decides = matches!(game.turn(), Some(Turn::Max | Turn::Min)) && depth > 0;
        prop_assert_eq!(found.best.is_some(), decides);
        if let Some(best) = found.best {
            let after = expectation(&game.play(best), depth - 1, &Fortune::value, &mut budget());
            prop_assert_eq!(after.unwrap().value, found.value);
            let value = |m| expectation(&game.play(m), depth - 1, &Fortune::value, &mut budget());
            prop_assert!((0..best).all(|m| value(m).unwrap().value != found.value), "the first");
        }
    }

    #[test]
    fn deepening_goes_as_deep_as_it_may(game in fortunes(3), depth in 0..6_u32, nodes in 0..80_u64) {
        let limits = Limits { depth, nodes: Some(nodes), ..Limits::default() };
        let mut budget = Budget::new(&limits);
        let (found, stop) = deepest_expectation(&game, &Fortune::value, &mut budget);
        let again = expectation(&game, found.depth, &Fortune::value, &mut self::budget());
        prop_assert_eq!(again, Ok(found));
        prop_assert!(budget.nodes() <= nodes);
        match stop {
            Some(stop) => prop_assert_eq!((stop, budget.nodes()), (Stop::Nodes, nodes)),
            None => prop_assert!(found.complete || found.depth == depth),
        }
        if found.complete {
            let deeper = expectation(&game, found.depth + 3, &Fortune::value, &mut self::budget());
            prop_assert_eq!(deeper.map(|deeper| deeper.value), Ok(found.value));
        }
    }

    #[test]
    fn conspiracy_numbers_are_as_defined(game in fortunes(4), depth in 0..6_u32, threshold in -1..12_i32) {
        let threshold = threshold.into();
        let found = conspiracy_number(&game, depth, threshold, &Fortune::value, &mut budget()).unwrap();
        prop_assert_eq!(found.finite(), definition(&game, depth, threshold));
    }

    #[test]
    fn a_greater_threshold_is_no_easier(game in fortunes(4), depth in 0..6_u32) {
        let number = |threshold: i32| {
            conspiracy_number(&game, depth, threshold.into(), &Fortune::value, &mut budget()).unwrap()
        };
        prop_assert_eq!(number(0), ConspiracyNumber::REACHED);
        prop_assert!((0..11).map(number).is_sorted());
    }
}

/// A game of two as a tree of moves: OR is MAX.
#[derive(Clone)]
struct Moves<P>(P);

impl<P: AndOr> Stochastic for Moves<P> {
    type Move = P::Move;
    fn turn(&self) -> Option<Turn> {
        let mover = || if self.0.to_move() == Player::Or { Turn::Max } else { Turn::Min };
        self.0.decided().is_none().then(mover)
    }
    fn moves(&self, out: &mut Vec<P::Move>) {
        self.0.moves(out);
    }
    fn play(&self, m: P::Move) -> Self {
        Self(self.0.play(m))
    }
}

/// The proof number of the full tree of this depth.
fn proof_number<P: AndOr>(position: &P, depth: u32) -> Option<u32> {
    match position.decided() {
        Some(won) => return won.then_some(0),
        None if depth == 0 => return Some(1),
        None => {}
    }
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let mut numbers = moves.into_iter().map(|m| proof_number(&position.play(m), depth - 1));
    match position.to_move() {
        Player::Or => numbers.flatten().min(),
        Player::And => numbers.try_fold(0, |sum, number| Some(sum + number?)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn without_chance_it_is_minimax(node in any::<u64>(), layers in 0..6_u32, turns in any::<bool>()) {
        let game = PGame::new(node, 3, layers, turns);
        let won = |moves: &Moves<PGame>| f64::from(u8::from(moves.0.decided() == Some(true)));
        let moves = Moves(game.clone());
        let value = expectation(&moves, 99, &won, &mut budget()).unwrap().value;
        prop_assert_eq!(value == 1.0, wins_within(&game, 99));
        for depth in 0..layers + 2 {
            let number = conspiracy_number(&moves, depth, 1.0, &won, &mut budget()).unwrap();
            prop_assert_eq!(number.finite(), proof_number(&game, depth));
        }
    }
}

#[test]
fn cut_offs_save_nodes_and_limits_hold() {
    let game = Fortune { node: 11, width: 4, ended_percent: 0, turns: ALL };
    let mut spent = budget();
    let number = conspiracy_number(&game, 7, 5.0, &Fortune::value, &mut spent).unwrap();
    assert_eq!(number.finite(), definition(&game, 7, 5.0));
    let mut whole = budget();
    expectation(&game, 7, &Fortune::value, &mut whole).unwrap();
    assert!(spent.nodes() < whole.nodes(), "{} of {}", spent.nodes(), whole.nodes());
    let mut few = Budget::new(&Limits { nodes: Some(10), ..Limits::default() });
    let stopped = conspiracy_number(&game, 7, 5.0, &Fortune::value, &mut few);
    assert_eq!((stopped, few.nodes()), (Err(Stop::Nodes), 10));
}

#[test]
fn counts_are_less_than_infinity() {
    assert!(ConspiracyNumber::REACHED < ConspiracyNumber::INFINITE);
    assert_eq!(ConspiracyNumber::REACHED.finite(), Some(0));
    assert_eq!(ConspiracyNumber::INFINITE.finite(), None);
}
