//! One client overloads a site, while the waiting times of other visitors are measured.

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
use visitor::WaitingTimes;

/// The maximum 99th percentile of a visitor's waiting time for the move of a 50 ms opponent.
const MAX_MOVE_MS: f64 = 1000.0;
/// The maximum 99th percentile of a visitor's waiting time for an analysis.
const MAX_ANALYSIS_MS: f64 = 3000.0;

/// The settings of an attack.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How long it lasts.
    pub time: Duration,
    /// Number of the attacker's threads for each kind of attack.
    pub threads: u32,
    /// Number of the attacker's addresses, at least one.
    pub addresses: u32,
    /// The seed of games, positions and moves.
    pub seed: u64,
}

/// How many requests of the attacker were answered, and how long the visitors waited.
#[derive(Serialize)]
pub struct Report {
    v: u32,
    seconds: f64,
    seed: u64,
    threads: u32,
    addresses: u32,
    attack: Vec<AttackCounts>,
    visitors: Vec<Waits>,
    memory_mb: Option<f64>,
    passed: bool,
}

/// The requests of one kind of attack.
#[derive(Serialize)]
struct AttackCounts {
    kind: &'static str,
    answered: usize,
    refused: usize,
}

/// How long visitors waited for one kind of response.
#[derive(Serialize)]
struct Waits {
    kind: &'static str,
    count: usize,
    refused: usize,
    median_ms: f64,
    p99_ms: f64,
    longest_ms: f64,
    mark_ms: Option<f64>,
}

impl Waits {
    fn of(kind: &'static str, waits: WaitingTimes, mark_ms: Option<f64>) -> Waits {
        let WaitingTimes { mut times_ms, refused } = waits;
        times_ms.sort_by(f64::total_cmp);
        // For few values the 99th percentile is the longest.
        let at = |share: f64| {
            let rank = (share * times_ms.len() as f64).ceil() as usize;
            times_ms.get(rank.saturating_sub(1)).copied().unwrap_or(0.0)
        };
        Waits {
            kind,
            count: times_ms.len(),
            refused,
            median_ms: at(0.5),
            p99_ms: at(0.99),
            longest_ms: at(1.0),
            mark_ms,
        }
    }

    /// Whether the times are within the limit; a visitor without any response does not pass.
    fn passes(&self) -> bool {
        self.mark_ms.is_none_or(|mark| self.count > 0 && self.p99_ms <= mark)
    }
}

/// Starts a site and attacks it.
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
    let start = Instant::now();
    let end = start + settings.time;
    let is_over = || stop.load(Relaxed) || Instant::now() >= end;
    let (attack, visitors) = attack(&site.address, settings, &is_over, on_progress)?;
    Ok(Report {
        v: VERSION,
        seconds: start.elapsed().as_secs_f64(),
        seed: settings.seed,
        threads: settings.threads,
        addresses: settings.addresses,
        passed: visitors.iter().all(Waits::passes),
        attack,
        visitors,
        memory_mb: site.memory_mb(),
    })
}

impl Report {
    /// Whether every visitor was served within the limits.
    pub fn passed(&self) -> bool {
        self.passed
    }
}

/// Whether the attack is over.
type IsOver<'a> = &'a (dyn Fn() -> bool + Sync);

/// Runs the attacker and the visitors at the same time.
fn attack(
    site: &str,
    settings: &Settings,
    is_over: IsOver<'_>,
    on_progress: &dyn Fn(String),
) -> Result<(Vec<AttackCounts>, Vec<Waits>), Failure> {
    let failed = AtomicBool::new(false);
    let is_over = &|| is_over() || failed.load(Relaxed);
    let check = |result: std::io::Result<WaitingTimes>| {
        failed.fetch_or(result.is_err(), Relaxed);
        result.map_err(|error| format!("a visitor was not served: {error}"))
    };
    std::thread::scope(|scope| {
        let mut attackers = Vec::new();
        for attack in Attack::ALL {
            for number in 0..settings.threads {
                let run = move || attack.run(site, settings, number, is_over);
                attackers.push((attack, scope.spawn(run)));
            }
        }
        let moves = scope.spawn(move || visitor::play(site, settings.seed, is_over));
        let analyses = scope.spawn(move || visitor::analyse(site, settings.seed, is_over));
        let judged = scope.spawn(move || visitor::solve(site, is_over));
        while !is_over() {
            on_progress(format!("{} attackers", attackers.len()));
            std::thread::sleep(Duration::from_millis(100));
        }
        let mut counts: Vec<AttackCounts> = Attack::ALL
            .iter()
            .map(|attack| AttackCounts { kind: attack.name(), answered: 0, refused: 0 })
            .collect();
        for (attack, thread) in attackers {
            let (answered, refused) = thread.join().map_err(|_| "an attacker failed")?;
            counts[attack as usize].answered += answered;
            counts[attack as usize].refused += refused;
        }
        let panicked = |_| "a visitor failed".to_owned();
        let waits = vec![
            Waits::of("move", check(moves.join().map_err(panicked)?)?, Some(MAX_MOVE_MS)),
            Waits::of(
                "analysis",
                check(analyses.join().map_err(panicked)?)?,
                Some(MAX_ANALYSIS_MS),
            ),
            Waits::of("judged move", check(judged.join().map_err(panicked)?)?, None),
        ];
        Ok((counts, waits))
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
        for AttackCounts { kind, answered, refused } in &self.attack {
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
