//! Stale copies: a write that is based on an older version of a row is refused and changes nothing.

use crate::harness::{Site, on_every_site, sample};
use service::glicko::Rating;
use service::store::{Attempt, AttemptState, Finish, GameRow, StoreError};

/// Where the attempts come from.
const ADDRESS: &str = "192.0.2.1";

/// An open attempt of somebody new, read from the store.
async fn begin(site: &Site) -> Attempt {
    let begun = site.browser().begin(&sample(1, 7..=7)[0].id()).await;
    let id = begun["attempt"].as_str().unwrap();
    site.app.service.store.attempt(id).await.unwrap().unwrap()
}

fn decided(outcome: AttemptState) -> Option<Finish> {
    Some(Finish { outcome, puzzle_start: Rating::of_difficulty(0.0), max_seconds: 60.0 })
}

#[test]
fn a_stale_copy_of_an_attempt_is_refused() {
    on_every_site(async |site| {
        let store = &site.app.service.store;
        let mut first = begin(site).await;
        let mut stale = first.clone();
        first.moves = "first".into();
        store.keep_attempt(&mut first, None, ADDRESS).await.unwrap();
        stale.moves = "stale".into();
        let refused = store.keep_attempt(&mut stale, None, ADDRESS).await;
        assert!(matches!(refused, Err(StoreError::Conflict)), "{refused:?}");
        assert_eq!(store.attempt(&first.id).await.unwrap().unwrap(), first);
        // Trying again does not help; reading again does. The writer's own copy is not stale.
        assert!(store.keep_attempt(&mut stale, None, ADDRESS).await.is_err());
        first.moves = "second".into();
        store.keep_attempt(&mut first, None, ADDRESS).await.unwrap();
        let mut read_again = store.attempt(&first.id).await.unwrap().unwrap();
        read_again.moves = "third".into();
        store.keep_attempt(&mut read_again, None, ADDRESS).await.unwrap();
        assert_eq!(store.attempt(&first.id).await.unwrap().unwrap().moves, "third");
    });
}

#[test]
fn an_attempt_is_decided_and_rated_by_one_of_many_copies() {
    on_every_site(async |site| {
        let attempt = begin(site).await;
        let decide = |number: usize| {
            let (store, mut copy) = (site.app.service.store.clone(), attempt.clone());
            let outcome =
                if number.is_multiple_of(2) { AttemptState::Solved } else { AttemptState::Failed };
            tokio::spawn(async move {
                copy.state = outcome;
                store.keep_attempt(&mut copy, decided(outcome), ADDRESS).await.map(|_| copy)
            })
        };
        let deciding: Vec<_> = (0..6).map(decide).collect();
        let mut kept = Vec::new();
        for decided in deciding {
            match decided.await.unwrap() {
                Ok(copy) => kept.push(copy),
                Err(error) => assert!(matches!(error, StoreError::Conflict), "{error:?}"),
            }
        }
        let store = &site.app.service.store;
        assert_eq!(kept, [store.attempt(&attempt.id).await.unwrap().unwrap()]);
        // The ratings moved once, by the copy that was kept.
        let solved = i64::from(kept[0].outcome == Some(AttemptState::Solved));
        let person = store.person(&attempt.person).await.unwrap();
        assert_eq!((person.counted, person.solved), (1, solved));
        assert_eq!(Some(person.rating.rating), kept[0].ratings.map(|(_, after)| after));
        // Somebody without a history does not move the puzzle.
        let puzzle = store.puzzle_record(&attempt.puzzle).await.unwrap();
        assert!(puzzle.is_none_or(|puzzle| puzzle.counted == 0));
    });
}

#[test]
fn a_stale_copy_of_a_game_is_refused() {
    on_every_site(async |site| {
        let store = &site.app.service.store;
        let mut first = GameRow::new("stale".into(), "geister", 1);
        store.begin_game(&first, None).await.unwrap();
        let mut stale = first.clone();
        first.moves = "first".into();
        store.keep_game(&mut first).await.unwrap();
        stale.moves = "stale".into();
        let refused = store.keep_game(&mut stale).await;
        assert!(matches!(refused, Err(StoreError::Conflict)), "{refused:?}");
        assert_eq!(store.game(&first.id).await.unwrap().unwrap(), first);
        first.moves = "second".into();
        store.keep_game(&mut first).await.unwrap();
        assert_eq!(store.game(&first.id).await.unwrap().unwrap(), first);
    });
}
