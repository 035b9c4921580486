//! Search indicators along the main line: conspiracy numbers, motion in mind, win probability.

use super::{Feature, Features};
use crate::record::Puzzle;
use geister::feel::{Goal, Sight, Trace};
use geister::reference::{Puzzle as Reference, Techniques};
use search::{Budget, Limits, Playouts, Ppns, Solve};

/// A lookahead of two own moves for a blue with a free run to an exit.
const SIGHT: Sight = Sight { goal: Goal::Run, ahead: 2 };

/// Iterations and playouts per leaf of the short PPNS search.
const ITERATIONS: u64 = 48;
const PLAYOUTS: u32 = 4;

/// Sets the indicators.
pub(super) fn fill(puzzle: &Puzzle, features: &mut Features) {
    conspiracy(puzzle, features);
    features.set(Feature::Chance, ppns_win_probability(puzzle));
}

fn conspiracy(puzzle: &Puzzle, features: &mut Features) {
    let mut budget = Budget::new(&Limits::default());
    // The search has no limits, so this cannot fail.
    let Ok(trace) = Trace::along(&puzzle.position, &puzzle.line, SIGHT, &mut budget) else {
        return;
    };
    let (heights, ride) = (trace.heights(), trace.ride());
    features.set(Feature::ConspiracyNumber, heights.first().copied().unwrap_or(0.0));
    let mean = heights.iter().sum::<f64>() / heights.len().max(1) as f64;
    features.set(Feature::ConspiracyMean, mean);
    features.set(Feature::ConspiracyRises, ride.climbed);
    features.set(Feature::ConspiracyTurns, f64::from(ride.turns));
    if let Some(motion) = trace.motion() {
        features.set(Feature::Velocity, motion.velocity);
        features.set(Feature::Momentum, motion.momentum);
        features.set(Feature::Energy, motion.potential);
    }
}

/// The win probability within `M_win` plies, estimated by a short PPNS search.
fn ppns_win_probability(puzzle: &Puzzle) -> f64 {
    let playouts = Playouts { per_leaf: PLAYOUTS, seed: 0, length: puzzle.m_win };
    let limits = Limits {
        depth: puzzle.m_win,
        nodes: Some(ITERATIONS),
        memory: 4 << 20,
        ..Limits::default()
    };
    let reference = Reference::new(puzzle.position, Techniques::NONE);
    let mut search = Ppns { playouts, ..Ppns::default() };
    search.solve(&reference, &mut Budget::new(&limits)).last.win_estimate
}
