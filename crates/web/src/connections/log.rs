//! Log lines about connections, few enough that an attacker cannot fill the log.

use std::fmt::Display;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A line is written at most this often.
const LOG_PAUSE: Duration = Duration::from_secs(10);

/// The log of all connections.
#[derive(Default)]
pub(super) struct Log {
    last: Mutex<Option<(Instant, u64)>>,
}

impl Log {
    /// Writes the line, unless there was another one shortly before.
    pub(super) fn line(&self, text: &dyn Display) {
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
        match omitted {
            0 => eprintln!("spuk: {text}"),
            _ => eprintln!("spuk: {text} ({omitted} similar events since the last line)"),
        }
    }
}
