//! Puzzles of open studies that a person is shown outside of the study. Each is noted once, so that the
//! study's file can say which participants knew a puzzle before its clock started.

use crate::caller::Caller;
use crate::error::ServiceError;
use crate::rate_limit::RateLimit;
use crate::service::Service;
use crate::store::{Store, StoreError};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long the list is cached: a study that another server opens takes effect after this time.
const CACHE_TIME: Duration = Duration::from_secs(60);

/// The puzzles of all open studies, cached: most pages need no query for them.
#[derive(Default)]
pub struct StudyPuzzles {
    cached: Mutex<Option<(Instant, Arc<HashSet<String>>)>>,
}

impl StudyPuzzles {
    /// Drops the cache, because a study was opened or closed.
    pub fn forget(&self) {
        *self.cached.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    async fn get(&self, store: &Store) -> Result<Arc<HashSet<String>>, StoreError> {
        let cached = self.cached.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, puzzles)) = cached.filter(|(read, _)| read.elapsed() < CACHE_TIME) {
            return Ok(puzzles);
        }
        let read = Instant::now();
        let puzzles = Arc::new(store.open_study_puzzles().await?);
        let mut cached = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        *cached = Some((read, Arc::clone(&puzzles)));
        Ok(puzzles)
    }
}

/// Notes that the caller is shown these puzzles outside of a study. Returns whether an open study has one of them.
///
/// # Errors
/// If the store fails, or too many new notes come from one address.
pub async fn note(
    service: &Service,
    caller: &Caller,
    puzzles: impl IntoIterator<Item = &str>,
) -> Result<bool, ServiceError> {
    let studied = service.study_puzzles.get(&service.store).await?;
    if studied.is_empty() {
        return Ok(false);
    }
    let shown: Vec<&str> = puzzles.into_iter().filter(|id| studied.contains(*id)).collect();
    if shown.is_empty() {
        return Ok(false);
    }
    let fresh = service.store.unexposed(caller.person(), &shown).await?;
    if !fresh.is_empty() {
        // Identities cost nothing: what they write is limited by address.
        service.check_rate(caller, RateLimit::WritePerAddress)?;
        service.store.note_exposures(caller.person(), &fresh).await?;
    }
    Ok(true)
}
