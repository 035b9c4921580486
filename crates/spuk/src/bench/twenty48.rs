//! `spuk bench 2048`: the speed of Expectimax at 2048, by depth.

use super::show;
use crate::progress::Line;
use crate::{Failure, exit, interrupt};
use clap::Args;

/// Deeper trees grow tenfold with every ply.
const MAX_DEPTH: i64 = 6;

#[derive(Args)]
#[command(after_help = "\
The depth counts the plies (moves and new tiles) after the player's move, as in `spuk lab p4-2048`: at \
depth 2 the player looks at its move, the new tile and the next move. Games are played one after another \
until all moves are made. The signature is their total score: equal signatures mean equal play.")]
pub(crate) struct Arguments {
    /// Maximum depth; all depths up to it are measured.
    #[arg(long, value_name = "PLIES", default_value = "4", value_parser = clap::value_parser!(u32).range(1..=MAX_DEPTH))]
    depth: u32,
    /// Number of moves at each depth.
    #[arg(long, value_name = "N", default_value = "3000", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    moves: u64,
    /// Seed of the random numbers.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Print one JSON object per line.
    #[arg(long)]
    json: bool,
}

/// Measures every depth and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let stop = interrupt::listen();
    let line = Line::new();
    for depth in 1..=arguments.depth {
        line.say(format!("depth {depth} of {}", arguments.depth));
        let report = bench::twenty48::run(depth, arguments.moves, arguments.seed, stop);
        line.clear();
        let Ok(report) = report else { return Ok(exit::UNKNOWN) };
        show(&report, arguments.json)?;
    }
    Ok(exit::YES)
}
