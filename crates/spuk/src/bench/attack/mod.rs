//! `spuk bench attack`: one client takes all it can get from a site, and what other visitors notice.

mod attacker;
mod visitor;

use super::site::Site;
use super::site::folder::Folder;
use crate::output::print;
use crate::progress::Line;
use crate::report::{VERSION, json_line};
use crate::{Failure, exit, interrupt};
use attacker::Attack;
use clap::Args;
use serde::Serialize;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use visitor::Waits;

/// A 50 ms opponent answers another visitor's move within this time, 99 times of 100.
const MOVE_MARK_MS: f64 = 1000.0;
/// An analysis is there within this time, 99 times of 100.
const ANALYSIS_MARK_MS: f64 = 3000.0;

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

#[derive(Serialize)]
struct Record {
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

/// Measures and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let stop = interrupt::listen()?;
    let folder = Folder::new("attack")?;
    let program = std::env::current_exe().map_err(|error| format!("no program: {error}"))?;
    let mut command = Command::new(program);
    command.args(["serve", "--listen", "127.0.0.1:0", "--json", "--public", "http://spuk.test"]);
    command.args(["--log-level", "error", "--data"]).arg(folder.path());
    let site = Site::launch(command)?;
    let begun = Instant::now();
    let end = begun + Duration::from_secs(arguments.seconds.into());
    let over = || stop.load(Relaxed) || Instant::now() >= end;
    let (attack, visitors) = both(&site.address, arguments, &over)?;
    let visitors: Vec<Wait> = visitors;
    let record = Record {
        v: VERSION,
        seconds: begun.elapsed().as_secs_f64(),
        seed: arguments.seed,
        threads: arguments.threads,
        addresses: arguments.addresses,
        passed: visitors.iter().all(Wait::passes),
        attack,
        visitors,
        memory_mb: site.memory_mb(),
    };
    print(&if arguments.json { json_line(&record) } else { text(&record) })?;
    Ok(if record.passed { exit::YES } else { exit::NO })
}

type Over<'a> = &'a (dyn Fn() -> bool + Sync);

/// The attacker and the visitors at the same time.
fn both(
    site: &str,
    arguments: &Arguments,
    over: Over<'_>,
) -> Result<(Vec<Work>, Vec<Wait>), Failure> {
    let line = Line::new();
    let failed = AtomicBool::new(false);
    let over = &|| over() || failed.load(Relaxed);
    let guard = |result: std::io::Result<Waits>| {
        failed.fetch_or(result.is_err(), Relaxed);
        result.map_err(|error| format!("a visitor was not served: {error}"))
    };
    std::thread::scope(|scope| {
        let mut attackers = Vec::new();
        for attack in Attack::ALL {
            for number in 0..arguments.threads {
                let run = move || attack.run(site, arguments, number, over);
                attackers.push((attack, scope.spawn(run)));
            }
        }
        let moves = scope.spawn(move || visitor::play(site, arguments.seed, over));
        let analyses = scope.spawn(move || visitor::analyse(site, arguments.seed, over));
        let judged = scope.spawn(move || visitor::solve(site, over));
        while !over() {
            line.say(format!("{} attackers", attackers.len()));
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

fn text(record: &Record) -> String {
    let mut text = format!(
        "{:.0} s, {} threads of an attacker at {} address(es), seed {}\n\n{:<14}{:>10}{:>10}\n",
        record.seconds,
        record.threads * Attack::ALL.len() as u32,
        record.addresses,
        record.seed,
        "attack",
        "answered",
        "refused"
    );
    for Work { kind, answered, refused } in &record.attack {
        text += &format!("{kind:<14}{answered:>10}{refused:>10}\n");
    }
    text += &format!(
        "\n{:<14}{:>10}{:>10}{:>12}{:>12}{:>12}{:>12}\n",
        "visitors", "count", "refused", "median", "99 of 100", "longest", "mark"
    );
    for wait in &record.visitors {
        let mark = wait.mark_ms.map_or("-".to_owned(), |mark| format!("{mark:.0} ms"));
        text += &format!(
            "{:<14}{:>10}{:>10}{:>12}{:>12}{:>12}{mark:>12}\n",
            wait.kind,
            wait.count,
            wait.refused,
            format!("{:.0} ms", wait.median_ms),
            format!("{:.0} ms", wait.p99_ms),
            format!("{:.0} ms", wait.longest_ms),
        );
    }
    let memory = record.memory_mb.map_or(String::new(), |mb| format!("; {mb:.0} MB of memory"));
    let verdict = if record.passed { "within the marks" } else { "NOT within the marks" };
    text + &format!("\nThe visitors were served {verdict}{memory}.\n")
}
