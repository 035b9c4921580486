//! `spuk bench play`: many games at once on a site of their own, which is then killed.

use super::show;
use crate::progress::Line;
use crate::{Failure, exit, interrupt};
use bench::play::Settings;
use clap::Args;
use std::time::Duration;

#[derive(Args)]
#[command(after_help = "\
A site is started in a folder for the time being, at a free port and without limits. So many visitors begin a game \
in the same moment, play any move as soon as it is their turn, look five times a second whether it is, and begin \
another game after each. In the end the site is killed with no warning and started again, and every game is \
compared with the last answer that its visitor had.")]
pub(crate) struct Arguments {
    /// So many games at once.
    #[arg(long, value_name = "N", default_value = "200", value_parser = clap::value_parser!(u32).range(1..=2000))]
    games: u32,
    /// For so long.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = clap::value_parser!(u32).range(1..=86_400))]
    seconds: u32,
    /// Against this program, by its name on the site.
    #[arg(long, value_name = "PROGRAM", default_value = "careful")]
    opponent: String,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Measures and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let stop = interrupt::listen()?;
    let line = Line::new();
    let settings = Settings {
        games: arguments.games,
        time: Duration::from_secs(arguments.seconds.into()),
        opponent: arguments.opponent.clone(),
    };
    let report = bench::play::run(&settings, stop, &|text| line.say(text))?;
    line.clear();
    show(&report, arguments.json)?;
    Ok(exit::YES)
}
