//! `database-restart`: PostgreSQL is stopped and started again; with SQLite, another process holds the lock
//! for writing.

use super::environment::Environment;
use super::fault::{Fault, FaultDuration};
use super::postgres::Stop;
use crate::Failure;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};
use std::path::Path;
use std::time::Duration;
use tokio::runtime::Runtime;

/// How long SQLite waits for a lock.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// A database that is unavailable for a while.
#[derive(Default)]
pub(super) struct DatabaseRestart {
    lock: Option<(Runtime, SqliteConnection)>,
}

impl Fault for DatabaseRestart {
    fn inject(
        &mut self,
        site: &mut Environment,
        random: &mut ChaCha8Rng,
    ) -> Result<FaultDuration, Failure> {
        let short = Duration::from_millis(random.random_range(100..800));
        if let Some(postgres) = &mut site.postgres {
            postgres.stop(if random.random() { Stop::Fast } else { Stop::Immediate })?;
            return Ok(FaultDuration::For(short));
        }
        self.lock = Some(lock(&site.sqlite_file())?);
        // Sometimes the lock is held longer than the site waits for it.
        let longer = if random.random_range(0..4) == 0 { BUSY_TIMEOUT } else { Duration::ZERO };
        Ok(FaultDuration::For(short + longer))
    }

    fn remove(&mut self, site: &mut Environment) -> Result<(), Failure> {
        if let Some(postgres) = &mut site.postgres {
            return postgres.run();
        }
        let Some((runtime, connection)) = self.lock.take() else { return Ok(()) };
        // Closing rolls back.
        let closed = runtime.block_on(connection.close());
        closed.map_err(|error| format!("the lock of the database cannot be released: {error}"))
    }
}

/// Takes the write lock.
fn lock(file: &Path) -> Result<(Runtime, SqliteConnection), Failure> {
    let failed = |error: &dyn std::fmt::Display| format!("the database cannot be locked: {error}");
    let runtime = Runtime::new().map_err(|error| failed(&error))?;
    let locked = async {
        let options = SqliteConnectOptions::new().filename(file).busy_timeout(BUSY_TIMEOUT);
        let mut connection = options.connect().await?;
        sqlx::query("BEGIN IMMEDIATE").execute(&mut connection).await?;
        Ok::<_, sqlx::Error>(connection)
    };
    let connection = runtime.block_on(locked).map_err(|error| failed(&error))?;
    Ok((runtime, connection))
}
