//! Metrics of the database. They are global, since a process has one database: the
//! place that sees every error knows no site.

use super::{Exposition, Histogram};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// An operation of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    /// A statement outside of any transaction.
    Statement,
    /// A transaction that was committed.
    Commit,
    /// A transaction that was not.
    Rollback,
}

impl Operation {
    const ALL: [Operation; 3] = [Operation::Statement, Operation::Commit, Operation::Rollback];

    const fn name(self) -> &'static str {
        match self {
            Operation::Statement => "statement",
            Operation::Commit => "commit",
            Operation::Rollback => "rollback",
        }
    }
}

/// Kinds of errors that an operator handles differently.
const ERRORS: [&str; 6] = ["constraint", "full", "connection", "timeout", "closed", "other"];

/// The kind of an error, as an index into [`ERRORS`].
fn kind_of(error: &sqlx::Error) -> usize {
    match error {
        sqlx::Error::Database(error) if error.code().is_some_and(|code| is_full(&code)) => 1,
        sqlx::Error::Database(error)
            if error.is_unique_violation()
                || error.is_foreign_key_violation()
                || error.is_check_violation() =>
        {
            0
        }
        sqlx::Error::Io(_) | sqlx::Error::Tls(_) | sqlx::Error::Protocol(_) => 2,
        sqlx::Error::PoolTimedOut => 3,
        sqlx::Error::PoolClosed => 4,
        _ => 5,
    }
}

/// SQLite's `SQLITE_FULL`, or PostgreSQL's class "insufficient resources".
fn is_full(code: &str) -> bool {
    code == "13" || (code.len() == 5 && code.starts_with("53"))
}

/// Counters of the database.
pub(crate) struct Database {
    operations: [AtomicU64; Operation::ALL.len()],
    errors: [AtomicU64; ERRORS.len()],
    commits: Histogram,
}

/// Those of this process.
pub(crate) static DATABASE: Database = Database {
    operations: [const { AtomicU64::new(0) }; Operation::ALL.len()],
    errors: [const { AtomicU64::new(0) }; ERRORS.len()],
    commits: Histogram::new(),
};

impl Database {
    /// Counts an operation.
    pub(crate) fn count(&self, operation: Operation) {
        self.operations[operation as usize].fetch_add(1, Relaxed);
    }

    /// Counts a commit and how long it took.
    pub(crate) fn committed(&self, time: Duration) {
        self.count(Operation::Commit);
        self.commits.record(time);
    }

    /// Counts an error.
    pub(crate) fn failed(&self, error: &sqlx::Error) {
        self.errors[kind_of(error)].fetch_add(1, Relaxed);
    }

    pub(super) fn write(&self, text: &mut Exposition) {
        let name = "spuk_database_operations_total";
        text.family(name, "counter", "Statements outside of transactions, commits, rollbacks.");
        for operation in Operation::ALL {
            let count = self.operations[operation as usize].load(Relaxed);
            text.sample(name, &[("kind", operation.name())], count as f64);
        }
        let name = "spuk_database_errors_total";
        text.family(name, "counter", "Errors of the database, by kind.");
        for (kind, count) in ERRORS.into_iter().zip(&self.errors) {
            text.sample(name, &[("kind", kind)], count.load(Relaxed) as f64);
        }
        let name = "spuk_database_commit_seconds";
        text.family(name, "histogram", "Seconds that commits take.");
        text.histogram(name, &[], &self.commits);
    }
}
