//! Progress on a terminal: drawn on standard error, and only if it is a terminal.

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use search::{DepthReport, Progress};
use std::io::IsTerminal;
use std::time::Duration;

/// A progress line.
pub(crate) struct Line(ProgressBar);

impl Line {
    /// A line on standard error, or nothing if that is not a terminal.
    pub(crate) fn new() -> Line {
        let is_terminal = std::io::stderr().is_terminal();
        let target =
            if is_terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}");
        let bar = ProgressBar::with_draw_target(None, target)
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        if is_terminal {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Line(bar)
    }

    /// Replaces the text of the line.
    pub(crate) fn say(&self, text: String) {
        self.0.set_message(text);
    }

    /// Removes the line.
    pub(crate) fn clear(&self) {
        self.0.finish_and_clear();
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.clear();
    }
}

impl Progress for Line {
    fn report(&mut self, report: &DepthReport) {
        let nodes = HumanCount(report.nodes);
        self.say(format!("no win within {} plies, {nodes} nodes", report.depth));
    }
}
