//! Transactions that trust no connection after a failure.
//!
//! SQLite may end a transaction by itself when the disk is full or a write fails. sqlx counts `BEGIN`s and
//! `COMMIT`s and does not notice: it would take the next `BEGIN` for a nested one, make it a `SAVEPOINT`,
//! and acknowledge every later write without committing it. So `BEGIN` and `COMMIT` are plain statements
//! here, and a connection whose transaction was not committed is closed instead of reused: closing it
//! rolls back what is left, on every database.

use super::StoreError;
use crate::metrics::{DATABASE, Operation};
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection, AnyPool};
use std::ops::{Deref, DerefMut};
use std::time::Instant;

/// How a transaction begins, which differs from database to database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// SQLite takes the lock for writing at once: a transaction that reads first could not get it later.
    Sqlite,
    /// PostgreSQL locks rows.
    Postgres,
}

impl Dialect {
    const fn begin(self) -> &'static str {
        match self {
            Dialect::Sqlite => "BEGIN IMMEDIATE",
            Dialect::Postgres => "BEGIN",
        }
    }
}

/// A transaction on a connection of its own. What is not committed is rolled back.
pub(super) struct Transaction {
    connection: PoolConnection<Any>,
    committed: bool,
}

impl Transaction {
    /// Begins one.
    pub(super) async fn begin(pool: &AnyPool, dialect: Dialect) -> Result<Transaction, StoreError> {
        // Not committed from the start: a BEGIN that fails or is cancelled closes the connection too.
        let mut transaction = Transaction { connection: pool.acquire().await?, committed: false };
        sqlx::query(dialect.begin()).execute(&mut *transaction).await?;
        Ok(transaction)
    }

    /// Commits; everything is on disk when this returns without an error. Where the database has ended
    /// the transaction already, there is nothing to commit, and SQLite says so.
    pub(super) async fn commit(mut self) -> Result<(), StoreError> {
        let begun = Instant::now();
        sqlx::query("COMMIT").execute(&mut *self).await?;
        self.committed = true;
        DATABASE.committed(begun.elapsed());
        Ok(())
    }
}

impl Deref for Transaction {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        &self.connection
    }
}

impl DerefMut for Transaction {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        &mut self.connection
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        if !self.committed {
            self.connection.close_on_drop();
            DATABASE.count(Operation::Rollback);
        }
    }
}

/// Whether a SQLite connection is outside of any transaction, as it has to be when it returns to the
/// pool. Asked by a rollback, which SQLite refuses if there is nothing to roll back.
pub(super) async fn is_idle(connection: &mut AnyConnection) -> bool {
    sqlx::query("ROLLBACK").execute(connection).await.is_err()
}
