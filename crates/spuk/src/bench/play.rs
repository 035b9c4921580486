//! `spuk bench play`: many games at the same time on a new site, which is then killed.

use super::show;
use crate::progress::Line;
use crate::{Failure, exit, interrupt};
use bench::play::Settings;
use clap::Args;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

#[derive(Args)]
#[command(after_help = "\
A site is started in a temporary folder, on a free port and without rate limits. All visitors start a game at the \
same time, play any legal move as soon as it is their turn, poll five times a second, and start another game after \
each. At the end the site is killed without warning and started again, and every game is compared with the last \
response that its visitor got.")]
pub(crate) struct Arguments {
    /// Number of games at the same time.
    #[arg(long, value_name = "N", default_value = "200", value_parser = clap::value_parser!(u32).range(1..=2000))]
    games: u32,
    /// Duration of the load.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = clap::value_parser!(u32).range(1..=86_400))]
    seconds: u32,
    /// The opponent of all games, by its name on the site.
    #[arg(long, value_name = "PROGRAM", default_value = "careful")]
    opponent: String,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Measures and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let stop = interrupt::listen();
    let line = Line::new();
    let settings = Settings {
        games: arguments.games,
        time: Duration::from_secs(arguments.seconds.into()),
        opponent: arguments.opponent.clone(),
    };
    let report = bench::play::run(&settings, stop, &|text| line.say(text))?;
    line.clear();
    show(&report, arguments.json)?;
    Ok(if stop.load(Relaxed) { exit::UNKNOWN } else { exit::YES })
}
