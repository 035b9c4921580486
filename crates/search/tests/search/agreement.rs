//! Every search finds what minimax finds.

use crate::toys::{Heaps, Tree, Walk};
use proptest::prelude::*;
use search::{
    AlphaBeta, AndOr, Budget, DepthSearch, DfPn, Limits, Pns, Steps, Stop, Verdict, deepen,
    wins_within,
};

pub(crate) const ROOMY: usize = 1 << 20;

pub(crate) fn trees() -> impl Strategy<Value = Tree> {
    (any::<u64>(), 1..5_u64, 0..60_u64).prop_map(|(node, width, decided_percent)| Tree {
        node,
        width,
        decided_percent,
    })
}

pub(crate) fn walks() -> impl Strategy<Value = Walk> {
    (any::<u64>(), 2..40_u64, 1..5_u64, 0..50_u64, 0..2_u64).prop_map(
        |(seed, size, width, decided_percent, turn)| Walk {
            seed,
            size,
            width,
            decided_percent,
            place: 0,
            turn,
        },
    )
}

fn heaps() -> impl Strategy<Value = Heaps> {
    prop::collection::vec(0..5_u8, 1..4).prop_map(|heaps| Heaps::new(&heaps))
}

pub(crate) fn steps() -> impl Strategy<Value = Steps> {
    (0..3_u32, 0..4_u32).prop_map(|(first, step)| Steps { first, step })
}

/// The verdict of deepening, taken from minimax.
pub(crate) fn truth<P: AndOr>(position: &P, steps: Steps, depth: u32) -> Verdict {
    match position.decided() {
        Some(true) => return Verdict::Win(0),
        Some(false) => return Verdict::NoWin { depth },
        None => {}
    }
    let depths = || (steps.first..=depth).step_by(steps.step.max(1) as usize);
    match depths().find(|&depth| wins_within(position, depth)) {
        Some(depth) => Verdict::Win(depth),
        None => Verdict::NoWin { depth: depths().last().unwrap_or(0) },
    }
}

pub(crate) fn run<P: AndOr>(
    mut search: impl DepthSearch<P>,
    position: &P,
    steps: Steps,
    depth: u32,
) -> Verdict {
    let limits = Limits { depth, ..Limits::default() };
    deepen(&mut search, position, steps, &mut Budget::new(&limits), &mut ())
}

/// All searches with all sizes of memory agree with minimax; only proof-number search may give up.
pub(crate) fn check<P: AndOr>(
    position: &P,
    steps: Steps,
    depth: u32,
    tiny: usize,
) -> Result<(), TestCaseError> {
    let truth = truth(position, steps, depth);
    prop_assert_eq!(run(AlphaBeta::plain(), position, steps, depth), truth);
    for memory in [0, tiny, ROOMY] {
        prop_assert_eq!(run(AlphaBeta::with_table(memory), position, steps, depth), truth);
        prop_assert_eq!(run(DfPn::new(memory), position, steps, depth), truth);
        prop_assert_eq!(run(DfPn::new(memory).recording_root(), position, steps, depth), truth);
    }
    prop_assert_eq!(run(Pns::new(ROOMY), position, steps, depth), truth);
    match run(Pns::new(tiny), position, steps, depth) {
        Verdict::Unknown { depth, stop } => {
            prop_assert_eq!(stop, Stop::Memory);
            prop_assert!(!wins_within(position, depth) || truth == Verdict::Win(0));
        }
        verdict => prop_assert_eq!(verdict, truth),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn on_random_trees(tree in trees(), steps in steps(), depth in 0..7_u32, tiny in 0..2000_usize) {
        check(&tree, steps, depth, tiny)?;
    }

    #[test]
    fn on_graphs_with_cycles(walk in walks(), steps in steps(), depth in 0..8_u32, tiny in 0..2000_usize) {
        check(&walk, steps, depth, tiny)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn on_heaps(heaps in heaps(), steps in steps(), depth in 0..6_u32, tiny in 0..2000_usize) {
        check(&heaps, steps, depth, tiny)?;
    }

    #[test]
    fn one_search_serves_many_positions_of_a_game(walk in walks(), depth in 0..7_u32, tiny in 0..2000_usize) {
        let limits = Limits::default();
        for memory in [tiny, ROOMY] {
            let (mut alpha_beta, mut dfpn) = (AlphaBeta::with_table(memory), DfPn::new(memory));
            for place in 0..walk.size {
                let position = Walk { place, ..walk.clone() };
                let truth = Ok(wins_within(&position, depth));
                let budget = &mut Budget::new(&limits);
                prop_assert_eq!(alpha_beta.prove(&position, depth, budget), truth);
                prop_assert_eq!(dfpn.prove(&position, depth, budget), truth);
            }
        }
    }
}
