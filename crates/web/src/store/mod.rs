//! What the site keeps: people, attempts, ratings, studies. In a SQLite file, or in PostgreSQL.
//!
//! One code for both, in the SQL that both speak. A call that returns without an error is on disk:
//! SQLite syncs its log at every commit, and PostgreSQL does so by default. SQLite has one
//! connection that writes, so that writers wait in line and never fail for being busy.

mod attempts;
mod found;
mod games;
mod migrate;
mod people;
mod progress;
mod ratings;
mod settings;
mod studies;
mod together;

pub use attempts::{Attempt, Finish, NewAttempt, State};
pub use games::GameRow;
pub use people::{Person, PuzzleRecord};
pub use progress::{Played, RatedAt};
pub use ratings::{Opinion, Opinions};
pub use studies::{Participant, Study, StudyRow};

use sqlx::any::AnyPoolOptions;
use sqlx::{AnyConnection, AnyPool, Connection};
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use together::Together;

/// Why the store cannot do what was asked.
#[derive(Clone, Debug)]
pub enum StoreError {
    /// The database answered so.
    Database(Arc<sqlx::Error>),
    /// The database was made by a newer version of the program.
    TooNew {
        /// The version of its schema.
        found: i64,
        /// The newest one this program knows.
        known: i64,
    },
    /// Somebody else changed the same thing at the same moment.
    Conflict,
    /// The address names no database that is known here.
    UnknownKind(String),
}

impl StoreError {
    /// Whether the database answered, and refused: another call may do better.
    fn is_refusal(&self) -> bool {
        matches!(self, StoreError::Database(error) if error.as_database_error().is_some())
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Database(error) => write!(f, "the database failed: {error}"),
            StoreError::TooNew { found, known } => write!(
                f,
                "the database has schema {found} and this program knows up to {known}: it was used with a \
                 newer version of spuk; use that version, or another database"
            ),
            StoreError::Conflict => {
                f.write_str("this was changed elsewhere at the same moment; reload it")
            }
            StoreError::UnknownKind(url) => write!(
                f,
                "the database {url:?} is neither sqlite: nor postgres:; give an address such as \
                 postgres://user:password@host/name"
            ),
        }
    }
}

impl std::error::Error for StoreError {}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        StoreError::Database(Arc::new(error))
    }
}

/// The store.
#[derive(Clone, Debug)]
pub struct Store {
    read: AnyPool,
    write: AnyPool,
    games: Together,
}

/// How long a request waits for a connection.
const PATIENCE: Duration = Duration::from_secs(5);

impl Store {
    /// Opens the store and brings it up to date.
    ///
    /// # Errors
    /// If it cannot be reached, or was made by a newer version.
    pub async fn open(url: &str) -> Result<Store, StoreError> {
        sqlx::any::install_default_drivers();
        let sqlite = url.starts_with("sqlite:");
        if !sqlite && !url.starts_with("postgres:") && !url.starts_with("postgresql:") {
            return Err(StoreError::UnknownKind(without_password(url)));
        }
        // A pool waits and then says no more than that it waited; one connection says what is wrong.
        let tried = tokio::time::timeout(PATIENCE, AnyConnection::connect(url)).await;
        tried.map_err(|_| sqlx::Error::PoolTimedOut)??.close().await?;
        let write = pool(sqlite, if sqlite { 1 } else { 8 }).connect(url).await?;
        migrate::migrate(&write).await?;
        let read = if sqlite { pool(true, 4).connect(url).await? } else { write.clone() };
        let games = Together::open(write.clone());
        Ok(Store { read, write, games })
    }

    /// Whether the database answers.
    ///
    /// # Errors
    /// If it does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        sqlx::query("SELECT 1").execute(&self.read).await?;
        Ok(())
    }

    /// Waits for what is under way and closes the connections.
    pub async fn close(&self) {
        self.read.close().await;
        self.write.close().await;
    }
}

/// The address of the SQLite file `spuk.db` in a folder, whatever letters its name has.
pub fn sqlite_in(folder: &Path) -> String {
    let file = folder.join("spuk.db");
    let file = std::path::absolute(&file).unwrap_or(file);
    let mut address = String::from("sqlite://");
    for byte in file.display().to_string().bytes() {
        if byte.is_ascii_alphanumeric() || b"/.-_~".contains(&byte) {
            address.push(byte.into());
        } else {
            address.push_str(&format!("%{byte:02X}"));
        }
    }
    address + "?mode=rwc"
}

/// Connections of one kind.
fn pool(sqlite: bool, connections: u32) -> AnyPoolOptions {
    let options = AnyPoolOptions::new().max_connections(connections).acquire_timeout(PATIENCE);
    if !sqlite {
        return options;
    }
    options.after_connect(|connection, _| {
        Box::pin(async move {
            // WAL: readers do not wait for the writer. FULL: a commit is on disk before it returns.
            // Patience comes first: to change the journal takes a lock already.
            for pragma in [
                "busy_timeout = 5000",
                "journal_mode = WAL",
                "synchronous = FULL",
                "foreign_keys = ON",
            ] {
                sqlx::query(&format!("PRAGMA {pragma}")).execute(&mut *connection).await?;
            }
            Ok(())
        })
    })
}

/// An address as it may be shown.
fn without_password(url: &str) -> String {
    match (url.find("://"), url.rfind('@')) {
        (Some(start), Some(end)) if start + 3 < end => {
            format!("{}…{}", &url[..start + 3], &url[end..])
        }
        _ => url.to_owned(),
    }
}

/// Milliseconds since 1970.
pub fn now() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as i64)
}
