//! One client takes all it can get from a site, and what other visitors notice.

mod attacker;
mod visitor;

use crate::site::Site;
use crate::site::folder::Folder;
use crate::{Failure, VERSION};
use attacker::Attack;
use serde::Serialize;
use std::fmt;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use visitor::Waits;

/// A 50 ms opponent answers another visitor's move within this time, 99 times of 100.
const MOVE_MARK_MS: f64 = 1000.0;
/// An analysis is there within this time, 99 times of 100.
const ANALYSIS_MARK_MS: f64 = 3000.0;

/// The attack.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How long it lasts.
    pub time: Duration,
    /// Threads of the attacker for each kind of work.
    pub threads: u32,
    /// Addresses of the attacker, at least one.
    pub addresses: u32,
    /// The seed of games, positions and moves.
    pub seed: u64,
}

/// What the attacker got, and what the visitors waited for.
#[derive(Serialize)]
pub struct Report {
    v: u32,
    seconds: f64,
    seed: u64,
    threads: u32,
    addresses: u32,
    /// What the attacker got answered, and what was refused.
    attack: Vec<Work>,
    /// What the visitors waited for.
    visitors: Vec<Wait>,
    memory_mb: Option<f64>,
    passed: bool,
}

#[derive(Serialize)]
struct Work {
    kind: &'static str,
    answered: usize,
    refused: usize,
}

#[derive(Serialize)]
struct Wait {
    kind: &'static str,
    count: usize,
    refused: usize,
    median_ms: f64,
    p99_ms: f64,
    longest_ms: f64,
    mark_ms: Option<f64>,
}

impl Wait {
    fn of(kind: &'static str, waits: Waits, mark_ms: Option<f64>) -> Wait {
        let Waits { mut times_ms, refused } = waits;
        times_ms.sort_by(f64::total_cmp);
        // Of small numbers the 99th percentile is the longest.
        let at = |share: f64| {
            let place = (share * times_ms.len() as f64).ceil() as usize;
            times_ms.get(place.saturating_sub(1)).copied().unwrap_or(0.0)
        };
        Wait {
            kind,
            count: times_ms.len(),
            refused,
            median_ms: at(0.5),
            p99_ms: at(0.99),
            longest_ms: at(1.0),
            mark_ms,
        }
    }

    /// A visitor who gets nothing has not passed.
    fn passes(&self) -> bool {
        self.mark_ms.is_none_or(|mark| self.count > 0 && self.p99_ms <= mark)
    }
}

/// Attacks a site of its own.
///
/// # Errors
/// If the site cannot be started, or a visitor is not served.
pub fn run(
    settings: &Settings,
    stop: &AtomicBool,
    on_progress: &dyn Fn(String),
) -> Result<Report, Failure> {
    let folder = Folder::new("attack")?;
    let program = std::env::current_exe().map_err(|error| format!("no program: {error}"))?;
    let mut command = Command::new(program);
    command.args(["serve", "--listen", "127.0.0.1:0", "--json", "--public", "http://spuk.test"]);
    command.args(["--log-level", "error", "--data"]).arg(folder.path());
    let site = Site::launch(command)?;
    let begun = Instant::now();
    let end = begun + settings.time;
    let over = || stop.load(Relaxed) || Instant::now() >= end;
    let (attack, visitors) = both(&site.address, settings, &over, on_progress)?;
    let visitors: Vec<Wait> = visitors;
    Ok(Report {
        v: VERSION,
        seconds: begun.elapsed().as_secs_f64(),
        seed: settings.seed,
        threads: settings.threads,
        addresses: settings.addresses,
        passed: visitors.iter().all(Wait::passes),
        attack,
        visitors,
        memory_mb: site.memory_mb(),
    })
}

impl Report {
    /// Whether every visitor was served within the marks.
    pub fn passed(&self) -> bool {
        self.passed
    }
}

type Over<'a> = &'a (dyn Fn() -> bool + Sync);

/// The attacker and the visitors at the same time.
fn both(
    site: &str,
    settings: &Settings,
    over: Over<'_>,
    on_progress: &dyn Fn(String),
) -> Result<(Vec<Work>, Vec<Wait>), Failure> {
    let failed = AtomicBool::new(false);
    let over = &|| over() || failed.load(Relaxed);
    let guard = |result: std::io::Result<Waits>| {
        failed.fetch_or(result.is_err(), Relaxed);
        result.map_err(|error| format!("a visitor was not served: {error}"))
    };
    std::thread::scope(|scope| {
        let mut attackers = Vec::new();
        for attack in Attack::ALL {
            for number in 0..settings.threads {
                let run = move || attack.run(site, settings, number, over);
                attackers.push((attack, scope.spawn(run)));
            }
        }
        let moves = scope.spawn(move || visitor::play(site, settings.seed, over));
        let analyses = scope.spawn(move || visitor::analyse(site, settings.seed, over));
        let judged = scope.spawn(move || visitor::solve(site, over));
        while !over() {
            on_progress(format!("{} attackers", attackers.len()));
            std::thread::sleep(Duration::from_millis(100));
        }
        let mut works: Vec<Work> = Attack::ALL
            .iter()
            .map(|attack| Work { kind: attack.name(), answered: 0, refused: 0 })
            .collect();
        for (attack, thread) in attackers {
            let (answered, refused) = thread.join().map_err(|_| "an attacker failed")?;
            works[attack as usize].answered += answered;
            works[attack as usize].refused += refused;
        }
        let lost = |_| "a visitor failed".to_owned();
        let waits = vec![
            Wait::of("move", guard(moves.join().map_err(lost)?)?, Some(MOVE_MARK_MS)),
            Wait::of("analysis", guard(analyses.join().map_err(lost)?)?, Some(ANALYSIS_MARK_MS)),
            Wait::of("judged move", guard(judged.join().map_err(lost)?)?, None),
        ];
        Ok((works, waits))
    })
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:.0} s, {} threads of an attacker at {} address(es), seed {}\n\n{:<14}{:>10}{:>10}\n",
            self.seconds,
            self.threads * Attack::ALL.len() as u32,
            self.addresses,
            self.seed,
            "attack",
            "answered",
            "refused"
        )?;
        for Work { kind, answered, refused } in &self.attack {
            writeln!(f, "{kind:<14}{answered:>10}{refused:>10}")?;
        }
        writeln!(
            f,
            "\n{:<14}{:>10}{:>10}{:>12}{:>12}{:>12}{:>12}",
            "visitors", "count", "refused", "median", "99 of 100", "longest", "mark"
        )?;
        for wait in &self.visitors {
            let mark = wait.mark_ms.map_or("-".to_owned(), |mark| format!("{mark:.0} ms"));
            writeln!(
                f,
                "{:<14}{:>10}{:>10}{:>12}{:>12}{:>12}{mark:>12}",
                wait.kind,
                wait.count,
                wait.refused,
                format!("{:.0} ms", wait.median_ms),
                format!("{:.0} ms", wait.p99_ms),
                format!("{:.0} ms", wait.longest_ms),
            )?;
        }
        let memory = self.memory_mb.map_or(String::new(), |mb| format!("; {mb:.0} MB of memory"));
        let verdict = if self.passed { "within the marks" } else { "NOT within the marks" };
        writeln!(f, "\nThe visitors were served {verdict}{memory}.")
    }
}
