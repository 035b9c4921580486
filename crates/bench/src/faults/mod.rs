//! Fault injection: a site is disturbed again and again, and what it acknowledged is compared with what
//! it has stored.

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

use crate::Failure;
use crate::site::folder::Folder;
use clap::ValueEnum;
pub use database::DatabaseKind;
use fault::Fault;
pub use report::Row;
use series::Series;
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs, reason = "the help of the command explains each of them")]
pub enum FaultKind {
    Kill,
    DiskFull,
    IoError,
    DatabaseRestart,
    ClockJump,
    SlowClient,
}

impl FaultKind {
    const ALL: [FaultKind; 6] = [
        FaultKind::Kill,
        FaultKind::DiskFull,
        FaultKind::IoError,
        FaultKind::DatabaseRestart,
        FaultKind::ClockJump,
        FaultKind::SlowClient,
    ];

    const fn name(self) -> &'static str {
        match self {
            FaultKind::Kill => "kill",
            FaultKind::DiskFull => "disk-full",
            FaultKind::IoError => "io-error",
            FaultKind::DatabaseRestart => "database-restart",
            FaultKind::ClockJump => "clock-jump",
            FaultKind::SlowClient => "slow-client",
        }
    }

    fn fault(self) -> Box<dyn Fault> {
        match self {
            FaultKind::Kill => Box::new(kill::Kill),
            FaultKind::DiskFull => Box::new(disk_full::DiskFull),
            FaultKind::IoError => Box::new(io_error::IoError::default()),
            FaultKind::DatabaseRestart => Box::new(database_restart::DatabaseRestart::default()),
            FaultKind::ClockJump => Box::new(clock_jump::ClockJump),
            FaultKind::SlowClient => Box::new(slow_client::SlowClient::default()),
        }
    }

    /// Typical seconds of a cycle, for the estimate before anything is measured.
    const fn estimated_seconds(self) -> u64 {
        match self {
            FaultKind::DiskFull | FaultKind::DatabaseRestart => 4,
            _ => 3,
        }
    }

    /// The reason why it cannot be tested on this machine, if any.
    fn unavailable(self, session: &Session<'_>) -> Option<String> {
        match self {
            FaultKind::DiskFull => {
                let folder = session.new_folder();
                let mounted = std::fs::create_dir(&folder)
                    .map_err(|error| error.to_string())
                    .and_then(|()| disk::Disk::mount(&folder, 1).map(drop));
                let _ = std::fs::remove_dir(&folder);
                mounted.err()
            }
            FaultKind::ClockJump => clock_jump::library().is_none().then(|| {
                "libfaketime is not found; install it (Debian package libfaketime)".to_owned()
            }),
            _ => None,
        }
    }
}

/// The faults to inject, and how often.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Cycles of each fault on each database.
    pub cycles: u32,
    /// The faults; all if empty.
    pub faults: Vec<FaultKind>,
    /// The databases; all that are available if empty.
    pub databases: Vec<DatabaseKind>,
    /// The seed of everything random.
    pub seed: u64,
    /// The program that runs the site; by default this one.
    pub program: Option<PathBuf>,
}

/// A run with its settings and progress.
struct Session<'a> {
    program: &'a Path,
    folder: &'a Folder,
    folder_count: Cell<u32>,
    cycles: u32,
    seed: u64,
    stop: &'a AtomicBool,
    on_progress: &'a dyn Fn(String),
    on_loss: &'a dyn Fn(&str),
    start: Instant,
    total_cycles: u32,
    done_cycles: Cell<u32>,
}

impl Session<'_> {
    fn is_interrupted(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// A path for a new folder.
    fn new_folder(&self) -> PathBuf {
        self.folder_count.set(self.folder_count.get() + 1);
        self.folder.path().join(self.folder_count.get().to_string())
    }

    /// The seed of a series; each series has its own random numbers.
    fn series_seed(&self, kind: FaultKind, database: DatabaseKind) -> u64 {
        self.seed.wrapping_mul(1000) + 10 * kind as u64 + database as u64
    }

    /// Reports the progress before a cycle.
    fn report_progress(&self, kind: FaultKind, database: DatabaseKind, cycle: u32, row: &Row) {
        let done = self.done_cycles.replace(self.done_cycles.get() + 1);
        let left = match done {
            0 => String::new(),
            _ => {
                let each = self.start.elapsed() / done;
                format!(", {} left", minutes(each * (self.total_cycles - done)))
            }
        };
        let (kind, database, cycles) = (kind.name(), database.name(), self.cycles);
        let lost = row.lost;
        (self.on_progress)(format!(
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

/// Every pair of a fault and a database of the settings.
fn all_series(settings: &Settings) -> Vec<(FaultKind, DatabaseKind)> {
    let faults =
        if settings.faults.is_empty() { FaultKind::ALL.into() } else { settings.faults.clone() };
    let databases = match settings.databases.as_slice() {
        [] => DatabaseKind::ALL.into_iter().filter(|one| one.unavailable().is_none()).collect(),
        chosen => chosen.to_vec(),
    };
    let on = |&database| faults.iter().map(move |&fault| (fault, database)).collect::<Vec<_>>();
    databases.iter().flat_map(on).collect()
}

/// Announces the cycles and their estimated time.
pub fn announcement(settings: &Settings) -> String {
    let series = all_series(settings);
    let seconds: u64 = series.iter().map(|(kind, _)| kind.estimated_seconds()).sum();
    let estimate = minutes(Duration::from_secs(seconds * u64::from(settings.cycles)));
    let Settings { cycles, seed, .. } = settings;
    format!("{cycles} cycles of {} faults, seed {seed}: about {estimate}", series.len())
}

/// Runs all series; returns whether everything was tested. `on_loss` gets a sentence about every loss,
/// `on_row` every finished series.
///
/// # Errors
/// If a site cannot be started at all, or `on_row` fails.
pub fn run(
    settings: &Settings,
    stop: &AtomicBool,
    on_progress: &dyn Fn(String),
    on_loss: &dyn Fn(&str),
    on_row: &mut dyn FnMut(&Row) -> Result<(), Failure>,
) -> Result<bool, Failure> {
    let own =
        std::env::current_exe().map_err(|error| format!("the site cannot be started: {error}"))?;
    let program = settings.program.as_deref().unwrap_or(&own);
    let program = std::path::absolute(program).unwrap_or_else(|_| program.to_owned());
    let series = all_series(settings);
    let folder = Folder::new("faults")?;
    let session = Session {
        program: &program,
        folder: &folder,
        folder_count: Cell::new(0),
        cycles: settings.cycles,
        seed: settings.seed,
        stop,
        on_progress,
        on_loss,
        start: Instant::now(),
        total_cycles: settings.cycles * series.len() as u32,
        done_cycles: Cell::new(0),
    };
    let mut complete = true;
    for (kind, database) in series {
        if session.is_interrupted() {
            break;
        }
        let why = database.unavailable().or_else(|| kind.unavailable(&session));
        let row = match why {
            Some(why) => Row::skipped(kind, database, settings.seed, why),
            None => Series::new(kind, database, &session).run()?,
        };
        complete &= row.skipped.is_none();
        on_row(&row)?;
    }
    Ok(complete && !session.is_interrupted())
}
