//! `spuk bench attack`: one client takes all it can get from a site, and what other visitors notice.

use super::show;
use crate::progress::Line;
use crate::{Failure, exit, interrupt};
use bench::attack::Settings;
use clap::Args;
use std::time::Duration;

#[derive(Args)]
#[command(after_help = "\
A site is started in a temporary folder, at a free port and with its usual limits, as if behind a proxy. Threads of an \
attacker begin games against the strongest program under ever new cookies, import long games and ask for their \
reviews and puzzles, have positions analysed and moves judged, and read long games, all as fast as they are answered. Meanwhile visitors \
from another address play against a 50 ms opponent, ask for an analysis once a second, and solve puzzles. \
Exit code 1 if the 99th percentile of their waits is over 1 s for a move or over 3 s for an analysis.")]
pub(crate) struct Arguments {
    /// How long the attack lasts.
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = clap::value_parser!(u32).range(1..=3600))]
    seconds: u32,
    /// Threads of the attacker for each kind of work.
    #[arg(long, value_name = "N", default_value = "8", value_parser = clap::value_parser!(u32).range(1..=100))]
    threads: u32,
    /// Addresses of the attacker.
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=250))]
    addresses: u32,
    /// The seed of games, positions and moves.
    #[arg(long, default_value = "1")]
    seed: u64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Measures and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let stop = interrupt::listen()?;
    let line = Line::new();
    let settings = Settings {
        time: Duration::from_secs(arguments.seconds.into()),
        threads: arguments.threads,
        addresses: arguments.addresses,
        seed: arguments.seed,
    };
    let report = bench::attack::run(&settings, stop, &|text| line.say(text))?;
    line.clear();
    show(&report, arguments.json)?;
    Ok(if report.passed() { exit::YES } else { exit::NO })
}
