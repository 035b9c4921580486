//! Log lines about connections, few enough that an attacker cannot fill the log.

use service::log::Value;
use std::fmt::Display;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A line is written at most this often.
const LOG_PAUSE: Duration = Duration::from_secs(10);

/// The log of all connections.
pub(super) struct Log {
    site: service::log::Log,
    last: Mutex<Option<(Instant, u64)>>,
}

impl Log {
    /// Lines that go to this log.
    pub(super) fn new(site: service::log::Log) -> Log {
        Log { site, last: Mutex::default() }
    }

    /// Writes the line, unless there was another one shortly before.
    pub(super) fn line(&self, text: &impl Display) {
        // A panic while the lock is held cannot leave the value half changed.
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let omitted = match &mut *last {
            Some((at, omitted)) if at.elapsed() < LOG_PAUSE => {
                *omitted += 1;
                return;
            }
            Some((_, omitted)) => *omitted,
            None => 0,
        };
        *last = Some((Instant::now(), 0));
        let fields = [("reason", Value::error(text)), ("omitted_lines", Value::Count(omitted))];
        self.site.warn("a connection was refused", &fields);
    }
}
