//! `spuk bench attack`: one client overloads a site, while other visitors' waiting times are measured.

use super::show;
use crate::progress::Line;
use crate::{Failure, exit, interrupt};
use bench::attack::Settings;
use clap::Args;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

#[derive(Args)]
#[command(after_help = "\
A site is started in a temporary folder, on a free port and with its usual limits, as if behind a proxy. The \
attacker's threads start games against the strongest computer player under ever new cookies, import long games and \
request reviews and puzzles of them, request analyses and judgements of moves, and read long games, all as fast as \
the site responds. Meanwhile visitors from another address play against a 50 ms opponent, request an analysis once \
a second, and solve puzzles.

Exit codes: 0 the visitors were served in time, 1 the 99th percentile of their waiting times is over 1 s for a move \
or over 3 s for an analysis, 2 an error.")]
pub(crate) struct Arguments {
    /// Duration of the attack.
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = clap::value_parser!(u32).range(1..=3600))]
    seconds: u32,
    /// Number of the attacker's threads for each kind of request.
    #[arg(long, value_name = "N", default_value = "8", value_parser = clap::value_parser!(u32).range(1..=100))]
    threads: u32,
    /// Number of the attacker's addresses.
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=250))]
    addresses: u32,
    /// Seed of the games, positions and moves.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Measures and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let stop = interrupt::listen();
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
    Ok(match (stop.load(Relaxed), report.passed()) {
        (true, _) => exit::UNKNOWN,
        (false, true) => exit::YES,
        (false, false) => exit::NO,
    })
}
