//! The retention job, which deletes old data by the rules of [`RetentionRule`]. Whatever it has deleted stays
//! deleted, so that it continues after a restart where it was.

use crate::log::Value;
use crate::secrets::random_text;
use crate::service::SharedService;
use crate::store::{RetentionRule, Store, StoreError};
use std::time::{Duration, Instant};

/// How often the job runs.
const INTERVAL: Duration = Duration::from_secs(3600);

/// How often each server looks whether it is due.
const LOOK: Duration = Duration::from_secs(300);

/// How long a server that died keeps others from it.
const LEASE: Duration = Duration::from_secs(600);

/// After this time a server that runs the job says that it is alive.
const RENEWAL: Duration = Duration::from_secs(60);

/// Rows of one transaction: visitors who write wait for no more than these.
const BATCH: usize = 100;

/// Rows that are found by one query.
const FOUND: i64 = 5_000;

/// The name of the job.
const NAME: &str = "retention";

/// Runs the job whenever it is due, until the site closes.
pub async fn run(service: SharedService) {
    let mut closing = service.games.closing();
    let owner = random_text(12);
    loop {
        tokio::select! {
            _ = closing.wait_for(|closing| *closing) => return,
            () = tokio::time::sleep(LOOK) => {}
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
    let (lease, interval) = (LEASE.as_millis() as i64, INTERVAL.as_millis() as i64);
    if !store.lease_job(NAME, owner, lease, interval).await? {
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
            if renewed.elapsed() > RENEWAL {
                if !store.renew_job(NAME, owner, lease).await? {
                    return Ok(Some(deleted));
                }
                renewed = Instant::now();
            }
        }
    }
    store.finish_job(NAME, owner).await?;
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
            self.found = store.expired(self.rule, FOUND).await?;
            self.is_last = (self.found.len() as i64) < FOUND;
        }
        if self.found.is_empty() {
            return Ok(None);
        }
        let batch = self.found.split_off(self.found.len().saturating_sub(BATCH));
        let begun = Instant::now();
        let deleted = store.delete_expired(self.rule, &batch).await?;
        tokio::time::sleep(2 * begun.elapsed()).await;
        // What cannot be deleted would be found again and again.
        self.is_last |= deleted == 0;
        Ok(Some(deleted))
    }
}
