//! `spuk bench faults`: a site is broken on purpose, again and again, and what it acknowledged is compared
//! with what it has kept.

mod clock_jump;
mod database;
mod database_restart;
mod disk;
mod disk_full;
mod environment;
mod fault;
mod io_error;
mod kill;
mod ledger;
mod postgres;
mod report;
mod series;
mod slow_client;
mod tail;
mod visitor;

use super::site::folder::Folder;
use crate::output::{complain, print};
use crate::progress::Line;
use crate::report::json_line;
use crate::{Failure, exit, interrupt};
use clap::{Args, ValueEnum};
use database::DatabaseKind;
use fault::Fault;
use report::Row;
use series::Series;
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

#[derive(Args)]
#[command(after_help = "\
A site is started at a free port with data of its own. Twelve identities solve puzzles, rate them, play against \
programs and each other and import games, and note every answer with success. At a random moment something breaks:

  kill              SIGKILL; the site is started again on the same data
  disk-full         a file takes all space of the disk (a small tmpfs) with the database and the site's log
  io-error          SQLite: every write fails; PostgreSQL: connections are terminated, or killed
  database-restart  PostgreSQL is restarted (fast or immediate); SQLite: another process holds the lock
  clock-jump        the clock jumps a year ahead, then up to a day forwards and backwards (needs libfaketime)
  slow-client       120 clients send half a request, trickle a body, or never read

The fault is lifted, and the site has to work again by itself within 15 seconds. Then everything acknowledged is \
read back by the same identities: lost counts the answers that are not there, stuck the games in which a program \
has not moved 10 seconds later. After every ten cycles the site is killed, started again and compared once more, \
and a new one begins. Felt counts the cycles in which requests failed; unknown the requests whose answer never came.

Exit codes: 0 nothing was lost, 1 something was lost or stuck or did not recover, 2 an error, 3 a fault could not \
be tested here, or the run was interrupted.")]
pub(crate) struct Arguments {
    /// Cycles of each fault on each database.
    #[arg(long, value_name = "N", default_value = "5", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    cycles: u32,
    /// Only this fault (may be given more than once).
    #[arg(long, value_name = "FAULT")]
    fault: Vec<Kind>,
    /// Only this database (otherwise SQLite, and PostgreSQL if its programs are installed).
    #[arg(long)]
    database: Vec<DatabaseKind>,
    /// The seed of everything random.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Test the site of another build of spuk (otherwise of this one).
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Print one JSON object for each fault and database.
    #[arg(long)]
    json: bool,
}

/// What breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    Kill,
    DiskFull,
    IoError,
    DatabaseRestart,
    ClockJump,
    SlowClient,
}

impl Kind {
    const ALL: [Kind; 6] = [
        Kind::Kill,
        Kind::DiskFull,
        Kind::IoError,
        Kind::DatabaseRestart,
        Kind::ClockJump,
        Kind::SlowClient,
    ];

    const fn name(self) -> &'static str {
        match self {
            Kind::Kill => "kill",
            Kind::DiskFull => "disk-full",
            Kind::IoError => "io-error",
            Kind::DatabaseRestart => "database-restart",
            Kind::ClockJump => "clock-jump",
            Kind::SlowClient => "slow-client",
        }
    }

    fn fault(self) -> Box<dyn Fault> {
        match self {
            Kind::Kill => Box::new(kill::Kill),
            Kind::DiskFull => Box::new(disk_full::DiskFull),
            Kind::IoError => Box::new(io_error::IoError::default()),
            Kind::DatabaseRestart => Box::new(database_restart::DatabaseRestart::default()),
            Kind::ClockJump => Box::new(clock_jump::ClockJump),
            Kind::SlowClient => Box::new(slow_client::SlowClient::default()),
        }
    }

    /// Seconds that a cycle takes, for the estimate before anything is measured.
    const fn usual_seconds(self) -> u64 {
        match self {
            Kind::DiskFull | Kind::DatabaseRestart => 4,
            _ => 3,
        }
    }

    /// Why it cannot be tested here.
    fn unavailable(self, session: &Session<'_>) -> Option<String> {
        match self {
            Kind::DiskFull => {
                let folder = session.new_folder();
                let mounted = std::fs::create_dir(&folder)
                    .map_err(|error| error.to_string())
                    .and_then(|()| disk::Disk::mount(&folder, 1).map(drop));
                let _ = std::fs::remove_dir(&folder);
                mounted.err()
            }
            Kind::ClockJump => clock_jump::library().is_none().then(|| {
                "libfaketime is not found; install it (Debian package libfaketime)".to_owned()
            }),
            _ => None,
        }
    }
}

/// One run of the command.
struct Session<'a> {
    program: &'a Path,
    folder: &'a Folder,
    folders: Cell<u32>,
    cycles: u32,
    seed: u64,
    stop: &'a AtomicBool,
    line: Line,
    begun: Instant,
    /// Cycles in all.
    total: u32,
    done: Cell<u32>,
}

impl Session<'_> {
    fn is_interrupted(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// A path for a new folder.
    fn new_folder(&self) -> PathBuf {
        self.folders.set(self.folders.get() + 1);
        self.folder.path().join(self.folders.get().to_string())
    }

    /// Every series has chances of its own.
    fn seed_of(&self, kind: Kind, database: DatabaseKind) -> u64 {
        self.seed.wrapping_mul(1000) + 10 * kind as u64 + database as u64
    }

    /// Shows how far it is.
    fn show(&self, kind: Kind, database: DatabaseKind, cycle: u32, row: &Row) {
        let done = self.done.replace(self.done.get() + 1);
        let left = match done {
            0 => String::new(),
            _ => {
                let each = self.begun.elapsed() / done;
                format!(", {} left", minutes(each * (self.total - done)))
            }
        };
        let (kind, database, cycles) = (kind.name(), database.name(), self.cycles);
        let lost = row.lost;
        self.line.say(format!(
            "{kind} on {database}: cycle {} of {cycles}, {lost} lost{left}",
            cycle + 1
        ));
    }
}

fn minutes(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..100 => format!("{seconds} s"),
        seconds => format!("{} min", seconds.div_ceil(60)),
    }
}

/// Breaks and compares, and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let stop = interrupt::listen()?;
    let own =
        std::env::current_exe().map_err(|error| format!("the site cannot be started: {error}"))?;
    let program = arguments.program.as_deref().unwrap_or(&own);
    let program = std::path::absolute(program).unwrap_or_else(|_| program.to_owned());
    let kinds = if arguments.fault.is_empty() { Kind::ALL.into() } else { arguments.fault.clone() };
    let databases = match arguments.database.as_slice() {
        [] => DatabaseKind::ALL.into_iter().filter(|one| one.unavailable().is_none()).collect(),
        chosen => chosen.to_vec(),
    };
    let series: Vec<(Kind, DatabaseKind)> = databases
        .iter()
        .flat_map(|&database| kinds.iter().map(move |&kind| (kind, database)))
        .collect();
    let folder = Folder::new("faults")?;
    let session = Session {
        program: &program,
        folder: &folder,
        folders: Cell::new(0),
        cycles: arguments.cycles,
        seed: arguments.seed,
        stop,
        line: Line::new(),
        begun: Instant::now(),
        total: arguments.cycles * series.len() as u32,
        done: Cell::new(0),
    };
    let seconds: u64 = series.iter().map(|(kind, _)| kind.usual_seconds()).sum();
    let estimate = minutes(Duration::from_secs(seconds * u64::from(arguments.cycles)));
    complain(&format!(
        "{} cycles of {} faults, seed {}: about {estimate}",
        arguments.cycles,
        series.len(),
        arguments.seed
    ));
    if !arguments.json {
        print(&Row::heads())?;
    }
    let (mut bad, mut incomplete) = (false, false);
    for (kind, database) in series {
        if session.is_interrupted() {
            break;
        }
        let why = database.unavailable().or_else(|| kind.unavailable(&session));
        let row = match why {
            Some(why) => Row::skipped(kind, database, arguments.seed, why),
            None => Series::new(kind, database, &session).run()?,
        };
        bad |= row.is_bad();
        incomplete |= row.skipped.is_some();
        print(&if arguments.json { json_line(&row) } else { row.line() })?;
    }
    incomplete |= session.is_interrupted();
    Ok(match (bad, incomplete) {
        (true, _) => exit::NO,
        (false, true) => exit::UNKNOWN,
        (false, false) => exit::YES,
    })
}
