//! What the tests of the crate share.

#![allow(dead_code, reason = "each test takes what it needs")]

use games::geister::Position;
use geister::solver::{Revealed, Solver};
use puzzle::compose::random::Placement;
use puzzle::compose::{Criteria, Rejection, Verifier};
use puzzle::{Material, Origin, Puzzle, SourceKind};
use search::{Budget, Limits, Verdict};
use std::sync::atomic::AtomicBool;

/// Where the puzzles of tests come from.
pub(crate) fn origin() -> Origin {
    Origin { kind: SourceKind::Given, trial: 0, request: String::new(), seed: 0 }
}

pub(crate) fn examine_position(
    position: &Position,
    criteria: &Criteria,
) -> Result<Puzzle, Rejection> {
    let limits = Limits { nodes: Some(5_000_000), memory: 64 << 20, ..Limits::default() };
    Verifier::new(limits, &AtomicBool::new(false)).verify(position, criteria, origin())
}

pub(crate) fn verify(text: &str, criteria: &Criteria) -> Result<Puzzle, Rejection> {
    examine_position(&text.parse().expect("a position"), criteria)
}

/// The puzzle of a position that is known to be one.
pub(crate) fn verified(text: &str) -> Puzzle {
    verify(text, &Criteria::default()).expect("a puzzle")
}

/// Random placements that are won within so many plies.
pub(crate) fn won_within(seed: u64, trials: u64, plies: u32) -> Vec<Position> {
    let material: Material = "B1..2,R1..2,b1,r1..2".parse().expect("material");
    let placement = Placement::new(&material, Revealed::None).expect("placements");
    let mut solver = Solver::new(1 << 20);
    let mut wins = |position: &Position| {
        let mut budget = Budget::new(&Limits { depth: plies, ..Limits::default() });
        matches!(solver.verdict(position, &mut budget, &mut ()).verdict, Verdict::Win(_))
    };
    let all = (0..trials).map(|trial| placement.position(seed, trial));
    all.filter(|position| wins(position)).collect()
}
