//! Secrets of this site.

use super::{Store, StoreError};
use sqlx::Row;

impl Store {
    /// The setting of this name, if there is one.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn setting(&self, name: &str) -> Result<Option<String>, StoreError> {
        let row = sqlx::query("SELECT value FROM settings WHERE name = $1").bind(name);
        let row = row.fetch_optional(&self.write).await?;
        Ok(row.map(|row| row.try_get("value")).transpose()?)
    }

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

    /// Replaces the value of a setting if it is still `old`, and returns whether it was.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn replace_setting(
        &self,
        name: &str,
        old: &str,
        new: &str,
    ) -> Result<bool, StoreError> {
        let replaced = sqlx::query("UPDATE settings SET value = $1 WHERE name = $2 AND value = $3")
            .bind(new)
            .bind(name)
            .bind(old)
            .execute(&self.write)
            .await?;
        Ok(replaced.rows_affected() > 0)
    }

    /// Replaces the setting of this name.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn set_setting(&self, name: &str, value: &str) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO settings (name, value) VALUES ($1, $2) \
             ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        )
        .bind(name)
        .bind(value)
        .execute(&self.write)
        .await?;
        Ok(())
    }
}
