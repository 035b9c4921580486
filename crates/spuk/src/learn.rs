//! `spuk learn`: trains the champion's weights by self-play.

use crate::output::{complain, print, quoted, write_bytes};
use crate::progress::Line;
use crate::report::{VERSION, json_line};
use crate::{Failure, exit, interrupt, limits};
use clap::Args;
use serde::Serialize;
use std::fs;
use std::io::ErrorKind;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use train::self_play::{Learner, Progress, TrainingConfig};

#[derive(Args)]
#[command(after_help = "\
The built-in weights were trained by `spuk learn` with its defaults. The player `champion:FILE` uses the \
weights of a file. After an interruption, the same command continues where it stopped.

Example: spuk learn --seed 2 --out mine.weights && spuk match champion:mine.weights champion")]
pub(crate) struct Arguments {
    /// Number of self-play games.
    #[arg(long, value_name = "N", default_value = "400000", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    games: u64,
    /// Seed of the random numbers; the same seed gives the same weights.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// The file to write the weights to.
    #[arg(long, value_name = "FILE", default_value = "champion.weights")]
    out: PathBuf,
    /// Number of threads (1 to 256); the weights do not depend on it [default: all cores].
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

/// The interval between two checkpoints.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(30);

/// The path of the checkpoint file.
fn checkpoint_path(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".learner");
    name.into()
}

/// The learner of the checkpoint, or a new one.
fn learner(arguments: &Arguments) -> Result<Learner, Failure> {
    let config = TrainingConfig { games: arguments.games, seed: arguments.seed };
    let path = checkpoint_path(&arguments.out);
    let name = quoted(&path.to_string_lossy());
    let bytes = match fs::read(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Learner::new(config)),
        Err(error) => return Err(format!("cannot read {name}: {error}; move or remove it")),
        Ok(bytes) => bytes,
    };
    let learner = Learner::from_bytes(&bytes)
        .map_err(|error| format!("cannot continue from {name}: {error}; remove it"))?;
    if learner.config() != config {
        let TrainingConfig { games, seed } = learner.config();
        return Err(format!(
            "{name} is from --games {games} --seed {seed}; use the same flags, or remove it"
        ));
    }
    complain(&format!("training continues after {} games", learner.games()));
    Ok(learner)
}

/// Trains and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let stop = interrupt::listen();
    let mut learner = learner(arguments)?;
    let path = checkpoint_path(&arguments.out);
    let (start, line) = (Instant::now(), Line::new());
    let (first_game, mut last_checkpoint) = (learner.games(), Instant::now());
    let mut last = None;
    let pool = limits::pool(arguments.threads)?;
    while let Some(progress) = pool.install(|| learner.train_batch()) {
        line.say(in_words(&progress, first_game, arguments.games, start));
        last = Some(progress);
        if stop.load(Relaxed) {
            write_bytes(&path, &learner.to_bytes())?;
            let games = learner.games();
            return Err(format!(
                "interrupted after {games} games; run the same command again to continue"
            ));
        }
        if last_checkpoint.elapsed() > CHECKPOINT_INTERVAL {
            write_bytes(&path, &learner.to_bytes())?;
            last_checkpoint = Instant::now();
        }
    }
    line.clear();
    write_bytes(&arguments.out, &learner.weights().to_bytes())?;
    // The checkpoint is no longer needed; if it cannot be removed, the next run reports it.
    let _ = fs::remove_file(path);
    let record = Record {
        v: VERSION,
        games: learner.games(),
        seed: arguments.seed,
        error: last.map_or(0.0, |progress| progress.error),
        draws: last.map_or(0.0, |progress| progress.draws),
        seconds: start.elapsed().as_secs_f64(),
        out: arguments.out.to_string_lossy().into_owned(),
    };
    let text = format!(
        "{} games in {:.0} s, seed {}; weights in {}\n",
        record.games, record.seconds, record.seed, record.out
    );
    print(&if arguments.json { json_line(&record) } else { text })?;
    Ok(exit::YES)
}

fn in_words(progress: &Progress, first_game: u64, games: u64, start: Instant) -> String {
    let Progress { games: so_far, error, draws } = progress;
    let speed = (so_far - first_game) as f64 / start.elapsed().as_secs_f64();
    let left = games.saturating_sub(*so_far) as f64 / speed;
    format!(
        "{so_far} of {games} games, mean square error {error:.3}, {:.0} % drawn, {left:.0} s left",
        100.0 * draws
    )
}
