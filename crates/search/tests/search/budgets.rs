//! Limits are kept, and what is said under them is true.

use crate::agreement::{ROOMY, trees, truth, walks};
use crate::toys::{Heaps, Walk};
use proptest::prelude::*;
use search::{
    AlphaBeta, AndOr, Budget, DepthReport, DepthSearch, DfPn, Limits, Pns, Progress, Steps, Stop,
    Verdict, deepen, wins_within,
};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A game too big to finish: nothing is ever decided.
fn endless() -> Walk {
    Walk { seed: 1, size: 1 << 40, width: 6, decided_percent: 0, place: 0, turn: 0 }
}

fn spend<P: AndOr>(
    mut search: impl DepthSearch<P>,
    position: &P,
    limits: &Limits,
) -> (Verdict, u64) {
    let mut budget = Budget::new(limits);
    let verdict = deepen(&mut search, position, Steps::default(), &mut budget, &mut ());
    (verdict, budget.nodes())
}

/// With this node limit, each search returns the correct result or stops at the limit.
fn check_nodes<P: AndOr>(position: &P, depth: u32, nodes: u64) -> Result<(), TestCaseError> {
    let limits = Limits { depth, nodes: Some(nodes), ..Limits::default() };
    let truth = truth(position, Steps::default(), depth);
    let outcomes = [
        spend(AlphaBeta::plain(), position, &limits),
        spend(AlphaBeta::with_table(ROOMY), position, &limits),
        spend(Pns::new(ROOMY), position, &limits),
        spend(DfPn::new(ROOMY), position, &limits),
    ];
    for (verdict, spent) in outcomes {
        prop_assert!(spent <= nodes);
        match verdict {
            Verdict::Unknown { depth, stop } => {
                prop_assert_eq!((stop, spent), (Stop::Nodes, nodes));
                prop_assert!(!wins_within(position, depth));
            }
            verdict => prop_assert_eq!(verdict, truth),
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn the_node_limit_is_exact(tree in trees(), walk in walks(), depth in 0..8_u32, nodes in 0..60_u64) {
        check_nodes(&tree, depth, nodes)?;
        check_nodes(&walk, depth, nodes)?;
    }

    #[test]
    fn tables_keep_to_their_memory(memory in 0..100_000_usize) {
        prop_assert!(AlphaBeta::with_table(memory).memory() <= memory);
        prop_assert!(DfPn::new(memory).memory() <= memory);
    }
}

/// The reason why each of the searches stops on the endless game.
fn stops(limits: &Limits, flag: &AtomicBool) -> Vec<Option<Stop>> {
    fn stop(mut search: impl DepthSearch<Walk>, mut budget: Budget<'_>) -> Option<Stop> {
        match deepen(&mut search, &endless(), Steps::default(), &mut budget, &mut ()) {
            Verdict::Unknown { stop, .. } => Some(stop),
            _ => None,
        }
    }
    let budget = || Budget::new(limits).stopped_by(flag);
    vec![
        stop(AlphaBeta::plain(), budget()),
        stop(AlphaBeta::with_table(limits.memory), budget()),
        stop(DfPn::new(limits.memory), budget()),
        stop(Pns::new(limits.memory), budget()),
    ]
}

#[test]
fn time_ends_a_search() {
    let limits = Limits { time: Some(Duration::from_millis(20)), ..Limits::default() };
    assert_eq!(stops(&limits, &AtomicBool::new(false)), [Some(Stop::Time); 4]);
    let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    assert_eq!(stops(&limits, &AtomicBool::new(false)), [Some(Stop::Time); 4]);
}

#[test]
fn the_flag_ends_a_search() {
    assert_eq!(stops(&Limits::default(), &AtomicBool::new(true)), [Some(Stop::Interrupted); 4]);
}

#[test]
fn the_flag_can_be_raised_from_another_thread() {
    let flag = AtomicBool::new(false);
    let (mut search, limits) = (DfPn::new(ROOMY), Limits::default());
    let verdict = std::thread::scope(|scope| {
        scope.spawn(|| flag.store(true, std::sync::atomic::Ordering::Relaxed));
        let mut budget = Budget::new(&limits).stopped_by(&flag);
        deepen(&mut search, &endless(), Steps::default(), &mut budget, &mut ())
    });
    assert!(matches!(verdict, Verdict::Unknown { stop: Stop::Interrupted, .. }));
}

#[test]
fn only_the_tree_stops_for_lack_of_memory() {
    let limits = Limits { memory: 5000, nodes: Some(100_000), ..Limits::default() };
    let [plain, table, dfpn] = [Some(Stop::Nodes); 3];
    let expected = [plain, table, dfpn, Some(Stop::Memory)];
    assert_eq!(stops(&limits, &AtomicBool::new(false)), expected);
}

#[test]
fn an_exhausted_budget_stays_exhausted() {
    let flag = AtomicBool::new(true);
    let mut budget = Budget::new(&Limits::default()).stopped_by(&flag);
    assert_eq!(budget.count(), Err(Stop::Interrupted));
    assert_eq!(budget.count(), Err(Stop::Interrupted));
    assert_eq!(budget.nodes(), 0);
}

#[derive(Default)]
struct Log(Vec<DepthReport>);

impl Progress for Log {
    fn report(&mut self, report: &DepthReport) {
        self.0.push(*report);
    }
}

#[test]
fn each_finished_depth_is_reported() {
    let (mut log, mut dfpn) = (Log::default(), DfPn::new(ROOMY));
    let mut budget = Budget::new(&Limits::default());
    let game = Heaps::new(&[9]);
    let verdict = deepen(&mut dfpn, &game, Steps::default(), &mut budget, &mut log);
    assert_eq!(verdict, Verdict::Win(5));
    let depths: Vec<u32> = log.0.iter().map(|report| report.depth).collect();
    assert_eq!(depths, [1, 3, 5]);
    assert!(log.0.is_sorted_by_key(|report| (report.nodes, report.elapsed)));
    assert_eq!(log.0.last().map(|report| report.nodes), Some(budget.nodes()));
}
