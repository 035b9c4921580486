//! How large the database is, table by table.

use super::transaction::Dialect;
use super::{Store, StoreError};
use sqlx::Row;

/// Every table, with the column that says how old a row is, in milliseconds since 1970.
pub const TABLES: [(&str, Option<&str>); 16] = [
    ("people", Some("seen")),
    ("attempts", Some("started")),
    ("opinions", Some("given")),
    ("puzzles", None),
    ("games", Some("changed")),
    ("reviews", Some("made")),
    ("found_puzzles", Some("found")),
    ("studies", Some("created")),
    ("participants", Some("consented")),
    ("transfers", Some("expires")),
    ("storage_use", None),
    ("exposures", Some("seen")),
    ("rating_marks", None),
    ("address_salts", None),
    ("jobs", None),
    ("settings", None),
];

/// The size of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSize {
    /// Its name.
    pub name: &'static str,
    /// Its rows.
    pub rows: i64,
    /// Its bytes on disk, with its indexes.
    pub bytes: i64,
    /// When its oldest and its newest row were last changed, in milliseconds since 1970.
    pub ages: Option<(i64, i64)>,
}

/// The size of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// `sqlite` or `postgres`.
    pub kind: &'static str,
    /// The bytes of the whole database, without SQLite's log of writes (WAL).
    pub bytes: i64,
    /// Each table.
    pub tables: Vec<TableSize>,
}

impl Store {
    /// The sizes of the database and of each of its tables.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn sizes(&self) -> Result<Sizes, StoreError> {
        let mut tables = Vec::with_capacity(TABLES.len());
        for (name, age) in TABLES {
            tables.push(self.table_size(name, age).await?);
        }
        let (kind, bytes) = match self.dialect {
            Dialect::Sqlite => (
                "sqlite",
                "SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size",
            ),
            Dialect::Postgres => {
                ("postgres", "SELECT pg_database_size(current_database()) AS bytes")
            }
        };
        let bytes = sqlx::query(bytes).fetch_one(&self.read).await?.try_get("bytes")?;
        Ok(Sizes { kind, bytes, tables })
    }

    async fn table_size(
        &self,
        name: &'static str,
        age: Option<&str>,
    ) -> Result<TableSize, StoreError> {
        let age = age.unwrap_or("CAST(NULL AS BIGINT)");
        let rows = format!(
            "SELECT COUNT(*) AS count, MIN({age}) AS oldest, MAX({age}) AS newest FROM {name}"
        );
        let rows = sqlx::query(&rows).fetch_one(&self.read).await?;
        let ages: (Option<i64>, Option<i64>) = (rows.try_get("oldest")?, rows.try_get("newest")?);
        let bytes = match self.dialect {
            Dialect::Sqlite => {
                "SELECT CAST(COALESCE(SUM(pgsize), 0) AS BIGINT) AS bytes FROM dbstat \
                 WHERE name IN (SELECT name FROM sqlite_master WHERE tbl_name = $1)"
            }
            Dialect::Postgres => "SELECT pg_total_relation_size(CAST($1 AS regclass)) AS bytes",
        };
        let bytes = sqlx::query(bytes).bind(name).fetch_one(&self.read).await?.try_get("bytes")?;
        Ok(TableSize { name, rows: rows.try_get("count")?, bytes, ages: ages.0.zip(ages.1) })
    }
}
