//! The health check, for load balancers and monitoring.

use crate::store::{Store, StoreError};
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// How long a result is cached: each check is a write, and anybody may ask.
const CACHE_TIME: Duration = Duration::from_secs(1);

/// The last check.
#[derive(Default)]
pub struct Health {
    last: Mutex<Option<(Instant, Result<(), StoreError>)>>,
}

impl Health {
    /// Checks whether the database keeps what it acknowledges. Concurrent callers share one check.
    ///
    /// # Errors
    /// If it does not.
    pub async fn check(&self, store: &Store) -> Result<(), StoreError> {
        let mut last = self.last.lock().await;
        if let Some((at, result)) = &*last
            && at.elapsed() < CACHE_TIME
        {
            return result.clone();
        }
        let result = store.check_health().await;
        *last = Some((Instant::now(), result.clone()));
        result
    }
}
