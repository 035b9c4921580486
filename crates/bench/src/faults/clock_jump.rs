//! `clock-jump`: the clock of the site is set forwards and backwards, by libfaketime.

use super::environment::Environment;
use super::fault::{Fault, FaultDuration};
use crate::Failure;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;
const YEAR: i64 = 365 * DAY;

/// A clock that differs from the system clock by the offset in a file.
pub(super) struct Clock {
    library: PathBuf,
    file: PathBuf,
    /// Seconds ahead of the system clock, and the maximum so far.
    offset: i64,
    max_offset: i64,
}

/// The path of libfaketime, the variant for programs with threads.
pub(super) fn library() -> Option<PathBuf> {
    let machines = std::fs::read_dir("/usr/lib").into_iter().flatten().flatten();
    let machines = machines.map(|entry| entry.path());
    let others = ["/usr/lib", "/usr/lib64", "/usr/local/lib"].map(PathBuf::from);
    let mut files = machines.chain(others).map(|lib| lib.join("faketime/libfaketimeMT.so.1"));
    files.find(|file| file.is_file())
}

impl Clock {
    /// A clock without an offset.
    pub(super) fn new(folder: &Path) -> Result<Clock, Failure> {
        let library = library().ok_or("libfaketime is not found")?;
        let clock = Clock { library, file: folder.join("clock"), offset: 0, max_offset: 0 };
        clock.write()?;
        Ok(clock)
    }

    /// The environment variables that give the site this clock. Only the time of day is shifted: no
    /// operating system lets the monotonic clock jump.
    pub(super) fn variables(&self) -> Vec<(&'static str, OsString)> {
        vec![
            ("LD_PRELOAD", self.library.clone().into()),
            ("FAKETIME_TIMESTAMP_FILE", self.file.clone().into()),
            ("FAKETIME_NO_CACHE", "1".into()),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1".into()),
        ]
    }

    fn jump(&mut self, seconds: i64) -> Result<(), Failure> {
        self.offset += seconds;
        self.max_offset = self.max_offset.max(self.offset);
        self.write()
    }

    fn write(&self) -> Result<(), Failure> {
        let part = self.file.with_extension("part");
        let written = std::fs::write(&part, format!("{:+}", self.offset));
        let written = written.and_then(|()| std::fs::rename(&part, &self.file));
        written.map_err(|error| format!("the clock cannot be set: {error}"))
    }
}

/// Jumps of the clock, which are not reverted.
pub(super) struct ClockJump;

fn clock(site: &mut Environment) -> Result<&mut Clock, Failure> {
    site.clock.as_mut().ok_or_else(|| "the site has no clock of its own".to_owned())
}

impl Fault for ClockJump {
    /// A year ahead while the site runs. Nothing is compared across it: after a year the retention rules
    /// may have deleted unused data.
    fn prepare(&mut self, site: &mut Environment) -> Result<(), Failure> {
        clock(site)?.jump(YEAR)
    }

    fn inject(
        &mut self,
        site: &mut Environment,
        random: &mut ChaCha8Rng,
    ) -> Result<FaultDuration, Failure> {
        let clock = clock(site)?;
        // Never more than a day behind a time at which a cookie may have been issued.
        let max_step_back = clock.offset - (clock.max_offset - DAY);
        let seconds = match random.random() {
            true if max_step_back > HOUR => -random.random_range(HOUR..=max_step_back),
            _ => random.random_range(HOUR..=DAY),
        };
        clock.jump(seconds)?;
        Ok(FaultDuration::For(Duration::from_millis(300)))
    }

    fn remove(&mut self, _: &mut Environment) -> Result<(), Failure> {
        Ok(())
    }
}
