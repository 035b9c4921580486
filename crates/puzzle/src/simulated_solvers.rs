//! Simulated solvers: players with limited depth, beam width and attention who attempt a puzzle
//! many times. Their failure rate and effort estimate the difficulty. **It is a simulation**: no
//! person was asked.
//!
//! An attempt follows the main line. At each own turn the solver searches with a [`Lookahead`] and
//! plays its best move, ties broken at random; every move that keeps the shortest win is correct,
//! and the main line continues. An attempt fails at the first wrong move.

use crate::lookahead::{Attention, Lookahead};
use crate::proof::Proof;
use crate::record::Puzzle;
use common::rng::stream;
use games::Seat;
use games::geister::{Move, Position};
use rand::Rng;
use search::Stop;

/// A simulated solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimulatedSolver {
    /// Its name.
    pub name: &'static str,
    /// Its search depth and width.
    pub lookahead: Lookahead,
    /// The probability that it notices a move.
    pub attention: f64,
}

/// All simulated solvers, weakest first.
pub const SIMULATED_SOLVERS: [SimulatedSolver; 4] = [
    SimulatedSolver {
        name: "newcomer",
        lookahead: Lookahead { plies: 1, beam_width: 5 },
        attention: 0.9,
    },
    SimulatedSolver {
        name: "beginner",
        lookahead: Lookahead { plies: 3, beam_width: 5 },
        attention: 0.95,
    },
    SimulatedSolver {
        name: "regular",
        lookahead: Lookahead { plies: 5, beam_width: 6 },
        attention: 0.98,
    },
    SimulatedSolver {
        name: "expert",
        lookahead: Lookahead { plies: 7, beam_width: 5 },
        attention: 0.995,
    },
];

/// Attempts of each solver at a puzzle.
pub const ATTEMPTS_PER_SOLVER: u32 = 16;

/// The statistics of one solver's attempts at a puzzle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverStatistics {
    /// The fraction of attempts that solved the puzzle.
    pub solved: f64,
    /// The mean fraction of own turns played correctly before the first mistake.
    pub right: f64,
    /// The mean number of positions evaluated in an attempt.
    pub effort: f64,
}

/// The statistics of all solvers, in the order of [`SIMULATED_SOLVERS`].
#[derive(Clone, Debug, PartialEq)]
pub struct Simulation(pub [SolverStatistics; SIMULATED_SOLVERS.len()]);

impl Simulation {
    /// The estimated difficulty, from 0 (always solved) to 1 (never a correct move): half from the
    /// failure rate, half from how early attempts fail, so that unsolved puzzles differ too.
    pub fn difficulty(&self) -> f64 {
        let hard = |record: &SolverStatistics| 1.0 - (record.solved + record.right) / 2.0;
        self.0.iter().map(hard).sum::<f64>() / self.0.len() as f64
    }
}

/// An own turn on the main line with its correct moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The position.
    pub position: Position,
    /// The correct moves: those that keep the shortest win.
    pub right: Vec<Move>,
}

/// The own turns on the main line of a puzzle.
///
/// # Errors
/// If a limit is hit.
pub fn decisions(proof: &mut Proof<'_, '_>, line: &[Move]) -> Result<Vec<Decision>, Stop> {
    let (mut position, mut left) = (*proof.position(), proof.m_win());
    let mut decisions = Vec::new();
    for &mv in line {
        if position.turn() == Seat::First {
            decisions.push(Decision { position, right: proof.best_moves(&position, left)? });
        }
        position = position.play_unchecked(mv);
        left = left.saturating_sub(1);
    }
    Ok(decisions)
}

/// Runs all solvers on a puzzle with these decisions. The result depends on the puzzle and `seed`.
pub fn simulate(puzzle: &Puzzle, decisions: &[Decision], seed: u64) -> Simulation {
    // A different random stream for every puzzle, so that results are independent.
    let seed = seed ^ puzzle.position.canonical().key();
    Simulation(std::array::from_fn(|number| {
        run_attempts(&SIMULATED_SOLVERS[number], decisions, seed, number)
    }))
}

fn run_attempts(
    solver: &SimulatedSolver,
    decisions: &[Decision],
    seed: u64,
    number: usize,
) -> SolverStatistics {
    let turns = decisions.len().max(1) as f64;
    let (mut solved, mut right, mut nodes) = (0u32, 0.0, 0u64);
    for attempt in 0..ATTEMPTS_PER_SOLVER {
        let trial = number as u64 * u64::from(ATTEMPTS_PER_SOLVER) + u64::from(attempt);
        let mut attention =
            RandomAttention { rng: stream(seed, trial), probability: solver.attention };
        let good =
            |decision: &&Decision| chooses_right(solver, decision, &mut attention, &mut nodes);
        let good = decisions.iter().take_while(good).count();
        solved += u32::from(good == decisions.len());
        right += good as f64 / turns;
    }
    let attempts = f64::from(ATTEMPTS_PER_SOLVER);
    let (right, effort) = (right / attempts, nodes as f64 / attempts);
    SolverStatistics { solved: f64::from(solved) / attempts, right, effort }
}

fn chooses_right(
    solver: &SimulatedSolver,
    decision: &Decision,
    attention: &mut RandomAttention<impl Rng>,
    nodes: &mut u64,
) -> bool {
    let seen = solver.lookahead.evaluate_moves(&decision.position, attention, nodes);
    let Some(best) = seen.iter().map(|(_, value)| *value).max() else { return false };
    let preferred: Vec<Move> =
        seen.into_iter().filter(|(_, value)| *value == best).map(|(mv, _)| mv).collect();
    decision.right.contains(&preferred[attention.rng.random_range(0..preferred.len())])
}

/// Notices each move with a fixed probability.
struct RandomAttention<R> {
    rng: R,
    probability: f64,
}

impl<R: Rng> Attention for RandomAttention<R> {
    fn notices(&mut self) -> bool {
        self.rng.random_bool(self.probability)
    }
}
