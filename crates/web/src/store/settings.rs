//! Secrets of this site, made once.

use super::{Store, StoreError};
use sqlx::Row;

impl Store {
    /// The setting of this name; where there is none yet, `fresh` becomes it. Of two servers that
    /// start together, both get the same.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn setting_or(&self, name: &str, fresh: &str) -> Result<(String, bool), StoreError> {
        let made = sqlx::query(
            "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING",
        )
        .bind(name)
        .bind(fresh)
        .execute(&self.write)
        .await?;
        let row = sqlx::query("SELECT value FROM settings WHERE name = $1").bind(name);
        let value = row.fetch_one(&self.write).await?.try_get("value")?;
        Ok((value, made.rows_affected() > 0))
    }
}
