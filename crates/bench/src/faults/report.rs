//! The result of a series of cycles, as a line of a table and as JSON.

use super::FaultKind;
use super::database::DatabaseKind;
use super::ledger::Tally;
use super::series::MAX_RECOVERY_TIME;
use super::visitor::Failures;
use crate::VERSION;
use serde::Serialize;
use std::fmt;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// One fault on one database.
#[derive(Serialize)]
pub struct Row {
    v: u32,
    fault: &'static str,
    database: &'static str,
    seed: u64,
    pub(super) cycles: u32,
    /// Cycles in which requests failed because of the fault.
    felt: u32,
    /// Successful responses, and how many of them are still stored at the end.
    acknowledged: usize,
    found: usize,
    pub(super) lost: usize,
    /// Games in which a computer player did not move within ten seconds after the recovery.
    pub(super) stuck: usize,
    /// Requests that were refused, and requests without a response.
    refused: usize,
    unknown: usize,
    /// Cycles after which the site did not recover by itself.
    pub(super) unrecovered: u32,
    longest_recovery_seconds: f64,
    /// The 99th percentile of the times of successful responses.
    p99_ms: f64,
    /// The reason why nothing was run.
    pub(super) skipped: Option<String>,
}

impl Row {
    pub(super) fn new(kind: FaultKind, database: DatabaseKind, seed: u64) -> Row {
        Row {
            v: VERSION,
            fault: kind.name(),
            database: database.name(),
            seed,
            cycles: 0,
            felt: 0,
            acknowledged: 0,
            found: 0,
            lost: 0,
            stuck: 0,
            refused: 0,
            unknown: 0,
            unrecovered: 0,
            longest_recovery_seconds: 0.0,
            p99_ms: 0.0,
            skipped: None,
        }
    }

    /// The row of a series that cannot be run.
    pub(super) fn skipped(kind: FaultKind, database: DatabaseKind, seed: u64, why: String) -> Row {
        Row { skipped: Some(why), ..Row::new(kind, database, seed) }
    }

    /// Adds a cycle; [`Row::add_tally`] adds what was acknowledged.
    pub(super) fn add_cycle(
        &mut self,
        felt: bool,
        recovery: Option<Duration>,
        failures: &Failures,
    ) {
        self.cycles += 1;
        self.felt += u32::from(felt);
        self.refused += failures.refused.load(Relaxed);
        self.unknown += failures.unknown.load(Relaxed);
        self.unrecovered += u32::from(recovery.is_none());
        let seconds = recovery.unwrap_or(MAX_RECOVERY_TIME).as_secs_f64();
        self.longest_recovery_seconds = self.longest_recovery_seconds.max(seconds);
    }

    /// Adds the totals of a site's ledgers.
    pub(super) fn add_tally(&mut self, tally: &Tally) {
        self.acknowledged += tally.acknowledged;
        self.lost += tally.lost;
        self.found += tally.acknowledged - tally.lost;
        self.stuck += tally.stuck;
    }

    /// The row with the percentile of these response times.
    pub(super) fn with_times(mut self, mut times_ms: Vec<f64>) -> Row {
        times_ms.sort_by(f64::total_cmp);
        let index = (times_ms.len() as f64 * 0.99) as usize;
        self.p99_ms =
            times_ms.get(index.min(times_ms.len().saturating_sub(1))).copied().unwrap_or(0.0);
        self
    }

    /// Whether anything went wrong.
    pub fn is_bad(&self) -> bool {
        self.lost > 0 || self.stuck > 0 || self.unrecovered > 0
    }

    /// The header of the table.
    pub fn header() -> String {
        format!(
            "{:<17} {:<9} {:>6} {:>6} {:>12} {:>9} {:>5} {:>6} {:>8} {:>8} {:>9} {:>9}\n",
            "fault",
            "database",
            "cycles",
            "felt",
            "acknowledged",
            "found",
            "lost",
            "stuck",
            "refused",
            "unknown",
            "recovery",
            "p99",
        )
    }
}

impl fmt::Display for Row {
    /// The line in the table.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(why) = &self.skipped {
            return writeln!(f, "{:<17} {:<9} skipped: {why}", self.fault, self.database);
        }
        let recovery = match self.unrecovered {
            0 => format!("{:.1} s", self.longest_recovery_seconds),
            count => format!("{count} not"),
        };
        writeln!(
            f,
            "{:<17} {:<9} {:>6} {:>6} {:>12} {:>9} {:>5} {:>6} {:>8} {:>8} {:>9} {:>6.0} ms",
            self.fault,
            self.database,
            self.cycles,
            self.felt,
            self.acknowledged,
            self.found,
            self.lost,
            self.stuck,
            self.refused,
            self.unknown,
            recovery,
            self.p99_ms,
        )
    }
}
