//! What the tests share: random positions, the slow searches, and rules written a second time.

#![allow(dead_code, reason = "no test target uses everything")]

pub(crate) mod positions;
pub(crate) mod slow;
pub(crate) mod twin;

use games::geister::Position;
use geister::solver::{SearchResult, Solver};
use proptest::prelude::Strategy;
use proptest::test_runner::TestCaseError;
use search::{Budget, Limits};

/// Checks every position of a sample, and shrinks the first that fails.
pub(crate) fn check(
    seed: u8,
    cases: u32,
    strategy: impl Strategy<Value = Position>,
    test: impl Fn(Position) -> Result<(), TestCaseError>,
) {
    if let Err(failure) = positions::runner(seed, cases)
        .run(&strategy, |p| test(p).map_err(|error| TestCaseError::fail(format!("{p}: {error}"))))
    {
        panic!("{failure}");
    }
}

/// A budget with a depth and nothing else.
pub(crate) fn within(depth: u32) -> Budget<'static> {
    Budget::new(&Limits { depth, ..Limits::default() })
}

/// The solver's answer within a depth.
pub(crate) fn solve(position: &Position, depth: u32) -> SearchResult {
    Solver::new(64 << 20).verdict(position, &mut within(depth), &mut ())
}
