//! Streaks, and going on elsewhere.

use crate::harness::{Browser, on_every_site, puzzles};
use puzzle::Puzzle;
use search::Verdict;
use serde_json::{Value, json};

async fn begin_streak(browser: &Browser, streak: &Value) -> Value {
    let path = format!("/puzzles/{}/attempts", streak["puzzle"].as_str().unwrap());
    browser.post(&path, json!({ "mode": "streak" })).await.json()
}

fn of_id(id: &Value) -> &'static Puzzle {
    puzzles().iter().find(|puzzle| json!(puzzle.id()) == *id).unwrap()
}

#[test]
fn a_streak_grows_with_every_puzzle_and_ends_with_a_failure() {
    on_every_site(async |site| {
        let browser = site.browser();
        let none = json!({ "v": 1, "count": 0, "best": 0, "puzzle": null, "over": false });
        assert_eq!(browser.get("/streak").await.json(), none);
        let mut streak = browser.post("/streak", json!({})).await.json();
        assert_eq!(browser.post("/streak", json!({})).await.json(), streak);
        let mut last = f64::MIN;
        for count in 1..=4 {
            // What was left open elsewhere is gone on with here.
            if count == 2 {
                browser.begin(streak["puzzle"].as_str().unwrap()).await;
            }
            let attempt = begin_streak(&browser, &streak).await;
            assert_eq!(attempt["mode"], "streak");
            assert_eq!(browser.get("/streak").await.json(), streak);
            browser.win(attempt).await;
            let next = browser.get("/streak").await.json();
            assert_eq!(
                (&next["count"], &next["best"], &next["over"]),
                (&json!(count), &json!(count), &json!(false))
            );
            assert_ne!(next["puzzle"], streak["puzzle"]);
            let difficulty = of_id(&next["puzzle"]).grade.as_ref().unwrap().grade.difficulty;
            assert!(difficulty > last - 0.5, "{difficulty} after {last}");
            (last, streak) = (difficulty, next);
        }
        let attempt = begin_streak(&browser, &streak).await;
        browser.act(&attempt, "solution", json!({})).await.json();
        let over = browser.get("/streak").await.json();
        let expected = json!({ "v": 1, "count": 4, "best": 4, "puzzle": null, "over": true });
        assert_eq!(over, expected);
        assert_eq!(browser.get("/streak").await.json(), expected);
        let anew = browser.post("/streak", json!({})).await.json();
        assert_eq!(
            (&anew["count"], &anew["best"], &anew["over"]),
            (&json!(0), &json!(4), &json!(false))
        );
        assert_eq!(browser.get("/me").await.json()["streak_best"], 4);
    });
}

#[test]
fn a_lost_move_or_a_hint_ends_a_streak() {
    on_every_site(async |site| {
        for way in ["move", "hint"] {
            let browser = site.browser();
            let streak = browser.post("/streak", json!({})).await.json();
            browser.win(begin_streak(&browser, &streak).await).await;
            let mut streak = browser.get("/streak").await.json();
            let mut attempt = begin_streak(&browser, &streak).await;
            let lost = |verdict| matches!(verdict, Verdict::NoWin { .. });
            let mv = crate::harness::first_move(of_id(&streak["puzzle"]), lost);
            if let Some(mv) = mv.filter(|_| way == "move") {
                attempt = browser.play(&attempt, &mv.to_string()).await;
                assert_eq!(attempt["state"], "failed");
            } else {
                attempt = browser.act(&attempt, "hint", json!({})).await.json();
                browser.win(attempt).await;
            }
            streak = browser.get("/streak").await.json();
            assert_eq!((&streak["over"], &streak["count"]), (&json!(true), &json!(1)), "{way}");
        }
    });
}

#[test]
fn a_code_goes_on_elsewhere_once() {
    on_every_site(async |site| {
        let (old, new, late) = (site.browser(), site.browser(), site.browser());
        old.solve(&puzzles()[0].id()).await;
        let me = old.get("/me").await.json();
        let told = old.post("/transfer", json!({})).await.json();
        let code = told["code"].as_str().unwrap();
        // As people type it.
        let typed = json!({ "code": format!(" {} ", code.to_uppercase().replace('-', " ")) });
        assert_ne!(new.get("/me").await.json(), me);
        new.post("/transfer/claim", typed.clone()).await.json();
        assert_eq!(new.get("/me").await.json(), me);
        assert_eq!(old.get("/me").await.json(), me);
        assert_eq!(late.post("/transfer/claim", typed).await.refusal(400), "bad-code");
        for wrong in ["", "0000-0000-0000", "'; DROP TABLE people; --", "é"] {
            let answer = late.post("/transfer/claim", json!({ "code": wrong })).await;
            assert_eq!(answer.refusal(400), "bad-code");
        }
        assert_ne!(late.get("/me").await.json(), me);
    });
}

#[test]
fn a_code_expires_and_a_newer_one_replaces_it() {
    on_every_site(async |site| {
        let browser = site.browser();
        let code = async || browser.post("/transfer", json!({})).await.json();
        let claim = async |code: &Value| {
            site.browser().post("/transfer/claim", json!({ "code": code["code"] })).await
        };
        let (first, second) = (code().await, code().await);
        assert_eq!(claim(&first).await.refusal(400), "bad-code");
        let expires = second["expires"].as_i64().unwrap() - web::store::now();
        assert!((14 * 60_000..=15 * 60_000).contains(&expires));
        // A quarter of an hour passes.
        site.database.execute("UPDATE transfers SET expires = expires - 900001").await;
        assert_eq!(claim(&second).await.refusal(400), "bad-code");
        let third = code().await;
        assert!(claim(&third).await.status.is_success());
    });
}

#[test]
fn codes_and_tokens_are_not_kept_readable() {
    on_every_site(async |site| {
        let browser = site.browser();
        let code =
            browser.post("/transfer", json!({})).await.json()["code"].as_str().unwrap().to_owned();
        let plain = code.replace('-', "");
        let found =
            site.database.execute(&format!("DELETE FROM transfers WHERE code = '{plain}'")).await;
        assert_eq!(found, 0);
    });
}
