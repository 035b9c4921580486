//! Nobody fills the disk: bytes a day for each identity and each address.

use crate::harness::{Answer, Browser, Setup, Site, on_every_site, puzzles, with_setup};
use serde_json::json;
use service::quota::{ADDRESS_BYTES, ATTEMPT, GAME, PERSON_BYTES};

const PERSON: &str = "who LIKE 'person %'";
const ADDRESS: &str = "who LIKE 'address %'";

/// How many rows of the table fit.
async fn count(site: &Site, condition: &str) -> u64 {
    let sql = format!("UPDATE storage_use SET bytes = bytes WHERE {condition}");
    site.database.execute(&sql).await
}

/// Makes those who fit have this much left for today.
async fn leave(site: &Site, condition: &str, limit: i64, bytes: i64) {
    let sql = format!("UPDATE storage_use SET bytes = {} WHERE {condition}", limit - bytes);
    assert!(site.database.execute(&sql).await > 0);
}

async fn attempt(browser: &Browser, number: usize) -> Answer {
    browser.post(&format!("/puzzles/{}/attempts", puzzles()[number].id()), json!({})).await
}

async fn game(browser: &Browser) -> Answer {
    browser.post("/games", json!({ "kind": "geister", "opponent": null })).await
}

fn expect_over_quota(answer: &Answer) {
    assert_eq!(answer.refusal(429), "over-quota");
    let seconds: u64 = answer.header("retry-after").parse().unwrap();
    assert!((1..=24 * 3600).contains(&seconds), "{seconds}");
}

fn limited() -> Setup {
    Setup { limited: true, public: Some("https://spuk.example".into()), ..Setup::default() }
}

#[test]
fn an_identity_stores_no_more_than_its_quota() {
    with_setup(&limited(), async |site| {
        let browser = site.browser();
        attempt(&browser, 0).await.json();
        assert_eq!(count(site, &format!("{PERSON} AND bytes = {ATTEMPT}")).await, 1);
        assert_eq!(count(site, &format!("{ADDRESS} AND bytes = {ATTEMPT}")).await, 1);
        leave(site, PERSON, PERSON_BYTES, ATTEMPT).await;
        attempt(&browser, 1).await.json();
        let before = format!("{ADDRESS} AND bytes = {}", 2 * ATTEMPT);
        assert_eq!(count(site, &before).await, 1);
        expect_over_quota(&attempt(&browser, 2).await);
        expect_over_quota(&game(&browser).await);
        expect_over_quota(&browser.post("/streak", json!({})).await);
        // Refused ones cost nothing, and what is stored can be used.
        assert_eq!(count(site, &before).await, 1);
        browser.win(attempt(&browser, 1).await.json()).await;
        // Another identity is not harmed.
        game(&site.browser()).await.json();
        // Tomorrow is another day.
        site.database.execute("UPDATE storage_use SET day = day - 1").await;
        game(&browser).await.json();
        assert_eq!(count(site, &format!("{PERSON} AND bytes = {GAME}")).await, 2);
    });
}

#[test]
fn new_cookies_do_not_get_around_the_quota_of_an_address() {
    with_setup(&limited(), async |site| {
        let from = |address: &str| site.browser().with("x-forwarded-for", address);
        attempt(&from("203.0.113.7"), 0).await.json();
        leave(site, ADDRESS, ADDRESS_BYTES, GAME + 2 * ATTEMPT - 1).await;
        game(&from("203.0.113.7")).await.json();
        attempt(&from("203.0.113.7"), 0).await.json();
        for number in 0..5 {
            expect_over_quota(&attempt(&from("203.0.113.7"), number).await);
            expect_over_quota(&game(&from("203.0.113.7")).await);
        }
        // Nothing is kept of those who were refused.
        assert_eq!(count(site, PERSON).await, 3);
        assert_eq!(site.database.execute("UPDATE people SET counted = counted").await, 3);
        attempt(&from("203.0.113.8"), 0).await.json();
        assert_eq!(count(site, ADDRESS).await, 2);
        // No address is stored.
        assert_eq!(count(site, "who LIKE '%203%113%'").await, 0);
    });
}

/// Many games in the same moment share a transaction: each is charged or refused by itself.
#[test]
fn concurrent_games_are_charged_separately() {
    with_setup(&limited(), async |site| {
        let browser = site.browser();
        game(&browser).await.json();
        leave(site, PERSON, PERSON_BYTES, 7 * GAME).await;
        let asks = (0..20).map(|_| game(&browser));
        let answers = futures_util::future::join_all(asks).await;
        let begun = answers.iter().filter(|answer| answer.status.is_success()).count();
        assert_eq!(begun, 7);
        answers.iter().filter(|answer| !answer.status.is_success()).for_each(expect_over_quota);
        assert_eq!(count(site, &format!("{PERSON} AND bytes = {PERSON_BYTES}")).await, 1);
        assert_eq!(count(site, &format!("{ADDRESS} AND bytes = {}", 8 * GAME)).await, 1);
    });
}

#[test]
fn an_imported_game_costs_its_bytes() {
    with_setup(&limited(), async |site| {
        let browser = site.browser();
        let mut one = games::kriegspiel::Game::default();
        for attempt in ["e2e4", "d7d5", "e4e6"] {
            one.attempt(attempt.parse().unwrap()).unwrap();
        }
        let record = games::kriegspiel::pgn::Record::new(one, "a", "b");
        let text = record.resigned_by(games::kriegspiel::Color::White).to_string();
        browser.post("/games/import", json!({ "text": text })).await.json();
        let bytes = service::quota::imported("e2e4 d7d5 e4e6");
        assert!(bytes > GAME);
        assert_eq!(count(site, &format!("{PERSON} AND bytes = {bytes}")).await, 1);
        leave(site, PERSON, PERSON_BYTES, bytes - 1).await;
        expect_over_quota(&browser.post("/games/import", json!({ "text": text })).await);
        assert_eq!(site.database.execute("UPDATE games SET seed = seed").await, 1);
    });
}

#[test]
fn disabled_limits_count_nothing() {
    on_every_site(async |site| {
        attempt(&site.browser(), 0).await.json();
        assert_eq!(count(site, "1 = 1").await, 0);
    });
}
