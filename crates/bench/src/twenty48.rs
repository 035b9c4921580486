//! The speed of Expectimax at 2048.
//!
//! The signature is the score of the moves made: with the same seed and number of moves it is the
//! same on every machine, and a change that should not alter play keeps it.

use crate::VERSION;
use classic::twenty48::{P4_WEIGHTS, Weights, best_move, plies};
use common::rng::SplitMix64;
use games::twenty48::{Direction, Packed};
use search::{Budget, Limits, Stop};
use serde::Serialize;
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// One measurement.
#[derive(Serialize)]
pub struct Report {
    v: u32,
    depth: u32,
    plies: u32,
    moves: u64,
    games: u64,
    highest: u64,
    nodes: u64,
    signature: String,
    seconds: f64,
    moves_per_second: f64,
}

/// Plays games until `moves` moves are made at this depth.
///
/// # Errors
/// If `stop` was raised; no other limit is set.
pub fn run(depth: u32, moves: u64, seed: u64, stop: &AtomicBool) -> Result<Report, Stop> {
    let (max_moves, weights) = (moves, Weights::new(P4_WEIGHTS));
    let mut budget = Budget::new(&Limits::default()).stopped_by(stop);
    let mut rng = SplitMix64::new(seed);
    let (mut grid, mut score) = (new_game(&mut rng), 0);
    let (mut moves, mut games, mut highest) = (0, 1, 0);
    // The first move of a process builds the tables of rows; that is not counted.
    let _ = std::hint::black_box(grid.slide(Direction::Left));
    let start = Instant::now();
    while moves < max_moves {
        let best = best_move(grid, depth, &weights, &mut budget)?;
        match best.and_then(|direction| grid.slide(direction)) {
            Some(slid) => {
                grid = slid.grid.drawn(rng.next());
                score += slid.gain;
                moves += 1;
            }
            None => {
                grid = new_game(&mut rng);
                games += 1;
            }
        }
        highest = highest.max(grid.largest());
    }
    let seconds = start.elapsed().as_secs_f64();
    Ok(Report {
        v: VERSION,
        depth,
        plies: plies(depth),
        moves,
        games,
        highest,
        nodes: budget.nodes(),
        signature: score.to_string(),
        seconds,
        moves_per_second: moves as f64 / seconds.max(1e-9),
    })
}

fn new_game(rng: &mut SplitMix64) -> Packed {
    Packed::new().drawn(rng.next()).drawn(rng.next())
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { depth, plies, moves, games, highest, nodes, signature, seconds, .. } = self;
        writeln!(
            f,
            "depth {depth} ({plies} plies)  {:>9.0} moves a second ({moves} moves of {games} games in {seconds:.2} s, \
         {nodes} nodes, highest tile {highest}), signature {signature}",
            self.moves_per_second
        )
    }
}
