//! Puzzles that people found in their games.

use super::{Store, StoreError, now};
use sqlx::Row;

impl Store {
    /// Keeps the record of a puzzle, once.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn keep_found_puzzle(&self, id: &str, record: &str) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO found_puzzles (id, found, record) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING",
        )
        .bind(id)
        .bind(now())
        .bind(record)
        .execute(&self.write)
        .await?;
        Ok(())
    }

    /// The record of a puzzle that was found.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn found_puzzle(&self, id: &str) -> Result<Option<String>, StoreError> {
        let row = sqlx::query("SELECT record FROM found_puzzles WHERE id = $1").bind(id);
        let row = row.fetch_optional(&self.read).await?;
        Ok(row.map(|row| row.try_get("record")).transpose()?)
    }
}
