//! The last lines of a process's output. They go through a pipe: a file could be full or limited, and
//! the process would fail because of its log instead of the fault under test.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::sync::{Arc, Mutex, PoisonError};

/// The maximum number of lines that are kept.
const MAX_LINES: usize = 12;

/// The last lines.
pub(crate) struct Tail(Arc<Mutex<VecDeque<String>>>);

impl Tail {
    /// Reads to the end, in the background.
    pub(crate) fn of(output: impl Read + Send + 'static) -> Tail {
        let lines = Arc::new(Mutex::new(VecDeque::new()));
        let kept = Arc::clone(&lines);
        std::thread::spawn(move || {
            for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.push_back(String::from_utf8_lossy(&line).into_owned());
                if kept.len() > MAX_LINES {
                    kept.pop_front();
                }
            }
        });
        Tail(lines)
    }

    /// The lines so far.
    pub(crate) fn text(&self) -> String {
        // The last lines may not have arrived yet.
        std::thread::sleep(std::time::Duration::from_millis(50));
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.is_empty() {
            return "it wrote nothing to standard error".to_owned();
        }
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        format!("its last lines were:\n{}", lines.join("\n"))
    }
}
