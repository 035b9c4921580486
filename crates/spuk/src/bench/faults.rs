//! `spuk bench faults`: injects faults into a site, and compares what it acknowledged with what it has
//! stored.

use super::show;
use crate::output::{complain, print};
use crate::progress::Line;
use crate::{Failure, exit, interrupt};
use bench::faults::{DatabaseKind, FaultKind, Row, Settings};
use clap::Args;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;

#[derive(Args)]
#[command(after_help = "\
A site is started on a free port with data of its own. Twelve visitors solve puzzles, rate them, play against \
computer players and each other and import games, and note every successful response. At a random moment a fault \
is injected:

  kill              SIGKILL; the site is started again on the same data
  disk-full         a file takes all space of the disk (a small tmpfs) with the database and the site's log
  io-error          SQLite: every write fails; PostgreSQL: connections are terminated, or killed
  database-restart  PostgreSQL is restarted (fast or immediate); SQLite: another process holds the lock
  clock-jump        the clock jumps a year ahead, then up to a day forwards and backwards (needs libfaketime)
  slow-client       120 clients send half a request, trickle a body, or never read

The fault is removed, and the site has to recover by itself within 15 seconds. Then the same visitors read back \
everything that was acknowledged. Columns: lost counts the acknowledged responses that are gone; stuck the games \
in which a computer player has not moved 10 seconds later; felt the cycles in which requests failed; unknown the \
requests without a response. After every ten cycles the site is killed, started again and compared once more, and \
a new site is started.

Exit codes: 0 nothing was lost, 1 something was lost or stuck or did not recover, 2 an error, 3 a fault could not \
be tested on this machine, or the run was interrupted.")]
pub(crate) struct Arguments {
    /// Number of cycles of each fault on each database.
    #[arg(long, value_name = "N", default_value = "5", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    cycles: u32,
    /// Inject only this fault (repeatable).
    #[arg(long, value_name = "FAULT")]
    fault: Vec<FaultKind>,
    /// Use only this database (repeatable) [default: SQLite, and PostgreSQL if it is installed].
    #[arg(long)]
    database: Vec<DatabaseKind>,
    /// Seed of the random numbers.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Test the site of another build of spuk [default: this one].
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Print one JSON object for each fault and database.
    #[arg(long)]
    json: bool,
}

/// Runs the cycles and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let stop = interrupt::listen();
    let settings = Settings {
        cycles: arguments.cycles,
        faults: arguments.fault.clone(),
        databases: arguments.database.clone(),
        seed: arguments.seed,
        program: arguments.program.clone(),
    };
    complain(&bench::faults::announcement(&settings));
    if !arguments.json {
        print(&Row::header())?;
    }
    let (line, mut bad) = (Line::new(), false);
    let mut on_row = |row: &Row| {
        bad |= row.is_bad();
        show(row, arguments.json)
    };
    let on_progress = |text| line.say(text);
    let complete = bench::faults::run(&settings, stop, &on_progress, &complain, &mut on_row)?;
    Ok(match (bad, complete) {
        _ if stop.load(Relaxed) => exit::UNKNOWN,
        (true, _) => exit::NO,
        (false, false) => exit::UNKNOWN,
        (false, true) => exit::YES,
    })
}
