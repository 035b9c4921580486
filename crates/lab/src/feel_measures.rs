//! Measures of how a puzzle feels: the conspiracy numbers along its main line, and along the line
//! of a player who follows them.

use crate::trials::budget;
use crate::{LabError, Run};
use games::Seat;
use games::geister::{Move, Position};
use geister::feel::{Goal, Ride, Sight, Trace, lead};
use geister::solver::{SearchGoal, Solver};
use puzzle::Puzzle;
use search::{Motion, Stop};
use serde::{Deserialize, Serialize};

/// The sights that are compared; a small run takes the first two.
pub(crate) const SIGHTS: [Sight; 4] = [
    Sight { goal: Goal::Win, ahead: 2 },
    Sight { goal: Goal::Run, ahead: 2 },
    Sight { goal: Goal::Win, ahead: 3 },
    Sight { goal: Goal::Run, ahead: 3 },
];

/// The name of a sight in tables.
pub(crate) fn name(sight: Sight) -> String {
    let goal = match sight.goal {
        Goal::Win => "win",
        Goal::Run => "run",
    };
    format!("{goal}, {} ahead", sight.ahead)
}

/// The indicators: a short name, and what it is.
pub(crate) const INDICATORS: [(&str, &str); 11] = [
    ("start", "the number at the start"),
    ("peak", "the greatest number"),
    ("mean", "the mean number"),
    ("rises", "steps up"),
    ("climb", "how far up in all"),
    ("steep", "the greatest step down"),
    ("turns", "changes between up and down"),
    ("v", "velocity"),
    ("p", "momentum"),
    ("Ep", "potential energy"),
    ("lure", "the number of the key less the least of all first moves"),
];

/// Baselines that need no conspiracy numbers, for comparison with the indicators.
pub(crate) const BASELINES: [(&str, &str); 3] = [
    ("plies", "the length itself"),
    ("ghosts", "ghosts on the board"),
    ("moves", "legal first moves"),
];

/// The measures of a main line under one sight.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SightMeasures {
    /// In the order of [`INDICATORS`].
    pub(crate) values: Vec<f64>,
    /// The numbers of the main line's own turns and its end.
    pub(crate) heights: Vec<f64>,
    /// The result of a player who always plays the first move with the least number.
    pub(crate) follower: Follower,
}

/// The line of a player who follows the numbers, against a proved best defence.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Follower {
    /// The first move is the key.
    pub(crate) starts_well: bool,
    /// Wins as fast as possible.
    pub(crate) solves: bool,
    /// Has lost by the length of the puzzle.
    pub(crate) loses: bool,
    /// The numbers of the own turns and the end.
    pub(crate) heights: Vec<f64>,
}

/// Everything measured of a puzzle.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Measured {
    /// In the order of [`BASELINES`].
    pub(crate) baselines: Vec<f64>,
    /// In the order of [`SIGHTS`].
    pub(crate) felt: Vec<SightMeasures>,
}

/// Measures a puzzle with these sights.
pub(crate) fn measure(
    run: &Run<'_>,
    solver: &mut Solver,
    puzzle: &Puzzle,
    sights: &[Sight],
) -> Result<Measured, LabError> {
    let position = &puzzle.position;
    let ghosts = position.army(Seat::First).count() + position.army(Seat::Second).count();
    let baselines = [puzzle.m_win, ghosts, position.legal_moves().len() as u32].map(f64::from);
    let felt =
        sights.iter().map(|&sight| measure_line(run, solver, puzzle, sight).map_err(stopped));
    Ok(Measured { baselines: baselines.to_vec(), felt: felt.collect::<Result<_, _>>()? })
}

/// The stop flag is the only limit.
fn stopped(_: Stop) -> LabError {
    LabError::Stopped
}

fn measure_line(
    run: &Run<'_>,
    solver: &mut Solver,
    puzzle: &Puzzle,
    sight: Sight,
) -> Result<SightMeasures, Stop> {
    let trace = deciding(run, &puzzle.position, &puzzle.line, sight)?;
    let heights = trace.heights();
    let lure = lure(run, puzzle, sight)?;
    let follower = follow(run, solver, puzzle, sight)?;
    Ok(SightMeasures {
        values: indicators(&heights, trace.ride(), trace.motion(), lure),
        heights,
        follower,
    })
}

/// The trace of the own turns only; the others are expensive and not used.
fn deciding(run: &Run<'_>, start: &Position, line: &[Move], sight: Sight) -> Result<Trace, Stop> {
    let later = line.iter().scan(*start, |position, &mv| {
        *position = position.play_unchecked(mv);
        Some(*position)
    });
    let counts = |p: &Position| p.turn() == Seat::First || p.outcome().is_some();
    let positions = std::iter::once(*start).chain(later).filter(counts);
    Trace::through(positions, sight, &mut budget(run, 0))
}

/// Without motion, velocity, momentum and energy count as 0.
fn indicators(heights: &[f64], ride: Ride, motion: Option<Motion>, lure: f64) -> Vec<f64> {
    let of_motion = |of: fn(Motion) -> f64| motion.map_or(0.0, of);
    vec![
        heights.first().copied().unwrap_or(0.0),
        heights.iter().copied().fold(0.0, f64::max),
        heights.iter().sum::<f64>() / heights.len().max(1) as f64,
        ride.rises.into(),
        ride.climbed,
        ride.steepest,
        ride.turns.into(),
        of_motion(|motion| motion.velocity),
        of_motion(|motion| motion.momentum),
        of_motion(|motion| motion.potential),
        lure,
    ]
}

/// The difference between the key's number and the least: 0 if the numbers point at the key.
fn lure(run: &Run<'_>, puzzle: &Puzzle, sight: Sight) -> Result<f64, Stop> {
    let outlook = sight.outlook(&puzzle.position, &mut budget(run, 0))?;
    let least = outlook.iter().filter_map(|(_, number)| *number).min();
    let of_keys = outlook.iter().filter(|(mv, _)| puzzle.keys().any(|key| key == *mv));
    let key = of_keys.filter_map(|(_, number)| *number).min();
    Ok(key.zip(least).map_or(0.0, |(key, least)| f64::from(key) - f64::from(least)))
}

/// Plays as many plies as the puzzle has: the bottom side by the numbers, the top side by proof.
fn follow(
    run: &Run<'_>,
    solver: &mut Solver,
    puzzle: &Puzzle,
    sight: Sight,
) -> Result<Follower, Stop> {
    solver.start_from(&puzzle.position);
    let mut position = puzzle.position;
    let mut line = Vec::new();
    while line.len() < puzzle.m_win as usize && position.outcome().is_none() {
        let mv = if position.turn() == Seat::First {
            trusted(run, &position, sight)?
        } else {
            defence(run, solver, &position, puzzle.m_win)?
        };
        let Some(mv) = mv else { break };
        position = position.play_unchecked(mv);
        line.push(mv);
    }
    let winner = position.outcome().and_then(games::geister::Outcome::winner);
    let trace = deciding(run, &puzzle.position, &line, sight)?;
    Ok(Follower {
        starts_well: puzzle.keys().any(|key| Some(&key) == line.first()),
        solves: winner == Some(Seat::First),
        loses: winner == Some(Seat::Second),
        heights: trace.heights(),
    })
}

/// The first move with the least number; any if all are infinite. A goal that is reached sooner
/// comes first, and of moves that reach the goal the one with the greatest lead.
fn trusted(run: &Run<'_>, position: &Position, sight: Sight) -> Result<Option<Move>, Stop> {
    let mut outlook = Vec::new();
    for ahead in 1..=sight.ahead {
        outlook = Sight { ahead, ..sight }.outlook(position, &mut budget(run, 0))?;
        let reach = outlook.iter().filter(|(_, number)| *number == Some(0));
        let best = reach.rev().max_by_key(|(mv, _)| progress(&position.play_unchecked(*mv)));
        if let Some((mv, _)) = best {
            return Ok(Some(*mv));
        }
    }
    let least = outlook.into_iter().min_by_key(|(_, number)| number.unwrap_or(u32::MAX));
    Ok(least.map(|(mv, _)| mv))
}

/// The lead of a blue in the race; a win ranks highest.
fn progress(position: &Position) -> i32 {
    let won = position.outcome().is_some_and(|end| end.winner() == Some(Seat::First));
    if won { i32::MAX } else { lead(position).unwrap_or(i32::MIN) }
}

/// The first reply after which the bottom side does not win within `plies`; if there is none, one
/// that delays the loss longest.
fn defence(
    run: &Run<'_>,
    solver: &mut Solver,
    position: &Position,
    plies: u32,
) -> Result<Option<Move>, Stop> {
    let replies = position.legal_moves();
    for within in (1..=plies).rev().step_by(2) {
        for &reply in &replies {
            let after = position.play_unchecked(reply);
            let budget = &mut budget(run, within);
            if !solver.wins_within(&after, within, SearchGoal::Win, budget)? {
                return Ok(Some(reply));
            }
        }
    }
    Ok(replies.first().copied())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle_sample;
    use std::sync::atomic::AtomicBool;

    /// A follower that solves the puzzle has found the key, and the numbers of a won line are
    /// finite to the end.
    #[test]
    fn followers_and_main_lines_hold_together() {
        let stop = AtomicBool::new(false);
        let run = Run::small(&stop);
        let mut solver = Solver::new(16 << 20);
        for puzzle in puzzle_sample::of_lengths(&run, &[5, 9, 11], 4, |_| true).unwrap() {
            let measured = measure(&run, &mut solver, &puzzle, &SIGHTS[..2]).unwrap();
            assert_eq!(measured.baselines.len(), BASELINES.len());
            for felt in measured.felt {
                assert_eq!(felt.values.len(), INDICATORS.len());
                assert!(felt.values.iter().all(|value| *value >= 0.0));
                assert_eq!(felt.heights.len() as u32, puzzle.m_win.div_ceil(2) + 1);
                assert_eq!(felt.heights.last(), Some(&0.0));
                let Follower { starts_well, solves, loses, .. } = felt.follower;
                assert!(!solves || starts_well && !loses, "{}", puzzle.position);
            }
        }
    }
}
