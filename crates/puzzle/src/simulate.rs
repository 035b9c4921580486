//! A simulated solver: players with limited depth, breadth and attention who try a puzzle many
//! times. How often they fail, and how much they look at, stands for a difficulty that needs no
//! human. **It is a simulation**: no person was asked.
//!
//! An attempt follows the main line. At each own turn the player looks ahead ([`Look`]) and takes
//! the move it likes best, the first one seen among equals in an order of its own; every move that
//! keeps the shortest win is right, and then the main line goes on. An attempt with a wrong move has
//! failed.

use crate::glance::{Eye, Look};
use crate::proof::Proof;
use crate::record::Puzzle;
use common::rng::stream;
use games::Seat;
use games::geister::{Move, Position};
use rand::Rng;
use search::Stop;

/// A player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// What it is called.
    pub name: &'static str,
    /// How far and how widely it looks.
    pub look: Look,
    /// The chance that a move is seen, wherever it looks.
    pub attention: f64,
}

/// The players, weakest first.
pub const STRENGTHS: [Strength; 4] = [
    Strength { name: "newcomer", look: Look { plies: 1, breadth: 5 }, attention: 0.9 },
    Strength { name: "beginner", look: Look { plies: 3, breadth: 5 }, attention: 0.95 },
    Strength { name: "regular", look: Look { plies: 5, breadth: 6 }, attention: 0.98 },
    Strength { name: "expert", look: Look { plies: 7, breadth: 5 }, attention: 0.995 },
];

/// So many attempts each.
pub const ATTEMPTS: u32 = 16;

/// What came of the attempts of one player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Record {
    /// The share of attempts that solved the puzzle, from 0 to 1.
    pub solved: f64,
    /// The share of own turns that were right, up to the first wrong one.
    pub right: f64,
    /// The positions looked at in an attempt, on average.
    pub effort: f64,
}

/// What came of the attempts of all players, in the order of [`STRENGTHS`].
#[derive(Clone, Debug, PartialEq)]
pub struct Simulation(pub [Record; STRENGTHS.len()]);

impl Simulation {
    /// How hard the puzzle is for them, from 0 (all solve it) to 1 (none has a right move): half by
    /// the attempts that fail, half by how early they do, so that puzzles nobody solves differ too.
    pub fn difficulty(&self) -> f64 {
        let hard = |record: &Record| 1.0 - (record.solved + record.right) / 2.0;
        self.0.iter().map(hard).sum::<f64>() / self.0.len() as f64
    }
}

/// An own turn on the main line: the position, and the moves that keep the shortest win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The position.
    pub position: Position,
    /// The right moves.
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

/// Lets all players try a puzzle, whose decisions these are. The seed is of the puzzle itself and
/// of `seed`.
pub fn simulate(puzzle: &Puzzle, decisions: &[Decision], seed: u64) -> Simulation {
    // Its own luck for every puzzle, so that neighbours in a collection do not share it.
    let seed = seed ^ puzzle.position.canonical().key();
    Simulation(std::array::from_fn(|number| tries(&STRENGTHS[number], decisions, seed, number)))
}

fn tries(strength: &Strength, decisions: &[Decision], seed: u64, number: usize) -> Record {
    let turns = decisions.len().max(1) as f64;
    let (mut solved, mut right, mut nodes) = (0u32, 0.0, 0u64);
    for attempt in 0..ATTEMPTS {
        let trial = number as u64 * u64::from(ATTEMPTS) + u64::from(attempt);
        let mut eye = Attention { rng: stream(seed, trial), attention: strength.attention };
        let good = |decision: &&Decision| chooses_right(strength, decision, &mut eye, &mut nodes);
        let good = decisions.iter().take_while(good).count();
        solved += u32::from(good == decisions.len());
        right += good as f64 / turns;
    }
    let attempts = f64::from(ATTEMPTS);
    let (right, effort) = (right / attempts, nodes as f64 / attempts);
    Record { solved: f64::from(solved) / attempts, right, effort }
}

fn chooses_right(
    strength: &Strength,
    decision: &Decision,
    eye: &mut Attention<impl Rng>,
    nodes: &mut u64,
) -> bool {
    let seen = strength.look.values(&decision.position, eye, nodes);
    let Some(best) = seen.iter().map(|(_, value)| *value).max() else { return false };
    let liked: Vec<Move> =
        seen.into_iter().filter(|(_, value)| *value == best).map(|(mv, _)| mv).collect();
    decision.right.contains(&liked[eye.rng.random_range(0..liked.len())])
}

/// Sees a move by chance.
struct Attention<R> {
    rng: R,
    attention: f64,
}

impl<R: Rng> Eye for Attention<R> {
    fn sees(&mut self) -> bool {
        self.rng.random_bool(self.attention)
    }
}
