//! `spuk bench 2048`: how fast Expectimax plays 2048, depth by depth.
//!
//! The signature is the score of the moves made: with the same seed and number of moves it is the
//! same on every machine, and a change that should not alter play keeps it.

use crate::output::print;
use crate::progress::Line;
use crate::report::{VERSION, json_line};
use crate::{Failure, exit, interrupt};
use clap::Args;
use classic::twenty48::{P4_WEIGHTS, Weights, best_move, plies};
use games::twenty48::{Direction, Packed};
use search::{Budget, Limits, Stop};
use serde::Serialize;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Deeper trees grow tenfold with every ply.
const DEEPEST: i64 = 6;

#[derive(Args)]
#[command(after_help = "\
A depth counts the plies (moves and new tiles) below the player's move, as in `spuk lab p4-2048`: at \
depth 2 the player looks at its move, the new tile and the move after it. Games follow each other until \
the moves are made. The signature is their score: equal signatures mean equal play.")]
pub(crate) struct Arguments {
    /// Measure the depths up to this one.
    #[arg(long, value_name = "PLIES", default_value = "4", value_parser = clap::value_parser!(u32).range(1..=DEEPEST))]
    depth: u32,
    /// Make so many moves at each depth.
    #[arg(long, value_name = "N", default_value = "3000", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    moves: u64,
    /// The seed of all chance.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
}

/// One measurement.
#[derive(Serialize)]
struct Record {
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

/// Measures every depth and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let stop = interrupt::listen()?;
    let line = Line::new();
    let weights = Weights::new(P4_WEIGHTS);
    for depth in 1..=arguments.depth {
        line.say(format!("depth {depth} of {}", arguments.depth));
        let measured = measure(depth, arguments, &weights, stop);
        line.clear();
        // No other limit is set: it was interrupted.
        let Ok(record) = measured else { return Ok(exit::UNKNOWN) };
        print(&if arguments.json { json_line(&record) } else { text(&record) })?;
    }
    Ok(exit::YES)
}

fn measure(
    depth: u32,
    arguments: &Arguments,
    weights: &Weights,
    stop: &AtomicBool,
) -> Result<Record, Stop> {
    let mut budget = Budget::new(&Limits::default()).stopped_by(stop);
    let mut dice = Dice(arguments.seed);
    let (mut grid, mut score) = (dice.new_game(), 0);
    let (mut moves, mut games, mut highest) = (0, 1, 0);
    // The tables of rows are made with the first move of all; that is not counted.
    let _ = std::hint::black_box(grid.slide(Direction::Left));
    let start = Instant::now();
    while moves < arguments.moves {
        let best = best_move(grid, depth, weights, &mut budget)?;
        match best.and_then(|direction| grid.slide(direction)) {
            Some(slid) => {
                grid = slid.grid.drawn(dice.next());
                score += slid.gain;
                moves += 1;
            }
            None => {
                grid = dice.new_game();
                games += 1;
            }
        }
        highest = highest.max(grid.largest());
    }
    let seconds = start.elapsed().as_secs_f64();
    Ok(Record {
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

/// The same numbers in every run (splitmix64).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let n = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let n = (n ^ n >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        n ^ n >> 31
    }

    fn new_game(&mut self) -> Packed {
        Packed::new().drawn(self.next()).drawn(self.next())
    }
}

fn text(record: &Record) -> String {
    let Record { depth, plies, moves, games, highest, nodes, signature, seconds, .. } = record;
    format!(
        "depth {depth} ({plies} plies)  {:>9.0} moves a second ({moves} moves of {games} games in {seconds:.2} s, \
         {nodes} nodes, highest tile {highest}), signature {signature}\n",
        record.moves_per_second
    )
}
