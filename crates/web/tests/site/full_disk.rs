//! A SQLite database that runs out of space and gets it back: what was acknowledged is kept, what was
//! not kept is refused, and the site recovers by itself.

use crate::harness::{Browser, Setup, puzzles, with_setup};
use serde_json::{Value, json};
use service::store::Store;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

/// SQLite's own limit, near enough.
const PLENTY: u32 = u32::MAX / 4;

/// What a visitor was promised: ids of attempts and games.
#[derive(Default)]
struct Acknowledged {
    attempts: Vec<String>,
    games: Vec<String>,
    refused: usize,
}

impl Acknowledged {
    fn count(&self) -> usize {
        self.attempts.len() + self.games.len()
    }

    /// Begins an attempt and a game, and notes what was acknowledged.
    async fn ask(&mut self, browser: &Browser, puzzle: &str) {
        let path = format!("/puzzles/{puzzle}/attempts");
        let attempt = browser.post(&path, json!({ "again": true })).await;
        let game = json!({ "kind": "geister", "opponent": null });
        let game = browser.post("/games", game).await;
        for (answer, field, kept) in
            [(attempt, "attempt", &mut self.attempts), (game, "game", &mut self.games)]
        {
            if answer.status.is_success() {
                kept.push(answer.json()[field].as_str().unwrap().to_owned());
            } else {
                assert_eq!(answer.refusal(503), "store");
                self.refused += 1;
            }
        }
    }

    /// Keeps an attempt that was changed since it was read, which ends in a rollback.
    async fn conflict(&self, store: &Store) {
        let Some(id) = self.attempts.first() else { return };
        let mut attempt = store.attempt(id).await.unwrap().unwrap();
        let mut stale = attempt.clone();
        if store.keep_attempt(&mut attempt, None, "address").await.is_ok() {
            let kept = store.keep_attempt(&mut stale, None, "address").await;
            assert!(kept.is_err(), "a stale attempt was kept");
        }
    }

    /// Everything that was acknowledged can be read.
    async fn expect_kept(&self, store: &Store) {
        for id in &self.attempts {
            assert!(store.attempt(id).await.unwrap().is_some(), "attempt {id} is lost");
        }
        for id in &self.games {
            assert!(store.game(id).await.unwrap().is_some(), "game {id} is lost");
        }
    }
}

async fn health(browser: &Browser) -> u16 {
    // A result is shared for a second.
    tokio::time::sleep(Duration::from_millis(1050)).await;
    browser.get("//healthz").await.status.as_u16()
}

#[test]
fn a_full_disk_loses_no_acknowledged_answer() {
    let pages = Arc::new(AtomicU32::new(PLENTY));
    let setup = Setup { page_limit: Some(pages.clone()), ..Setup::default() };
    with_setup(&setup, async |site| {
        if !site.database.is_sqlite() {
            return;
        }
        let mut acknowledged = Acknowledged::default();
        let puzzle = puzzles()[0].id();
        for round in 0..3 {
            // As many pages as there are: what needs a further one is refused.
            pages.store(1, Relaxed);
            let before = acknowledged.refused;
            for _ in 0..100 {
                acknowledged.ask(&site.browser(), &puzzle).await;
                acknowledged.conflict(&site.app.service.store).await;
            }
            assert!(acknowledged.refused > before, "round {round}: the disk was never full");
            assert_eq!(health(&site.browser()).await, 503, "round {round}");
            acknowledged.expect_kept(&site.app.service.store).await;
            pages.store(PLENTY, Relaxed);
            assert_eq!(health(&site.browser()).await, 200, "round {round}");
            let (kept, refused) = (acknowledged.count(), acknowledged.refused);
            for _ in 0..20 {
                acknowledged.ask(&site.browser(), &puzzle).await;
            }
            assert_eq!((acknowledged.count(), acknowledged.refused), (kept + 40, refused));
        }
        // Another process sees only what is on disk.
        let other = Store::open(&site.database.url()).await.unwrap();
        acknowledged.expect_kept(&other).await;
        other.close().await;
    });
}

/// A table that no longer fits is refused, and the next request is not harmed by it.
#[test]
fn refused_changes_are_not_stored_partially() {
    let pages = Arc::new(AtomicU32::new(PLENTY));
    let setup = Setup { page_limit: Some(pages.clone()), ..Setup::default() };
    with_setup(&setup, async |site| {
        if !site.database.is_sqlite() {
            return;
        }
        let browser = site.browser();
        let puzzle = puzzles()[1].id();
        pages.store(1, Relaxed);
        let mut refused = 0;
        while refused < 3 {
            let fresh = site.browser();
            let answer = fresh.post(&format!("/puzzles/{puzzle}/attempts"), json!({})).await;
            refused += usize::from(!answer.status.is_success());
        }
        pages.store(PLENTY, Relaxed);
        let begun = browser.begin(&puzzle).await;
        let again: Value = browser.begin(&puzzle).await;
        assert_eq!(begun["attempt"], again["attempt"]);
    });
}
