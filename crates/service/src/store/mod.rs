//! The database: people, attempts, ratings, studies, games. SQLite by default, PostgreSQL by URL.
//!
//! The SQL is common to both. What a call has written is on disk when it returns without an error:
//! SQLite syncs its log at every commit, and PostgreSQL does so by default. SQLite has one
//! connection that writes, so that writers queue and never fail because the database is busy.

mod attempts;
pub mod backup;
mod counting_pool;
mod deletion;
mod exposures;
mod found_puzzles;
mod games;
mod group_commit;
mod health;
mod jobs;
mod lock;
mod migrate;
mod people;
mod progress;
mod rating_marks;
mod ratings;
mod retention;
mod settings;
mod size;
mod sizes;
mod studies;
mod tls;
mod transaction;
mod usage;

pub use attempts::{Attempt, AttemptState, Decision, Finish, NewAttempt, Observed};
pub use deletion::{DELETED_PERSON, OWNED_TABLES};
pub use games::{GameRow, Lease};
pub use people::{Person, PuzzleRecord};
pub use progress::{PlayedPuzzle, RatedAt};
pub use ratings::{Opinion, Opinions};
pub use retention::RetentionRule;
pub use sizes::{Sizes, TABLES, TableSize};
pub use studies::{Participant, Study, StudyRow};
pub use usage::{Charge, Payer};

use crate::metrics::DATABASE;
use crate::private_files;
use counting_pool::CountingPool;
use group_commit::GroupCommit;
use lock::Lock;
use rating_marks::AddressSalts;
use sqlx::any::AnyPoolOptions;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AnyConnection, Connection};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;
use transaction::{Dialect, Transaction, is_idle};

/// The error of the database layer.
#[derive(Clone, Debug)]
pub enum StoreError {
    /// The database failed.
    Database(Arc<sqlx::Error>),
    /// The database was made by a newer version of the program.
    TooNew {
        /// The version of its schema.
        found: i64,
        /// The newest one this program knows.
        known: i64,
    },
    /// Another request changed the same thing at the same moment.
    Conflict,
    /// Another process is replacing the database.
    Locked(PathBuf),
    /// A daily storage quota is used up.
    OverQuota,
    /// What the database acknowledged is not there.
    NotKept,
    /// The file is not a SQLite database, or it is corrupt.
    Corrupt {
        /// The file.
        file: PathBuf,
        /// What SQLite says about it.
        reason: String,
    },
    /// Something in the database is not as the program writes it.
    Damaged(&'static str),
    /// The URL names no kind of database that is known here.
    UnknownKind(String),
}

impl StoreError {
    /// Whether the database answered and refused, so that another call may succeed.
    fn is_refusal(&self) -> bool {
        matches!(self, StoreError::Database(error) if error.as_database_error().is_some())
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Database(error) => {
                write!(f, "the database failed: {error}")?;
                tls::advice(error).map_or(Ok(()), |step| write!(f, "; {step}"))
            }
            StoreError::TooNew { found, known } => write!(
                f,
                "the database has schema {found} and this program knows up to {known}: it was used with a \
                 newer version of spuk; use that version, or another database"
            ),
            StoreError::Conflict => {
                f.write_str("this was changed elsewhere at the same moment; reload it")
            }
            StoreError::Locked(file) => write!(
                f,
                "the database {} is being restored by another process; start again when it is done",
                file.display()
            ),
            StoreError::OverQuota => f.write_str("too much was stored today; ask again tomorrow"),
            StoreError::NotKept => f.write_str(
                "the database acknowledged a write and did not keep it; restart the server",
            ),
            StoreError::Corrupt { file, reason } => write!(
                f,
                "the database {} cannot be used: {reason}; move it away and restore a backup with \
                 `spuk admin restore`, or start with a new one",
                file.display()
            ),
            StoreError::Damaged(what) => write!(f, "{what} in the database is damaged"),
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
        DATABASE.failed(&error);
        StoreError::Database(Arc::new(error))
    }
}

/// The database.
#[derive(Clone, Debug)]
pub struct Store {
    read: CountingPool,
    write: CountingPool,
    dialect: Dialect,
    games: GroupCommit,
    salts: AddressSalts,
    /// Kept while the store is open.
    _lock: Option<Lock>,
}

/// How many pages a SQLite database may have, which may change while it is open. Lowering it makes the
/// disk full as far as SQLite can see, so that tests need no disk of their own.
pub type PageLimit = Arc<AtomicU32>;

/// The time that a request waits for a connection.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(5);

impl Store {
    /// Opens the database and migrates it.
    ///
    /// # Errors
    /// If it cannot be reached, or was made by a newer version.
    pub async fn open(url: &str) -> Result<Store, StoreError> {
        Store::open_limited(url, None).await
    }

    /// The same with a limit to the size of a SQLite database.
    ///
    /// # Errors
    /// If it cannot be reached, or was made by a newer version.
    pub async fn open_limited(url: &str, limit: Option<PageLimit>) -> Result<Store, StoreError> {
        sqlx::any::install_default_drivers();
        let sqlite = url.starts_with("sqlite:");
        if !sqlite && !url.starts_with("postgres:") && !url.starts_with("postgresql:") {
            return Err(StoreError::UnknownKind(without_password(url)));
        }
        if let Some(file) = sqlite_file(url).filter(|_| url.contains("mode=rwc")) {
            // A new file is readable for this user alone, and so are the logs that SQLite makes beside
            // it; one that exists stays as it is. If it cannot be made, SQLite says why.
            let _ = private_files::create_empty(&file);
        }
        // A pool waits and then says no more than that it waited; one connection says what is wrong.
        let tried = tokio::time::timeout(CONNECTION_TIMEOUT, AnyConnection::connect(url)).await;
        let mut tried = tried.map_err(|_| sqlx::Error::PoolTimedOut)??;
        if let Some(file) = sqlite_file(url) {
            read_schema(&mut tried).await.map_err(|error| corrupt_or_other(error, file))?;
        }
        tried.close().await?;
        let lock = sqlite_file(url).map(|file| Lock::shared(&file)).transpose()?;
        let (dialect, write) = if sqlite {
            (Dialect::Sqlite, sqlite_writer(limit).connect(url).await?)
        } else {
            (Dialect::Postgres, pool(8).connect(url).await?)
        };
        migrate::migrate(&write, dialect).await?;
        let read = if sqlite { sqlite_readers().connect(url).await? } else { write.clone() };
        let games = GroupCommit::open(write.clone(), dialect);
        let salts = AddressSalts::default();
        Ok(Store {
            read: CountingPool(read),
            write: CountingPool(write),
            dialect,
            games,
            salts,
            _lock: lock,
        })
    }

    /// Begins a transaction.
    async fn begin(&self) -> Result<Transaction, StoreError> {
        Transaction::begin(&self.write, self.dialect).await
    }

    /// Waits for what is under way and closes the connections.
    pub async fn close(&self) {
        self.read.close().await;
        self.write.close().await;
    }
}

/// The file of a SQLite database that other users of this machine can read.
pub fn file_open_to_others(url: &str) -> Option<PathBuf> {
    sqlite_file(url).filter(|file| private_files::is_open_to_others(file))
}

/// The URL of the SQLite file `spuk.db` in a folder, whatever characters its name has.
pub fn sqlite_in(folder: &Path) -> String {
    sqlite_url(&folder.join("spuk.db"), "mode=rwc")
}

/// The file of a SQLite database that is on disk.
pub fn sqlite_file(url: &str) -> Option<PathBuf> {
    let options =
        url.starts_with("sqlite:").then(|| SqliteConnectOptions::from_str(url).ok())??;
    let file = options.get_filename().to_path_buf();
    // sqlx names databases in memory like this.
    let memory = url.contains(":memory:") || file.starts_with("file:sqlx-in-memory");
    (!memory).then_some(file)
}

/// The URL of a SQLite file, whatever characters its name has.
fn sqlite_url(file: &Path, how: &str) -> String {
    let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let mut address = String::from("sqlite://");
    for byte in file.display().to_string().bytes() {
        if byte.is_ascii_alphanumeric() || b"/.-_~".contains(&byte) {
            address.push(byte.into());
        } else {
            address.push_str(&format!("%{byte:02X}"));
        }
    }
    format!("{address}?{how}")
}

/// A number of connections.
fn pool(connections: u32) -> AnyPoolOptions {
    AnyPoolOptions::new().max_connections(connections).acquire_timeout(CONNECTION_TIMEOUT)
}

/// Connections to SQLite that read.
fn sqlite_readers() -> AnyPoolOptions {
    pool(4).after_connect(|connection, _| Box::pin(set_up(connection, None)))
}

/// The one connection to SQLite that writes. It returns to the pool only outside of any transaction.
fn sqlite_writer(limit: Option<PageLimit>) -> AnyPoolOptions {
    let again = limit.clone();
    pool(1)
        .after_connect(move |connection, _| Box::pin(set_up(connection, limit.clone())))
        .before_acquire(move |connection, _| {
            let limit = again.clone();
            Box::pin(async move { set_page_limit(connection, limit).await.map(|()| true) })
        })
        .after_release(|connection, _| Box::pin(async move { Ok(is_idle(connection).await) }))
}

/// Reads the schema, which SQLite does not do when it opens a file.
async fn read_schema(connection: &mut AnyConnection) -> sqlx::Result<()> {
    sqlx::query("SELECT COUNT(*) FROM sqlite_schema").execute(connection).await.map(|_| ())
}

/// SQLite's result code for a corrupt file.
const SQLITE_CORRUPT: i32 = 11;
/// SQLite's result code for a file that is not a database.
const SQLITE_NOTADB: i32 = 26;

/// The error for a file whose schema cannot be read.
fn corrupt_or_other(error: sqlx::Error, file: PathBuf) -> StoreError {
    let reported = error.as_database_error();
    // An extended result code has the primary one in its lowest byte.
    let code = reported.and_then(|error| error.code()?.parse::<i32>().ok()).map(|code| code & 0xff);
    match (reported, code) {
        (Some(reported), Some(SQLITE_CORRUPT | SQLITE_NOTADB)) => {
            StoreError::Corrupt { file, reason: reported.message().to_owned() }
        }
        _ => error.into(),
    }
}

/// Configures a connection to SQLite.
async fn set_up(connection: &mut AnyConnection, limit: Option<PageLimit>) -> sqlx::Result<()> {
    // WAL: readers do not wait for the writer. FULL: a commit is on disk before it returns.
    // The timeout comes first: changing the journal mode takes a lock already.
    for pragma in
        ["busy_timeout = 5000", "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"]
    {
        sqlx::query(&format!("PRAGMA {pragma}")).execute(&mut *connection).await?;
    }
    set_page_limit(connection, limit).await
}

async fn set_page_limit(
    connection: &mut AnyConnection,
    limit: Option<PageLimit>,
) -> sqlx::Result<()> {
    let Some(limit) = limit else { return Ok(()) };
    let pragma = format!("PRAGMA max_page_count = {}", limit.load(Relaxed));
    sqlx::query(&pragma).execute(connection).await.map(|_| ())
}

/// A URL without its password, which may be shown.
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
