//! `io-error`: with SQLite, writes of the site fail; with PostgreSQL, single connections end in the middle.

use super::environment::Environment;
use super::fault::{Fault, FaultDuration};
use super::postgres::Postgres;
use crate::Failure;
use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process, prlimit};
use std::time::Duration;

/// The maximum limit: the log of SQLite soon restarts and reaches it.
const MAX_LIMIT_BYTES: u64 = 256 << 10;

/// A limit on the size of files, or connections that end.
#[derive(Default)]
pub(super) struct IoError {
    /// The limit before the fault.
    before: Option<Rlimit>,
}

impl Fault for IoError {
    fn inject(
        &mut self,
        site: &mut Environment,
        random: &mut ChaCha8Rng,
    ) -> Result<FaultDuration, Failure> {
        if let Some(postgres) = &site.postgres {
            end_connections(postgres, random)?;
            return Ok(FaultDuration::For(Duration::from_millis(200)));
        }
        let file = site.sqlite_file().with_extension("db-wal");
        let length = std::fs::metadata(file).map_or(0, |file| file.len());
        // Every write fails, or the one that crosses the limit is written in part.
        let limit =
            if random.random() { 0 } else { random.random_range(0..=length.min(MAX_LIMIT_BYTES)) };
        self.before = Some(limit_files(site, Some(limit), None)?);
        Ok(FaultDuration::UntilFelt)
    }

    fn remove(&mut self, site: &mut Environment) -> Result<(), Failure> {
        match self.before.take() {
            Some(before) if !site.has_ended() => {
                limit_files(site, before.current, before.maximum).map(drop)
            }
            _ => Ok(()),
        }
    }
}

/// Limits the size of the site's files and returns the limit before. The hard limit stays.
fn limit_files(
    site: &Environment,
    current: Option<u64>,
    maximum: Option<u64>,
) -> Result<Rlimit, Failure> {
    let pid = Pid::from_raw(site.site_id()? as i32);
    prlimit(pid, Resource::Fsize, Rlimit { current, maximum })
        .map_err(|error| format!("the limit of files cannot be set: {error}"))
}

/// Ends some connections, as an administrator or by SIGKILL, which makes the server restart.
fn end_connections(postgres: &Postgres, random: &mut ChaCha8Rng) -> Result<(), Failure> {
    let backends = postgres.backends()?;
    if random.random() {
        let count = random.random_range(1..=backends.len().max(1));
        for &backend in backends.choose_multiple(random, count) {
            postgres.terminate(backend)?;
        }
    } else if let Some(pid) = backends.choose(random).and_then(|&pid| Pid::from_raw(pid)) {
        // It may have ended by itself.
        let _ = kill_process(pid, Signal::KILL);
    }
    Ok(())
}
