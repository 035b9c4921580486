//! Weighted maximax against its slow twin, the recursion of P2's figure, on random trees.

use crate::toys::scatter;
use proptest::prelude::*;
use search::maximax::Value;
use search::{Budget, Limits, Maximax, Metaposition, RankedMove, Stop};

/// Static values of undecided moves are below this.
const CEILING: u64 = 50;

/// A random tree of metapositions without end; some moves are decided, some lead to dead ends.
#[derive(Clone, Debug)]
struct Fog {
    node: u64,
    width: u64,
    decided_percent: u64,
    /// Whether it knows its ceiling. Then no move wins.
    is_capped: bool,
}

impl Fog {
    fn child(&self, word: u64) -> Fog {
        Fog { node: scatter(self.node.wrapping_mul(31).wrapping_add(word)), ..*self }
    }
}

impl Metaposition for Fog {
    type Move = u64;

    fn moves(&self) -> Vec<u64> {
        let is_dead_end = scatter(self.node ^ 4).is_multiple_of(16);
        if is_dead_end {
            Vec::new()
        } else {
            (0..1 + scatter(self.node ^ 3) % self.width).collect()
        }
    }

    fn pseudo(&self, mv: u64) -> Fog {
        self.child(mv + 1)
    }

    fn meta(&self) -> Fog {
        self.child(1 << 40)
    }

    fn evaluate(&self, mv: u64, after: &Fog) -> Value {
        assert_eq!(after.node, self.pseudo(mv).node);
        let dice = scatter(after.node ^ 5);
        if dice % 100 < self.decided_percent {
            let wins = !self.is_capped && dice >> 32 & 1 == 0;
            return if wins { Value::WON } else { Value::LOST };
        }
        // Whole numbers, so that there are ties.
        Value::Score(((dice >> 33) % (2 * CEILING)) as f64 - CEILING as f64)
    }

    fn ceiling(&self, _moves: u32) -> Value {
        if self.is_capped { Value::Score(CEILING as f64) } else { Value::WON }
    }
}

/// Another weight at every metaposition, the ends of the range among them.
fn alpha(at: &Fog) -> f64 {
    (scatter(at.node ^ 6) % 11) as f64 / 10.0
}

/// The figure of P2, word by word: nothing is ordered, nothing is cut off.
fn twin(from: &Fog, mv: u64, depth: u32) -> Value {
    let after = from.pseudo(mv);
    let fixed = from.evaluate(mv, &after);
    let Value::Score(number) = fixed else { return fixed };
    let next = after.meta();
    if depth == 0 || alpha(from) == 1.0 || next.moves().is_empty() {
        return fixed;
    }
    let below = next.moves().into_iter().map(|mv| twin(&next, mv, depth - 1));
    match below.max_by(|one, other| one.compare(*other)).expect("there are moves") {
        Value::Won(moves) => Value::Won(moves + 1),
        Value::Lost(moves) => Value::Lost(moves + 1),
        Value::Score(best) => Value::Score(number * alpha(from) + best * (1.0 - alpha(from))),
    }
}

fn fogs() -> impl Strategy<Value = Fog> {
    (any::<u64>(), 1..5_u64, 0..30_u64, any::<bool>()).prop_map(
        |(node, width, decided_percent, is_capped)| Fog { node, width, decided_percent, is_capped },
    )
}

fn budget() -> Budget<'static> {
    Budget::new(&Limits::default())
}

/// Equal but for rounding.
fn close(one: Value, other: Value) -> bool {
    match (one, other) {
        (Value::Score(one), Value::Score(other)) => (one - other).abs() < 1e-6,
        _ => one == other,
    }
}

/// Equal or less, but for rounding.
fn at_most(one: Value, other: Value) -> bool {
    close(one, other) || one.compare(other).is_lt()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn without_pruning_every_value_is_the_twins(fog in fogs(), depth in 0..5_u32) {
        let plain = Maximax { prune: false, ..Maximax::new(alpha) };
        let found = plain.rank(&fog, depth, &mut budget()).unwrap();
        prop_assert_eq!(found.len(), fog.moves().len());
        for one in &found {
            prop_assert!(one.exact && close(one.value, twin(&fog, one.mv, depth)));
        }
        prop_assert!(found.is_sorted_by(|one, other| one.value.compare(other.value).is_ge()));
    }

    #[test]
    fn pruning_keeps_the_best_value_and_bounds_the_others(fog in fogs(), depth in 0..6_u32) {
        let found = Maximax::new(alpha).rank(&fog, depth, &mut budget()).unwrap();
        prop_assert_eq!(found.len(), fog.moves().len());
        for (place, one) in found.iter().enumerate() {
            let truth = twin(&fog, one.mv, depth);
            prop_assert!(one.exact || place > 0);
            prop_assert!(at_most(truth, one.value));
            prop_assert!(!one.exact || close(one.value, truth));
            prop_assert!(at_most(truth, found[0].value), "{truth:?} {found:?}");
        }
    }

    #[test]
    fn deepening_ends_where_one_depth_does(fog in fogs(), depth in 0..5_u32, nodes in 0..200_u64) {
        let limits = Limits { depth, nodes: Some(nodes), ..Limits::default() };
        let mut account = Budget::new(&limits);
        let found = Maximax::new(alpha).deepen(&fog, &mut account);
        prop_assert!(account.nodes() <= nodes);
        prop_assert!(found.stop.is_none_or(|stop| stop == Stop::Nodes));
        let Some(best) = found.moves.first() else { return Ok(()) };
        prop_assert!(close(best.value, twin(&fog, best.mv, found.depth)));
        if found.stop.is_none() {
            // Where it stopped early, a deeper search says the same.
            let all = fog.moves().into_iter().map(|mv| twin(&fog, mv, depth));
            let most = all.max_by(|one, other| one.compare(*other)).unwrap();
            prop_assert!(close(best.value, most), "{best:?} {most:?}");
        }
    }

    #[test]
    fn a_wide_beam_changes_nothing_and_a_narrow_one_finds_no_more(fog in fogs(), depth in 0..5_u32) {
        let best = |beam| {
            let plan = Maximax { beam, ..Maximax::new(alpha) };
            plan.rank(&fog, depth, &mut budget()).unwrap().first().map(|one: &RankedMove<u64>| one.value)
        };
        prop_assert_eq!(best(Some(5)), best(None));
        if let (Some(narrow), Some(wide)) = (best(Some(1)), best(None)) {
            prop_assert!(at_most(narrow, wide));
        }
    }
}

#[test]
fn a_ceiling_saves_nodes() {
    let nodes = |prune| {
        let fog = Fog { node: 7, width: 8, decided_percent: 0, is_capped: true };
        let mut account = budget();
        let plan = Maximax { prune, ..Maximax::new(|_: &Fog| 0.6) };
        plan.rank(&fog, 5, &mut account).unwrap();
        account.nodes()
    };
    assert!(nodes(true) * 3 < nodes(false), "{} of {}", nodes(true), nodes(false));
}

#[test]
fn without_time_the_static_values_decide() {
    let fog = Fog { node: 7, width: 8, decided_percent: 0, is_capped: false };
    let limits = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
    let found = Maximax::new(|_: &Fog| 0.6).deepen(&fog, &mut Budget::new(&limits));
    assert_eq!((found.depth, found.stop), (0, Some(Stop::Time)));
    assert_eq!(found.moves[0].value, twin(&fog, found.moves[0].mv, 0));
}
