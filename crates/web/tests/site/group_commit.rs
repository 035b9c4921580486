//! Many at the same moment.

use crate::harness::{
    Browser, behind_a_proxy, losable, on_every_site, right_move, sample, with_setup,
};
use puzzle::Puzzle;
use serde_json::{Value, json};
use std::future::Future;
use std::sync::Arc;

/// Does all of this at once.
async fn all<T: Send + 'static>(
    work: impl IntoIterator<Item = impl Future<Output = T> + Send + 'static>,
) -> Vec<T> {
    let tasks: Vec<_> = work.into_iter().map(tokio::spawn).collect();
    let mut done = Vec::new();
    for task in tasks {
        done.push(task.await.unwrap());
    }
    done
}

#[test]
fn many_people_decide_one_puzzle_at_the_same_moment() {
    with_setup(&behind_a_proxy(), async |site| {
        let (puzzle, mv) = losable();
        let id = puzzle.id();
        let mut ready: Vec<(Browser, Value)> = Vec::new();
        for number in 0..12 {
            let browser = site.regular_at(&format!("203.0.113.{number}"), 1500.0).await;
            let attempt = browser.begin(&id).await;
            ready.push((browser, attempt));
        }
        let moves = ready.into_iter().map(|(browser, attempt)| {
            let mv = mv.clone();
            async move { browser.play(&attempt, &mv).await }
        });
        let failed = all(moves).await;
        assert!(failed.iter().all(|attempt| attempt["result"]["counted"] == true));
        let most =
            failed.iter().map(|attempt| attempt["result"]["attempts"].as_i64().unwrap()).max();
        assert_eq!(most, Some(12));
    });
}

#[test]
fn concurrent_starts_of_a_person_make_one_attempt() {
    on_every_site(async |site| {
        let browser = Arc::new(site.browser());
        browser.get("/me").await;
        // The first rounds make the person and the connections; then everything is at once.
        for id in sample(12, 7..=7).into_iter().map(Puzzle::id) {
            let begin = || {
                let (browser, id) = (browser.clone(), id.clone());
                async move { browser.begin(&id).await }
            };
            let begun = all((0..8).map(|_| begin())).await;
            assert!(begun.iter().all(|attempt| attempt["attempt"] == begun[0]["attempt"]));
        }
    });
}

#[test]
fn a_repeated_move_request_is_played_once() {
    on_every_site(async |site| {
        let browser = Arc::new(site.browser());
        let start = browser.begin(&sample(1, 9..=9)[0].id()).await;
        let mv = right_move(&start);
        let play = || {
            let (browser, start, mv) = (browser.clone(), start.clone(), mv.clone());
            async move { browser.act(&start, "moves", json!({ "move": mv, "ply": 0 })).await }
        };
        let answers = all((0..8).map(|_| play())).await;
        let (done, refused): (Vec<_>, Vec<_>) =
            answers.iter().partition(|answer| answer.status.is_success());
        assert!(!done.is_empty());
        refused.iter().for_each(|answer| assert_eq!(answer.refusal(409), "changed"));
        let now = browser.begin(start["puzzle"].as_str().unwrap()).await;
        assert_eq!(now["events"].as_array().unwrap().len(), 2);
    });
}

#[test]
fn concurrent_claims_of_a_code_succeed_once() {
    on_every_site(async |site| {
        let code = site.browser().post("/transfer", json!({})).await.json()["code"].clone();
        let claims = (0..8).map(|_| {
            let (browser, code) = (site.browser(), code.clone());
            async move { browser.post("/transfer/claim", json!({ "code": code })).await.status }
        });
        let taken = all(claims.collect::<Vec<_>>()).await;
        assert_eq!(taken.iter().filter(|status| status.is_success()).count(), 1);
    });
}
