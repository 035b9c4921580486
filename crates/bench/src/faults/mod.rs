//! A site is broken on purpose, again and again, and what it acknowledged is compared with what it has
//! kept.

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

/// What breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs, reason = "the help of the command explains each of them")]
pub enum Kind {
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

/// What to break, and how often.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Cycles of each fault on each database.
    pub cycles: u32,
    /// The faults; all if there is none.
    pub faults: Vec<Kind>,
    /// The databases; all that can be used here if there is none.
    pub databases: Vec<DatabaseKind>,
    /// The seed of everything random.
    pub seed: u64,
    /// The program whose site is broken; this one if there is none.
    pub program: Option<PathBuf>,
}

/// One run.
struct Session<'a> {
    program: &'a Path,
    folder: &'a Folder,
    folders: Cell<u32>,
    cycles: u32,
    seed: u64,
    stop: &'a AtomicBool,
    on_progress: &'a dyn Fn(String),
    on_loss: &'a dyn Fn(&str),
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

/// Every fault on every database of the settings.
fn series_of(settings: &Settings) -> Vec<(Kind, DatabaseKind)> {
    let faults =
        if settings.faults.is_empty() { Kind::ALL.into() } else { settings.faults.clone() };
    let databases = match settings.databases.as_slice() {
        [] => DatabaseKind::ALL.into_iter().filter(|one| one.unavailable().is_none()).collect(),
        chosen => chosen.to_vec(),
    };
    let on = |&database| faults.iter().map(move |&fault| (fault, database)).collect::<Vec<_>>();
    databases.iter().flat_map(on).collect()
}

/// What will be done, and about how long it takes.
pub fn announcement(settings: &Settings) -> String {
    let series = series_of(settings);
    let seconds: u64 = series.iter().map(|(kind, _)| kind.usual_seconds()).sum();
    let estimate = minutes(Duration::from_secs(seconds * u64::from(settings.cycles)));
    let Settings { cycles, seed, .. } = settings;
    format!("{cycles} cycles of {} faults, seed {seed}: about {estimate}", series.len())
}

/// Breaks and compares; returns whether everything was tested. `on_loss` hears of every loss in a
/// sentence, `on_row` of every finished series.
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
    let series = series_of(settings);
    let folder = Folder::new("faults")?;
    let session = Session {
        program: &program,
        folder: &folder,
        folders: Cell::new(0),
        cycles: settings.cycles,
        seed: settings.seed,
        stop,
        on_progress,
        on_loss,
        begun: Instant::now(),
        total: settings.cycles * series.len() as u32,
        done: Cell::new(0),
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
