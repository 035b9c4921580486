//! Many simultaneous games on a new site, which is then killed.

mod visitor;

use crate::site::Site;
use crate::site::folder::Folder;
use crate::{Failure, VERSION};
use serde::Serialize;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use visitor::Visit;

/// Slower responses are counted.
const SLOW_MS: f64 = 1000.0;

/// The load.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Number of simultaneous games.
    pub games: u32,
    /// Duration of the load.
    pub time: Duration,
    /// The opponent, by its name on the site.
    pub opponent: String,
}

/// Response times, and whether games survived the kill.
#[derive(Serialize)]
pub struct Report {
    v: u32,
    at_once: u32,
    opponent: String,
    seconds: f64,
    /// Finished games, and all games.
    finished: usize,
    begun: usize,
    moves: usize,
    answers: usize,
    median_ms: f64,
    p99_ms: f64,
    longest_ms: f64,
    over_a_second: usize,
    /// The peak memory of the site, where the system reports it.
    memory_mb: Option<f64>,
    /// Games that after the kill were where the last response had left them, or further.
    kept: usize,
}

/// Starts a site, plays on it, kills it, starts it again and compares.
///
/// # Errors
/// If the site cannot be started, or a visitor has no answer.
pub fn run(
    settings: &Settings,
    stop: &AtomicBool,
    on_progress: &dyn Fn(String),
) -> Result<Report, Failure> {
    let folder = Folder::new("play")?;
    let site = Site::start(folder.path())?;
    let begun = Instant::now();
    let visits = visit(&site, settings, stop, on_progress)?;
    let seconds = begun.elapsed().as_secs_f64();
    let memory_mb = site.memory_mb();
    site.kill()?;
    let restarted = Site::start(folder.path())?;
    let games = || visits.iter().flat_map(|visit| &visit.games);
    let mut kept = 0;
    for visit in &visits {
        kept += visit.count_kept(&restarted.address).map_err(|error| error.to_string())?;
    }
    let mut times: Vec<f64> = visits.iter().flat_map(|visit| &visit.times_ms).copied().collect();
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((share * times.len() as f64) as usize).min(times.len() - 1)];
    Ok(Report {
        v: VERSION,
        at_once: settings.games,
        opponent: settings.opponent.clone(),
        seconds,
        finished: games().filter(|game| game["stage"] == "over").count(),
        begun: games().count(),
        moves: visits.iter().map(|visit| visit.moves).sum(),
        answers: times.len(),
        median_ms: at(0.5),
        p99_ms: at(0.99),
        longest_ms: at(1.0),
        over_a_second: times.iter().filter(|&&time| time > SLOW_MS).count(),
        memory_mb,
        kept,
    })
}

/// Runs all visitors at the same time; each gets at least one response, or an error.
fn visit(
    site: &Site,
    settings: &Settings,
    stop: &AtomicBool,
    on_progress: &dyn Fn(String),
) -> Result<Vec<Visit>, Failure> {
    let end = Instant::now() + settings.time;
    let failed = AtomicBool::new(false);
    let is_over = || stop.load(Relaxed) || failed.load(Relaxed) || Instant::now() >= end;
    let play = |number: u32| {
        let visit = Visit::play(&site.address, &settings.opponent, number, &is_over);
        // One failed visitor ends the measurement for all: an incomplete one is worthless.
        failed.fetch_or(visit.is_err(), Relaxed);
        visit
    };
    std::thread::scope(|scope| {
        let start = |number: u32| {
            let play = move || play(number);
            std::thread::Builder::new().stack_size(1 << 18).spawn_scoped(scope, play)
        };
        let visitors: Result<Vec<_>, _> = (0..settings.games).map(start).collect();
        let visitors =
            visitors.map_err(|error| format!("cannot start threads: {error}; use fewer games"))?;
        while !is_over() {
            let left = end.saturating_duration_since(Instant::now()).as_secs();
            on_progress(format!("{} games at once, {left} s left", settings.games));
            std::thread::sleep(Duration::from_millis(100));
        }
        visitors.into_iter().map(|one| one.join().map_err(|_| "a visitor failed")?).collect()
    })
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { at_once, opponent, seconds, finished, begun, moves, answers, .. } = self;
        let Report { median_ms, p99_ms, longest_ms, over_a_second, memory_mb, kept, .. } = self;
        let memory = memory_mb.map_or(String::new(), |mb| format!(", {mb:.0} MB of memory"));
        write!(
            f,
            "{at_once} games at once against {opponent} for {seconds:.0} s: {begun} begun, {finished} finished, \
         {moves} moves.\n{answers} answers: median {median_ms:.1} ms, 99 of 100 under {p99_ms:.0} ms, \
         longest {longest_ms:.0} ms, {over_a_second} over a second{memory}.\nKilled and started again: {kept} of \
         {begun} games stand where their last answer left them, or further.\n"
        )
    }
}
