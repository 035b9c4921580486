//! A site under test with its database, disk and clock.

use super::FaultKind;
use super::clock_jump::Clock;
use super::database::DatabaseKind;
use super::disk::Disk;
use super::postgres::Postgres;
use crate::Failure;
use crate::site::Site;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The size of the disk for a SQLite database of ten cycles.
const SQLITE_DISK_MB: u32 = 48;

/// The size of the disk for a PostgreSQL server.
const POSTGRES_DISK_MB: u32 = 160;

/// Starts the site. Writes beyond a file-size limit fail with an error instead of a signal that ends the
/// process. Standard error goes to a file: a log is often on the disk that is full.
const START_SCRIPT: &str = r#"trap "" XFSZ; log=$1; shift; exec "$@" 2>>"$log""#;

/// The maximum number of log bytes that are shown.
const MAX_SHOWN_BYTES: usize = 2000;

/// A site with its database, disk and clock. Fields are dropped in this order.
pub(super) struct Environment {
    site: Option<Site>,
    pub(super) postgres: Option<Postgres>,
    pub(super) disk: Option<Disk>,
    pub(super) clock: Option<Clock>,
    program: PathBuf,
    folder: PathBuf,
    /// Stays the same after a restart.
    address: String,
}

impl Environment {
    /// Creates a folder and starts everything in it.
    pub(super) fn start(
        kind: FaultKind,
        database: DatabaseKind,
        program: &Path,
        folder: &Path,
    ) -> Result<Environment, Failure> {
        std::fs::create_dir(folder)
            .map_err(|error| format!("{} cannot be made: {error}", folder.display()))?;
        let megabytes = match database {
            DatabaseKind::Sqlite => SQLITE_DISK_MB,
            DatabaseKind::Postgres => POSTGRES_DISK_MB,
        };
        let disk = match kind {
            FaultKind::DiskFull => Some(Disk::mount(folder, megabytes)?),
            _ => None,
        };
        let postgres = match database {
            DatabaseKind::Sqlite => None,
            DatabaseKind::Postgres => Some(Postgres::start(folder, disk.as_ref())?),
        };
        let clock = match kind {
            FaultKind::ClockJump => Some(Clock::new(folder)?),
            _ => None,
        };
        let (program, folder) = (program.to_owned(), folder.to_owned());
        let address = "http://127.0.0.1:0".to_owned();
        let mut environment =
            Environment { site: None, postgres, disk, clock, program, folder, address };
        environment.launch()?;
        Ok(environment)
    }

    /// The address of the site.
    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// The file of a SQLite database.
    pub(super) fn sqlite_file(&self) -> PathBuf {
        self.folder.join("data").join("spuk.db")
    }

    /// The process of the site.
    pub(super) fn site_id(&self) -> Result<u32, Failure> {
        self.site.as_ref().map(Site::id).ok_or_else(|| "the site does not run".to_owned())
    }

    /// Whether the process of the site has ended.
    pub(super) fn has_ended(&mut self) -> bool {
        self.site.as_mut().is_none_or(Site::has_ended)
    }

    /// The end of the site's log.
    pub(super) fn log(&self) -> String {
        let file = self.folder.join("log");
        let file = self.site_disk().map_or_else(|| file.clone(), |disk| disk.outside(&file));
        let log = std::fs::read(file).unwrap_or_default();
        let end = &log[log.len().saturating_sub(MAX_SHOWN_BYTES)..];
        format!("its log ends with:\n{}", String::from_utf8_lossy(end))
    }

    /// The disk that the site writes to.
    fn site_disk(&self) -> Option<&Disk> {
        self.disk.as_ref().filter(|_| self.postgres.is_none())
    }

    /// Kills the site without a warning.
    pub(super) fn kill(&mut self) -> Result<(), Failure> {
        self.site.take().map_or(Ok(()), Site::kill)
    }

    /// Starts the site, at the same address as before.
    pub(super) fn launch(&mut self) -> Result<(), Failure> {
        let mut words = self.site_disk().map_or_else(Vec::new, Disk::enter);
        words.extend(["sh", "-c", START_SCRIPT, "sh"].map(OsString::from));
        words.push(self.folder.join("log").into());
        // The site ends with this process even if it is killed.
        words.extend(["setpriv", "--pdeathsig", "KILL", "--"].map(OsString::from));
        words.push(self.program.clone().into());
        let listen = self.address.trim_start_matches("http://");
        words.extend(["serve", "--json", "--unlimited", "--listen", listen].map(OsString::from));
        words.push("--data".into());
        words.push(self.folder.join("data").into());
        if let Some(postgres) = &self.postgres {
            words.extend(["--database".into(), postgres.url().into()]);
        }
        let mut command = Command::new(&words[0]);
        // A group of its own: Ctrl-C must not end the site before it was compared.
        command.args(&words[1..]).process_group(0);
        if let Some(clock) = &self.clock {
            command.envs(clock.variables());
        }
        let site = Site::launch(command).map_err(|failure| format!("{failure}; {}", self.log()))?;
        self.address.clone_from(&site.address);
        self.site = Some(site);
        Ok(())
    }
}
