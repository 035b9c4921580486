//! The schema and its versions. A version that was released is never changed: what comes later is a
//! further step. Each step and its entry in the version table are one transaction.

use super::StoreError;
use super::transaction::{Dialect, Transaction};
use sqlx::{AnyPool, Row};
use std::time::Duration;

/// The steps, the first one making version 1.
const STEPS: [&str; 3] =
    [include_str!("schema-1.sql"), include_str!("schema-2.sql"), include_str!("schema-3.sql")];

/// The newest version of the schema that this program knows.
pub(super) const LATEST_VERSION: i64 = STEPS.len() as i64;

/// Attempts at a step.
const MAX_TRIES: u32 = 20;
/// The pause between two attempts.
const PAUSE: Duration = Duration::from_millis(100);

/// Brings a database up to date. Of servers that start together, one takes a step and the others
/// fail at it, in ways that differ from database to database: they check again a moment later and
/// find it done.
pub(super) async fn migrate(pool: &AnyPool, dialect: Dialect) -> Result<(), StoreError> {
    for _ in 1..MAX_TRIES {
        match take_steps(pool, dialect).await {
            Err(StoreError::Database(_)) => tokio::time::sleep(PAUSE).await,
            done => return done,
        }
    }
    take_steps(pool, dialect).await
}

async fn take_steps(pool: &AnyPool, dialect: Dialect) -> Result<(), StoreError> {
    sqlx::query("CREATE TABLE IF NOT EXISTS spuk_schema (version BIGINT NOT NULL PRIMARY KEY)")
        .execute(pool)
        .await?;
    let row = sqlx::query("SELECT COALESCE(MAX(version), 0) AS version FROM spuk_schema");
    let found: i64 = row.fetch_one(pool).await?.try_get("version")?;
    if found > LATEST_VERSION {
        return Err(StoreError::TooNew { found, known: LATEST_VERSION });
    }
    for (version, step) in (1i64..).zip(STEPS).skip(found.max(0) as usize) {
        let mut transaction = Transaction::begin(pool, dialect).await?;
        // The first of two servers keeps the second one waiting here until the step is taken.
        sqlx::query("INSERT INTO spuk_schema (version) VALUES ($1)")
            .bind(version)
            .execute(&mut *transaction)
            .await?;
        for statement in step.split(';').map(str::trim).filter(|statement| !statement.is_empty()) {
            sqlx::query(statement).execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
    }
    Ok(())
}
