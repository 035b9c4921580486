//! The retention job, which deletes old data by the rules of [`RetentionRule`]. It keeps no state, so it can be
//! interrupted and started again at any time.

use crate::log::Value;
use crate::secrets::random_text;
use crate::service::SharedService;
use crate::store::{RetentionRule, Store, StoreError};
use std::time::{Duration, Instant};

/// How often the job runs.
const RUN_INTERVAL: Duration = Duration::from_secs(3600);

/// How often each server checks whether the job is due.
const CHECK_INTERVAL: Duration = Duration::from_secs(300);

/// How long a server that stopped blocks the job for others.
const LEASE_TIME: Duration = Duration::from_secs(600);

/// How often a server that runs the job renews its lease.
const LEASE_RENEWAL: Duration = Duration::from_secs(60);

/// Rows deleted in one transaction, for which visitors' writes wait.
const MAX_BATCH_ROWS: usize = 100;

/// Rows that one query returns.
const MAX_QUERY_ROWS: i64 = 5_000;

/// The name of the job.
const JOB_NAME: &str = "retention";

/// Runs the job whenever it is due, until the site closes.
pub async fn run(service: SharedService) {
    let mut closing = service.games.closing();
    let owner = random_text(12);
    loop {
        tokio::select! {
            _ = closing.wait_for(|closing| *closing) => return,
            () = tokio::time::sleep(CHECK_INTERVAL) => {}
        }
        tokio::select! {
            _ = closing.wait_for(|closing| *closing) => return,
            done = run_if_due(&service.store, &owner) => if let Err(error) = done {
                service.log.error("old data could not be deleted", &[("error", Value::error(&error))]);
            },
        }
    }
}

/// Runs the job if it is due and no other server runs it; the rows that it deleted.
///
/// # Errors
/// If the database fails. What was deleted before that is deleted.
pub async fn run_if_due(store: &Store, owner: &str) -> Result<Option<u64>, StoreError> {
    let (lease, interval) = (LEASE_TIME.as_millis() as i64, RUN_INTERVAL.as_millis() as i64);
    if !store.lease_job(JOB_NAME, owner, lease, interval).await? {
        return Ok(None);
    }
    store.forget_old_rating_marks().await?;
    store.forget_old_exposures().await?;
    let mut deleted = 0;
    let mut renewed = Instant::now();
    for rule in RetentionRule::ALL {
        let mut sweep = Sweep::new(rule);
        loop {
            let Some(rows) = sweep.next_batch(store).await? else { break };
            deleted += rows;
            if renewed.elapsed() > LEASE_RENEWAL {
                if !store.renew_job(JOB_NAME, owner, lease).await? {
                    return Ok(Some(deleted));
                }
                renewed = Instant::now();
            }
        }
    }
    store.finish_job(JOB_NAME, owner).await?;
    Ok(Some(deleted))
}

/// Deletes the rows of one rule, batch by batch.
pub struct Sweep {
    rule: RetentionRule,
    found: Vec<String>,
    /// No query finds more than was found.
    is_last: bool,
}

impl Sweep {
    /// From the start.
    pub const fn new(rule: RetentionRule) -> Sweep {
        Sweep { rule, found: Vec::new(), is_last: false }
    }

    /// Deletes a batch and waits for twice as long as that took: two thirds of the time are left to visitors,
    /// also if they wait for SQLite's lock in another process. How many rows were deleted, or `None` at the
    /// end.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn next_batch(&mut self, store: &Store) -> Result<Option<u64>, StoreError> {
        if self.found.is_empty() && !self.is_last {
            self.found = store.expired(self.rule, MAX_QUERY_ROWS).await?;
            self.is_last = (self.found.len() as i64) < MAX_QUERY_ROWS;
        }
        if self.found.is_empty() {
            return Ok(None);
        }
        let batch = self.found.split_off(self.found.len().saturating_sub(MAX_BATCH_ROWS));
        let begun = Instant::now();
        let deleted = store.delete_expired(self.rule, &batch).await?;
        tokio::time::sleep(2 * begun.elapsed()).await;
        // What cannot be deleted would be found again and again.
        self.is_last |= deleted == 0;
        Ok(Some(deleted))
    }
}
