//! Streaks, and going on elsewhere.

use crate::harness::{Browser, Setup, on_every_site, puzzles};
use puzzle::Puzzle;
use search::Verdict;
use serde_json::{Value, json};
use service::store::now;
use web::cookie_secrets::{self, DELAY, rotate_at, rotate_cookie_secret};

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
fn a_losing_move_or_a_hint_ends_a_streak() {
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
fn a_transfer_code_works_once() {
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
        let expires = second["expires"].as_i64().unwrap() - service::store::now();
        assert!((14 * 60_000..=15 * 60_000).contains(&expires));
        // A quarter of an hour passes.
        site.database.execute("UPDATE transfers SET expires = expires - 900001").await;
        assert_eq!(claim(&second).await.refusal(400), "bad-code");
        let third = code().await;
        assert!(claim(&third).await.status.is_success());
    });
}

#[test]
fn codes_and_tokens_are_stored_hashed() {
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

/// Lets a server read the secrets now, which it does by itself after a while.
async fn reload(app: &web::App) {
    app.signer.replace_secrets(cookie_secrets::load(&app.service.store).await.unwrap());
}

#[test]
fn rotating_a_secret_keeps_sessions_and_deleting_it_ends_them() {
    on_every_site(async |site| {
        let (second, _) = web::App::start(site.database.options(Setup::default())).await.unwrap();
        let second = std::sync::Arc::new(second);
        let mut browser = site.browser();
        let me = async |browser: &Browser| {
            browser.get("/me").await;
            let cookie = browser.cookies.lock().unwrap()["spuk"].clone();
            let (id, rest) = cookie.split_once('.').unwrap();
            (id.to_owned(), rest.to_owned())
        };
        let (person, first) = me(&browser).await;
        // One server has read the new secret, and the other one has not.
        rotate_cookie_secret(&site.app.service.store, false).await.unwrap();
        reload(&site.app).await;
        assert_eq!(me(&browser).await, (person.clone(), first.clone()));
        let (stranger, _) = me(&site.browser().at(web::router(second.clone()))).await;
        assert_ne!(stranger, person);
        browser = browser.at(web::router(second.clone()));
        assert_eq!(me(&browser).await.0, person);
        // Another rotation, some time ago: now both have read it, and it signs.
        rotate_at(&site.app.service.store, now() - 2 * DELAY, false).await.unwrap();
        reload(&site.app).await;
        reload(&second).await;
        let (again, renewed) = me(&browser).await;
        assert!(again == person && renewed != first, "it is signed anew");
        assert_eq!(me(&browser).await, (person.clone(), renewed.clone()));
        // Somebody else knows the secret: nobody is trusted any more.
        rotate_cookie_secret(&site.app.service.store, true).await.unwrap();
        reload(&second).await;
        assert_ne!(me(&browser).await.0, person);
        second.service.store.close().await;
    });
}

#[test]
fn concurrent_rotations_each_succeed_or_are_refused() {
    on_every_site(async |site| {
        let setting =
            async || site.app.service.store.setting("cookie-secret").await.unwrap().unwrap();
        let before = setting().await;
        let rotations = (0..8).map(|_| rotate_cookie_secret(&site.app.service.store, false));
        let done = futures_util::future::join_all(rotations).await;
        let counted = done.iter().filter(|rotated| rotated.is_ok()).count();
        let after = setting().await;
        assert!(counted > 0 && after.ends_with(&before), "{after}");
        assert_eq!(after.lines().count(), counted + before.lines().count());
    });
}

#[test]
fn a_cookie_is_renewed_by_every_answer_that_is_not_shared() {
    on_every_site(async |site| {
        let browser = site.browser();
        browser.get("/me").await;
        rotate_at(&site.app.service.store, now() - 2 * DELAY, false).await.unwrap();
        reload(&site.app).await;
        let shared = browser.get("/board.svg?position=6%2F4u1%2FB5%2F6%2F6%2FRu4%201").await;
        assert_eq!(shared.header("set-cookie"), "");
        assert!(browser.get("//rules").await.header("set-cookie").starts_with("spuk="));
        assert_eq!(browser.get("//rules").await.header("set-cookie"), "");
    });
}
