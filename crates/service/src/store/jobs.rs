//! Periodic jobs that one of the servers at a database runs: their leases, and when each was
//! last finished.

use super::{Store, StoreError, now};

impl Store {
    /// Whether a job is due and not leased to another server; then it is leased to `owner`. All times in
    /// milliseconds. Times in the future are traces of a clock that was set back: a lease that ends
    /// later than one that begins now has ended, and a job that was finished later than now is due.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn lease_job(
        &self,
        name: &str,
        owner: &str,
        lease: i64,
        interval: i64,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.begin().await?;
        sqlx::query(
            "INSERT INTO jobs (name, owner, lease_until, finished) VALUES ($1, '', 0, 0) \
             ON CONFLICT (name) DO NOTHING",
        )
        .bind(name)
        .execute(&mut *transaction)
        .await?;
        let now = now();
        let leased = sqlx::query(
            "UPDATE jobs SET owner = $2, lease_until = $3 WHERE name = $1 \
             AND (lease_until <= $4 OR lease_until > $3) AND (finished <= $5 OR finished > $4)",
        )
        .bind(name)
        .bind(owner)
        .bind(now + lease)
        .bind(now)
        .bind(now - interval)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(leased.rows_affected() == 1)
    }

    /// Extends the lease of a job; `false` if it is another's by now.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn renew_job(&self, name: &str, owner: &str, lease: i64) -> Result<bool, StoreError> {
        let renewed =
            sqlx::query("UPDATE jobs SET lease_until = $3 WHERE name = $1 AND owner = $2")
                .bind(name)
                .bind(owner)
                .bind(now() + lease)
                .execute(&self.write)
                .await?;
        Ok(renewed.rows_affected() == 1)
    }

    /// Notes that a job is finished and gives the lease back.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn finish_job(&self, name: &str, owner: &str) -> Result<(), StoreError> {
        sqlx::query(
            "UPDATE jobs SET lease_until = 0, finished = $3 WHERE name = $1 AND owner = $2",
        )
        .bind(name)
        .bind(owner)
        .bind(now())
        .execute(&self.write)
        .await?;
        Ok(())
    }
}
