//! `clock-jump`: the clock of the site is set forwards and backwards, by libfaketime.

use super::environment::Environment;
use super::fault::{Fault, Hold};
use crate::Failure;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;
const YEAR: i64 = 365 * DAY;

/// A clock that differs from the true one by what a file says.
pub(super) struct Clock {
    library: PathBuf,
    file: PathBuf,
    /// Seconds ahead of the true time, and the most so far.
    ahead: i64,
    most: i64,
}

/// Where libfaketime is, the variant for programs with threads.
pub(super) fn library() -> Option<PathBuf> {
    let machines = std::fs::read_dir("/usr/lib").into_iter().flatten().flatten();
    let machines = machines.map(|entry| entry.path());
    let others = ["/usr/lib", "/usr/lib64", "/usr/local/lib"].map(PathBuf::from);
    let mut files = machines.chain(others).map(|lib| lib.join("faketime/libfaketimeMT.so.1"));
    files.find(|file| file.is_file())
}

impl Clock {
    /// A clock that is right.
    pub(super) fn new(folder: &Path) -> Result<Clock, Failure> {
        let library = library().ok_or("libfaketime is not found")?;
        let clock = Clock { library, file: folder.join("clock"), ahead: 0, most: 0 };
        clock.write()?;
        Ok(clock)
    }

    /// What the site needs in its environment to have this clock. Only the time of day is wrong: no
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
        self.ahead += seconds;
        self.most = self.most.max(self.ahead);
        self.write()
    }

    fn write(&self) -> Result<(), Failure> {
        let part = self.file.with_extension("part");
        let written = std::fs::write(&part, format!("{:+}", self.ahead));
        let written = written.and_then(|()| std::fs::rename(&part, &self.file));
        written.map_err(|error| format!("the clock cannot be set: {error}"))
    }
}

/// Jumps of the clock, which are not taken back.
pub(super) struct ClockJump;

fn clock(site: &mut Environment) -> Result<&mut Clock, Failure> {
    site.clock.as_mut().ok_or_else(|| "the site has no clock of its own".to_owned())
}

impl Fault for ClockJump {
    /// A year ahead while the site runs. Nothing is compared across it: after a year the site may have
    /// deleted what nobody used.
    fn prepare(&mut self, site: &mut Environment) -> Result<(), Failure> {
        clock(site)?.jump(YEAR)
    }

    fn inject(&mut self, site: &mut Environment, random: &mut ChaCha8Rng) -> Result<Hold, Failure> {
        let clock = clock(site)?;
        // Never more than a day behind a time at which a cookie may have been given.
        let room = clock.ahead - (clock.most - DAY);
        let seconds = match random.random() {
            true if room > HOUR => -random.random_range(HOUR..=room),
            _ => random.random_range(HOUR..=DAY),
        };
        clock.jump(seconds)?;
        Ok(Hold::For(Duration::from_millis(300)))
    }

    fn lift(&mut self, _: &mut Environment) -> Result<(), Failure> {
        Ok(())
    }
}
