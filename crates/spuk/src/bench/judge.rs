//! `spuk bench judge`: how long the site takes to judge a move, over the collection.

use super::show;
use crate::progress::Line;
use crate::{Failure, exit, interrupt};
use clap::Args;
use geister::judge::Patience;

#[derive(Args)]
#[command(after_help = "\
Along the main line of each puzzle, every legal move of the solver's side is judged as the site does it, without \
tablebases and with an empty transposition table each time: right, longer or lost, with the reply.")]
pub(crate) struct Arguments {
    /// Use every Nth puzzle of the collection.
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Maximum number of nodes to expand when looking for a longer win.
    #[arg(long, value_name = "NODES", default_value_t = Patience::default().beyond)]
    beyond: u64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Measures and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let stop = interrupt::listen();
    let line = Line::new();
    let (every, beyond) = (arguments.every as usize, arguments.beyond);
    let report = bench::judge::run(every, beyond, stop, &|text| line.say(text))?;
    line.clear();
    let Some(report) = report else { return Ok(exit::UNKNOWN) };
    show(&report, arguments.json)?;
    Ok(exit::YES)
}
