//! How large the store is, and how many connections it has.

use super::transaction::Dialect;
use super::{Store, StoreError};
use sqlx::Row;

impl Store {
    /// The bytes of each file that the database says it has; none if it does not answer.
    pub async fn bytes(&self) -> Vec<(&'static str, u64)> {
        let found = match self.dialect {
            Dialect::Sqlite => self.sqlite_bytes().await,
            Dialect::Postgres => {
                let size =
                    self.number("SELECT pg_database_size(current_database()) AS value").await;
                size.map(|size| vec![("database", size)])
            }
        };
        found.unwrap_or_default()
    }

    async fn sqlite_bytes(&self) -> Result<Vec<(&'static str, u64)>, StoreError> {
        let row = sqlx::query("SELECT file AS value FROM pragma_database_list WHERE name = 'main'");
        let file: String = row.fetch_one(&self.read).await?.try_get("value")?;
        let size = |file: String| std::fs::metadata(file).map_or(0, |file| file.len());
        // What was committed lately is in the write-ahead log only.
        Ok(vec![("wal", size(format!("{file}-wal"))), ("database", size(file))])
    }

    async fn number(&self, sql: &str) -> Result<u64, StoreError> {
        let value: i64 = sqlx::query(sql).fetch_one(&self.read).await?.try_get("value")?;
        Ok(u64::try_from(value).unwrap_or(0))
    }

    /// For each pool of connections its name, how many are open and how many of them idle.
    pub fn connections(&self) -> Vec<(&'static str, usize, usize)> {
        let pools = match self.dialect {
            Dialect::Sqlite => vec![("read", &self.read), ("write", &self.write)],
            Dialect::Postgres => vec![("all", &self.write)],
        };
        let counts =
            |(name, pool): (_, &super::CountingPool)| (name, pool.size() as usize, pool.num_idle());
        pools.into_iter().map(counts).collect()
    }
}
