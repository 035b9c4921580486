//! Backups of SQLite databases while they are used, and restoring them; what has to be known of PostgreSQL
//! databases to do the same with its own programs.

use super::lock::Lock;
use super::migrate::LATEST_VERSION;
use super::{StoreError, TABLES, sqlite_url};
use sqlx::{AnyConnection, Connection, Row};
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Why there is no backup, or nothing was restored.
#[derive(Debug)]
pub enum BackupError {
    /// A file.
    File(PathBuf, io::Error),
    /// The database.
    Store(StoreError),
    /// There is such a file already.
    Exists(PathBuf),
    /// There is no such database.
    Missing(PathBuf),
    /// This is not a database of Spuk, or a damaged one.
    Damaged(PathBuf, String),
    /// The database to be replaced has data.
    HasData(String),
    /// Another process uses the database to be replaced.
    InUse(String),
}

impl fmt::Display for BackupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BackupError::File(file, error) => write!(f, "{}: {error}", file.display()),
            BackupError::Store(error) => error.fmt(f),
            BackupError::Exists(file) => {
                write!(f, "{} exists; choose another name", file.display())
            }
            BackupError::Missing(file) => write!(
                f,
                "there is no database {}; name its folder with --data, or the database with --database",
                file.display()
            ),
            BackupError::Damaged(file, why) => {
                write!(f, "{} is not an intact database of Spuk: {why}", file.display())
            }
            BackupError::HasData(database) => {
                write!(
                    f,
                    "{database} has data; add --replace to delete them and restore the backup"
                )
            }
            BackupError::InUse(database) => {
                write!(f, "{database} is in use; stop the server before restoring")
            }
        }
    }
}

impl std::error::Error for BackupError {}

impl From<sqlx::Error> for BackupError {
    fn from(error: sqlx::Error) -> BackupError {
        BackupError::Store(error.into())
    }
}

/// An error with the name of its file.
fn at(file: &Path) -> impl Fn(io::Error) -> BackupError {
    move |error| BackupError::File(file.to_owned(), error)
}

/// Writes a new file: under another name at first, readable only by this user, synced and renamed once `write`
/// has filled it. After a failure nothing is left of it.
///
/// # Errors
/// If the file exists, or cannot be written, or `write` fails.
pub async fn write_new(
    file: &Path,
    write: impl AsyncFnOnce(&Path) -> Result<(), BackupError>,
) -> Result<u64, BackupError> {
    if file.exists() {
        return Err(BackupError::Exists(file.to_owned()));
    }
    let part = beside(file, &format!(".{}.part", std::process::id()));
    let written = async {
        create_private(&part).map_err(at(&part))?;
        write(&part).await?;
        let synced = File::open(&part).and_then(|part| part.sync_all().map(|()| part.metadata()));
        let bytes = synced.and_then(|data| data).map_err(at(&part))?.len();
        if file.exists() {
            return Err(BackupError::Exists(file.to_owned()));
        }
        rename(&part, file)?;
        Ok(bytes)
    };
    let written = written.await;
    if written.is_err() {
        let _ = fs::remove_file(&part);
    }
    written
}

/// A name beside a file.
fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Makes an empty file that only its owner can read.
fn create_private(file: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.create_new(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)
}

/// Renames a file that is synced, and syncs the folder.
fn rename(from: &Path, to: &Path) -> Result<(), BackupError> {
    fs::rename(from, to).map_err(at(to))?;
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    // Not every system opens folders.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Copies a SQLite database to a new file, as it stands at the start: everything that was committed
/// before is in it. Servers may read and write meanwhile.
///
/// # Errors
/// If there is no such database, the file exists or cannot be written, or the copy is not intact.
pub async fn back_up_sqlite(database: &Path, file: &Path) -> Result<u64, BackupError> {
    if !database.is_file() {
        return Err(BackupError::Missing(database.to_owned()));
    }
    sqlx::any::install_default_drivers();
    write_new(file, async |part| {
        let mut connection = AnyConnection::connect(&sqlite_url(database, "mode=rw")).await?;
        let target = part.to_string_lossy().into_owned();
        sqlx::query("VACUUM INTO $1").bind(target).execute(&mut connection).await?;
        connection.close().await?;
        verify_sqlite(part).await.map(|_| ())
    })
    .await
}

/// Checks that a file is an intact database of Spuk that this version can read; its schema's version.
///
/// # Errors
/// If it is not.
pub async fn verify_sqlite(file: &Path) -> Result<i64, BackupError> {
    if !file.is_file() {
        return Err(at(file)(io::ErrorKind::NotFound.into()));
    }
    sqlx::any::install_default_drivers();
    let damaged = |why: String| BackupError::Damaged(file.to_owned(), why);
    // A backup never changes: without this SQLite would make further files beside it.
    let url = sqlite_url(file, "mode=ro&immutable=true");
    let checked = async {
        let mut connection = AnyConnection::connect(&url).await?;
        let row = sqlx::query("PRAGMA integrity_check").fetch_one(&mut connection).await?;
        let found: String = row.try_get(0)?;
        let broken = sqlx::query("PRAGMA foreign_key_check").fetch_all(&mut connection).await?;
        let row = sqlx::query("SELECT COALESCE(MAX(version), 0) AS version FROM spuk_schema");
        let version: i64 = row.fetch_one(&mut connection).await?.try_get("version")?;
        connection.close().await?;
        Ok::<_, sqlx::Error>((found, broken.len(), version))
    };
    let (found, broken, version) = checked.await.map_err(|error| damaged(error.to_string()))?;
    if found != "ok" {
        return Err(damaged(found));
    }
    if broken > 0 {
        return Err(damaged(format!("{broken} rows refer to rows that are missing")));
    }
    expect_known(version)?;
    Ok(version)
}

/// Refuses the schema of a newer version.
///
/// # Errors
/// If it is one.
pub fn expect_known(version: i64) -> Result<(), BackupError> {
    if version > LATEST_VERSION {
        return Err(BackupError::Store(StoreError::TooNew {
            found: version,
            known: LATEST_VERSION,
        }));
    }
    Ok(())
}

/// Puts a backup where a SQLite database is, or is to be. The old one stays until the new one is complete
/// and synced.
///
/// # Errors
/// If the backup is not intact, or the database is in use, or it has data and is not to be replaced.
pub async fn restore_sqlite(
    backup: &Path,
    database: &Path,
    replace: bool,
) -> Result<u64, BackupError> {
    verify_sqlite(backup).await?;
    if let Some(folder) = database.parent() {
        fs::create_dir_all(folder).map_err(at(folder))?;
    }
    let in_use = || BackupError::InUse(database.display().to_string());
    let _lock = Lock::exclusive(database).map_err(|error| match error {
        StoreError::Locked(_) => in_use(),
        error => BackupError::Store(error),
    })?;
    if !replace && database.is_file() && sqlite_has_data(database).await? {
        return Err(BackupError::HasData(database.display().to_string()));
    }
    let part = beside(database, ".restored");
    // Left by a restore that was killed.
    let _ = fs::remove_file(&part);
    let copied = async {
        let mut target = create_private(&part).map_err(at(&part))?;
        let mut source = File::open(backup).map_err(at(backup))?;
        let bytes = io::copy(&mut source, &mut target).map_err(at(&part))?;
        target.sync_all().map_err(at(&part))?;
        verify_sqlite(&part).await?;
        if database.is_file() && !end_log(database).await {
            return Err(in_use());
        }
        // The log of the old database would be applied to the new one.
        for ending in ["-wal", "-shm", "-journal"] {
            match fs::remove_file(beside(database, ending)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(at(&beside(database, ending))(error));
                }
                _ => {}
            }
        }
        rename(&part, database)?;
        Ok(bytes)
    };
    let copied = copied.await;
    if copied.is_err() {
        let _ = fs::remove_file(&part);
    }
    copied
}

/// Moves what is in the log (WAL) of a database into it and removes the log. SQLite refuses that while
/// another connection is open, of a server that has no lock file too; then `false`. A damaged database has
/// nothing to lose.
async fn end_log(database: &Path) -> bool {
    let alone = async {
        let mut connection = AnyConnection::connect(&sqlite_url(database, "mode=rw")).await?;
        sqlx::query("PRAGMA busy_timeout = 500").execute(&mut connection).await?;
        let row = sqlx::query("PRAGMA journal_mode = DELETE").fetch_one(&mut connection).await?;
        let mode: String = row.try_get(0)?;
        connection.close().await?;
        Ok::<_, sqlx::Error>(mode)
    };
    match alone.await {
        Ok(mode) => mode.eq_ignore_ascii_case("delete"),
        Err(error) => !error.to_string().contains("locked"),
    }
}

/// Whether people have used a SQLite database; one that cannot be read counts as used.
async fn sqlite_has_data(database: &Path) -> Result<bool, BackupError> {
    let url = sqlite_url(database, "mode=rw");
    has_data(&url).await.or_else(|error| match error.as_database_error() {
        Some(found) if found.message().contains("no such table") => Ok(false),
        Some(_) => Ok(true),
        None => Err(error.into()),
    })
}

async fn has_data(url: &str) -> Result<bool, sqlx::Error> {
    sqlx::any::install_default_drivers();
    let mut connection = AnyConnection::connect(url).await?;
    let mut found = false;
    for table in ["people", "studies", "games", "attempts"] {
        let rows = format!("SELECT COUNT(*) AS count FROM (SELECT 1 FROM {table} LIMIT 1) AS one");
        let row = sqlx::query(&rows).fetch_one(&mut connection).await?;
        found |= row.try_get::<i64, _>("count")? > 0;
    }
    connection.close().await?;
    Ok(found)
}

/// Makes a PostgreSQL database ready for a backup: no other connection is open, and our tables are gone.
///
/// # Errors
/// If there are other connections, or data that are not to be replaced.
pub async fn clear_postgres(url: &str, name: &str, replace: bool) -> Result<(), BackupError> {
    sqlx::any::install_default_drivers();
    let mut connection = AnyConnection::connect(url).await?;
    let row = sqlx::query(
        "SELECT COUNT(*) AS count FROM pg_stat_activity WHERE datname = current_database() \
         AND pid <> pg_backend_pid() AND backend_type = 'client backend'",
    );
    if row.fetch_one(&mut connection).await?.try_get::<i64, _>("count")? > 0 {
        return Err(BackupError::InUse(name.to_owned()));
    }
    let row = sqlx::query("SELECT COUNT(*) AS count FROM pg_tables WHERE tablename = 'attempts'");
    let made = row.fetch_one(&mut connection).await?.try_get::<i64, _>("count")? > 0;
    if made && !replace && has_data(url).await? {
        return Err(BackupError::HasData(name.to_owned()));
    }
    for table in TABLES.iter().map(|(table, _)| *table).chain(["spuk_schema"]) {
        let drop = format!("DROP TABLE IF EXISTS {table} CASCADE");
        sqlx::query(&drop).execute(&mut connection).await?;
    }
    connection.close().await?;
    Ok(())
}
