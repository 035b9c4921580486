//! Whether the store keeps what it acknowledges: something is written, and read back on a connection
//! that sees only what was committed.

use super::{Store, StoreError};
use crate::secrets::random_text;
use sqlx::Row;
use std::time::Duration;
use tokio::time::timeout;

/// The row of `settings` that health checks write.
const NAME: &str = "health";

/// A row that takes space: a check fails if the disk is full.
const SPACE_NAME: &str = "health-space";

/// Its size in bytes, several pages.
const SPACE: usize = 16 << 10;

/// The timeout of a check.
const TIMEOUT: Duration = Duration::from_secs(5);

impl Store {
    /// Writes something new and reads it back.
    ///
    /// # Errors
    /// If the database does not answer in time, refuses, or has not kept what it acknowledged.
    pub async fn check_health(&self) -> Result<(), StoreError> {
        let checked = timeout(TIMEOUT, self.write_and_read_back()).await;
        checked.unwrap_or_else(|_| Err(sqlx::Error::PoolTimedOut.into()))
    }

    async fn write_and_read_back(&self) -> Result<(), StoreError> {
        let written = random_text(12);
        // Another server may check at the same moment: any later value will do, the one before will not.
        let before = self.health_value().await?;
        let mut transaction = self.begin().await?;
        for (name, value) in [(NAME, written), (SPACE_NAME, random_text(SPACE))] {
            sqlx::query(
                "INSERT INTO settings (name, value) VALUES ($1, $2) \
                 ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            )
            .bind(name)
            .bind(value)
            .execute(&mut *transaction)
            .await?;
        }
        let space = sqlx::query("DELETE FROM settings WHERE name = $1").bind(SPACE_NAME);
        space.execute(&mut *transaction).await?;
        transaction.commit().await?;
        let after = self.health_value().await?;
        if after == before { Err(StoreError::NotKept) } else { Ok(()) }
    }

    async fn health_value(&self) -> Result<Option<String>, StoreError> {
        let row = sqlx::query("SELECT value FROM settings WHERE name = $1").bind(NAME);
        let row = row.fetch_optional(&self.read).await?;
        Ok(row.map(|row| row.try_get("value")).transpose()?)
    }
}
