//! `spuk learn`: the champion's weights, by self-play.

use crate::output::{print, write_bytes};
use crate::progress::Line;
use crate::report::{VERSION, json_line};
use crate::{Failure, exit, interrupt, limits};
use clap::Args;
use players::learned::learn::{Lesson, Progress, learn};
use serde::Serialize;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

#[derive(Args)]
#[command(after_help = "\
The weights that come with the program were made by `spuk learn` as it stands. Others play as \
`champion:FILE` wherever a player is named.

Example: spuk learn --seed 2 --out mine.weights && spuk match champion:mine.weights champion")]
pub(crate) struct Arguments {
    /// Games to learn from.
    #[arg(long, value_name = "N", default_value = "400000", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    games: u64,
    /// The seed of all chance: the same one gives the same weights.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// The file to write the weights to.
    #[arg(long, value_name = "FILE", default_value = "champion.weights")]
    out: PathBuf,
    /// Work with so many threads (all cores if not given); the weights do not depend on it.
    #[arg(long, value_name = "N", value_parser = limits::parse_threads)]
    threads: Option<NonZeroU32>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Record {
    v: u32,
    games: u64,
    seed: u64,
    error: f32,
    draws: f32,
    seconds: f64,
    out: String,
}

/// Learns and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let stop = interrupt::listen()?;
    let start = Instant::now();
    let line = Line::new();
    let lesson = Lesson { games: arguments.games, seed: arguments.seed };
    let mut last = Progress { games: 0, error: 0.0, draws: 0.0 };
    let pool = limits::pool(arguments.threads)?;
    let weights = pool.install(|| {
        learn(&lesson, |progress| {
            last = *progress;
            line.say(in_words(progress, lesson.games, start));
            !stop.load(Relaxed)
        })
    });
    line.clear();
    if last.games < lesson.games {
        let games = last.games;
        return Err(format!("interrupted after {games} games; nothing was written, begin anew"));
    }
    write_bytes(&arguments.out, &weights.to_bytes())?;
    let record = Record {
        v: VERSION,
        games: last.games,
        seed: arguments.seed,
        error: last.error,
        draws: last.draws,
        seconds: start.elapsed().as_secs_f64(),
        out: arguments.out.to_string_lossy().into_owned(),
    };
    let told = format!(
        "{} games in {:.0} s, seed {}; weights in {}\n",
        record.games, record.seconds, record.seed, record.out
    );
    print(&if arguments.json { json_line(&record) } else { told })?;
    Ok(exit::YES)
}

fn in_words(progress: &Progress, games: u64, start: Instant) -> String {
    let done = progress.games as f64 / games as f64;
    let left = start.elapsed().as_secs_f64() * (1.0 - done).max(0.0) / done;
    let Progress { games: so_far, error, draws } = progress;
    format!(
        "{so_far} of {games} games, mean square error {error:.3}, {:.0} % drawn, {left:.0} s left",
        100.0 * draws
    )
}
