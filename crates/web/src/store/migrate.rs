//! The schema and its versions. A version that was released is never changed: what comes later is a
//! further step. Each step and the note of it are one transaction.

use super::StoreError;
use sqlx::{AnyPool, Row};

/// The steps, the first one making version 1.
const STEPS: [&str; 1] = [include_str!("schema-1.sql")];

/// Brings a database up to date.
pub(super) async fn migrate(pool: &AnyPool) -> Result<(), StoreError> {
    sqlx::query("CREATE TABLE IF NOT EXISTS spuk_schema (version BIGINT NOT NULL PRIMARY KEY)")
        .execute(pool)
        .await?;
    let row = sqlx::query("SELECT COALESCE(MAX(version), 0) AS version FROM spuk_schema");
    let found: i64 = row.fetch_one(pool).await?.try_get("version")?;
    let known = STEPS.len() as i64;
    if found > known {
        return Err(StoreError::TooNew { found, known });
    }
    for (version, step) in (1i64..).zip(STEPS).skip(found as usize) {
        let mut transaction = pool.begin().await?;
        // Two servers that start together: the second one fails here and finds it done next time.
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
