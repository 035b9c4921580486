//! What nobody needs any more is deleted after its time, and nothing else.

use crate::deletion::{answers_of, person_of, take_part};
use crate::games::{act, begin, id, pair};
use crate::harness::{Browser, Site, on_every_site, puzzles};
use serde_json::{Value, json};
use service::retention::{Sweep, run_if_due};
use service::store::RetentionRule;

const DAY: i64 = 24 * 3600 * 1000;

/// Lets this many days pass for everything that is stored.
async fn pass(site: &Site, days: i64) {
    let past = days * DAY;
    for change in [
        format!("UPDATE people SET seen = seen - {past}"),
        format!("UPDATE games SET changed = changed - {past}"),
        format!("UPDATE attempts SET started = started - {past}"),
        format!("UPDATE found_puzzles SET found = found - {past}"),
        format!("UPDATE transfers SET expires = expires - {past}"),
        format!("UPDATE storage_use SET day = day - {days}"),
        format!("UPDATE jobs SET finished = finished - {past}"),
    ] {
        site.database.execute(&change).await;
    }
}

async fn rows(site: &Site, table: &str, column: &str) -> u64 {
    site.database.execute(&format!("UPDATE {table} SET {column} = {column}")).await
}

async fn run(site: &Site) -> u64 {
    let done = run_if_due(&site.app.service.store, "a test").await.unwrap();
    done.expect("the job is due")
}

/// One row for each rule, and what is to outlive it beside it.
async fn one_for(site: &Site, rule: RetentionRule, browser: &Browser) {
    let program = json!({ "kind": "geister", "opponent": "random", "seat": "first" });
    match rule {
        RetentionRule::AbandonedPeople => drop(browser.post("/streak", json!({})).await.json()),
        RetentionRule::InactivePeople => drop(browser.solve(&puzzles()[0].id()).await),
        RetentionRule::UnfinishedGames => drop(begin(browser, program).await),
        RetentionRule::ProgramGames => {
            let game = begin(browser, program).await;
            act(browser, &game, "resign", json!({})).await.json();
            assert_eq!(browser.get(&format!("/games/{}/review", id(&game))).await.status, 200);
        }
        RetentionRule::ImportedGames => {
            let mut one = games::kriegspiel::Game::default();
            one.attempt("e2e4".parse().unwrap()).unwrap();
            let record = games::kriegspiel::pgn::Record::new(one, "a", "b");
            let text = record.resigned_by(games::kriegspiel::Color::White).to_string();
            browser.post("/games/import", json!({ "text": text })).await.json();
        }
        RetentionRule::UndecidedAttempts => drop(browser.begin(&puzzles()[1].id()).await),
        RetentionRule::FoundPuzzles => {
            site.app.service.store.keep_found_puzzle("1122334455667788", "{}").await.unwrap();
        }
        RetentionRule::TransferCodes => drop(browser.post("/transfer", json!({})).await.json()),
        RetentionRule::StorageUse => {
            let sql = "INSERT INTO storage_use (day, who, bytes) VALUES ($DAY, 'somebody', 1)";
            let today = service::Service::today().to_string();
            site.database.execute(&sql.replace("$DAY", &today)).await;
        }
    }
}

#[test]
fn each_rule_deletes_after_its_time_and_not_before() {
    on_every_site(async |site| {
        for rule in RetentionRule::ALL {
            let browser = site.browser();
            one_for(site, rule, &browser).await;
            let expired = async || site.app.service.store.count_expired(rule).await.unwrap();
            // Half a day is left: codes hold for a quarter of an hour, other things for days.
            let wait = (rule.days() - 1).max(0);
            pass(site, wait).await;
            assert_eq!(expired().await, 0, "{rule:?} too early");
            pass(site, 2).await;
            assert_eq!(expired().await, 1, "{rule:?} too late");
            let mut sweep = Sweep::new(rule);
            assert_eq!(
                sweep.next_batch(&site.app.service.store).await.unwrap(),
                Some(1),
                "{rule:?}"
            );
            assert_eq!(sweep.next_batch(&site.app.service.store).await.unwrap(), None, "{rule:?}");
            assert_eq!(expired().await, 0, "{rule:?}");
            browser.post("/me/delete", json!({ "confirm": true })).await.json();
        }
        for (table, column) in [
            ("people", "seen"),
            ("games", "seed"),
            ("reviews", "made"),
            ("attempts", "started"),
            ("found_puzzles", "found"),
            ("transfers", "expires"),
            ("storage_use", "bytes"),
        ] {
            assert_eq!(rows(site, table, column).await, 0, "{table}");
        }
    });
}

#[test]
fn research_data_and_games_between_people_are_kept() {
    on_every_site(async |site| {
        let participant = site.browser();
        let study = take_part(site, &participant).await;
        let undecided = site.browser();
        let other_study = study_in_progress(site, &undecided).await;
        let (one, _, game) = pair(site, "geister").await;
        act(&one, &game, "resign", json!({})).await.json();
        one.solve(&puzzles()[0].id()).await;
        let active = site.browser();
        let person = person_of_solver(&active).await;
        pass(site, 20 * 365).await;
        // Somebody comes back every day.
        active.begin(&puzzles()[2].id()).await;
        assert!(run(site).await >= 2);
        assert_eq!(answers_of(site, &study).await, 1);
        assert_eq!(participant.get(&format!("/studies/{study}")).await.json()["done"], 1);
        let part = undecided.get(&format!("/studies/{other_study}")).await.json();
        assert_eq!((&part["agreed"], &part["done"]), (&json!(true), &json!(0)));
        let begun = site
            .database
            .execute("UPDATE attempts SET hint = hint WHERE outcome IS NULL AND study IS NOT NULL")
            .await;
        assert_eq!(begun, 1);
        assert_eq!(active.get("/me").await.json()["attempts"], 1);
        assert_eq!(person_of(&active), person);
        // Both players have been away for twenty years: their game goes with them.
        assert_eq!(rows(site, "games", "seed").await, 0);
        assert_eq!(rows(site, "people", "seen").await, 3);
    });
}

async fn person_of_solver(browser: &Browser) -> String {
    browser.solve(&puzzles()[7].id()).await;
    person_of(browser)
}

/// Begins the first puzzle of a study and leaves.
async fn study_in_progress(site: &Site, browser: &Browser) -> String {
    let puzzle = puzzles()[3].id();
    let new = json!({ "title": "Two", "consent": "I agree.", "puzzles": [puzzle] });
    let study: Value = site.researcher().post("/studies", new).await.json();
    let study = study["id"].as_str().unwrap().to_owned();
    browser.post(&format!("/studies/{study}/consent"), json!({})).await.json();
    browser.post(&format!("/studies/{study}/next"), json!({})).await.json();
    study
}

#[test]
fn a_finished_game_between_people_outlives_games_against_programs() {
    on_every_site(async |site| {
        let (one, two, game) = pair(site, "geister").await;
        act(&one, &game, "resign", json!({})).await.json();
        one.solve(&puzzles()[0].id()).await;
        two.begin(&puzzles()[0].id()).await;
        pass(site, 600).await;
        run(site).await;
        assert_eq!(one.get(&format!("/games/{}", id(&game))).await.json()["stage"], "over");
        // The second one has decided nothing, but has a game.
        assert_eq!(rows(site, "people", "seen").await, 2);
    });
}

#[test]
fn expired_rows_are_deleted_in_batches() {
    on_every_site(async |site| {
        for number in 0..450 {
            let sql = format!(
                "INSERT INTO people (id, created, rating, deviation, volatility, counted, solved, \
                streak_count, streak_best, seen) VALUES ('p{number}', 1, 1500, 350, 0.06, 0, 0, 0, 0, {number})"
            );
            site.database.execute(&sql).await;
        }
        let mut sweep = Sweep::new(RetentionRule::AbandonedPeople);
        let mut batches = Vec::new();
        while let Some(rows) = sweep.next_batch(&site.app.service.store).await.unwrap() {
            batches.push(rows);
        }
        assert_eq!(batches, [100, 100, 100, 100, 50]);
    });
}

#[test]
fn activity_is_recorded_once_a_day() {
    on_every_site(async |site| {
        let browser = site.browser();
        browser.begin(&puzzles()[0].id()).await;
        site.database.execute(&format!("UPDATE people SET seen = seen - {}", DAY / 2)).await;
        browser.begin(&puzzles()[1].id()).await;
        let old = format!(
            "UPDATE people SET seen = seen WHERE seen < {}",
            service::store::now() - DAY / 3
        );
        assert_eq!(site.database.execute(&old).await, 1);
        site.database.execute(&format!("UPDATE people SET seen = seen - {DAY}")).await;
        browser.begin(&puzzles()[2].id()).await;
        assert_eq!(site.database.execute(&old).await, 0);
        // A clock that ran ahead is not believed for ever.
        site.database.execute(&format!("UPDATE people SET seen = seen + {}", 3650 * DAY)).await;
        browser.begin(&puzzles()[3].id()).await;
        let future =
            format!("UPDATE people SET seen = seen WHERE seen > {}", service::store::now() + DAY);
        assert_eq!(site.database.execute(&future).await, 0);
    });
}

#[test]
fn one_server_runs_the_job_even_if_clocks_jump() {
    on_every_site(async |site| {
        let store = &site.app.service.store;
        let lease = async |owner| store.lease_job("x", owner, 600_000, 3_600_000).await.unwrap();
        assert!(lease("one").await);
        assert!(!lease("two").await);
        assert!(store.renew_job("x", "one", 600_000).await.unwrap());
        assert!(!store.renew_job("x", "two", 600_000).await.unwrap());
        // The server that had it died.
        let set = async |sql: String| assert_eq!(site.database.execute(&sql).await, 1);
        set(format!("UPDATE jobs SET lease_until = {}", service::store::now() - 1)).await;
        assert!(lease("two").await);
        assert!(!store.renew_job("x", "one", 600_000).await.unwrap());
        store.finish_job("x", "two").await.unwrap();
        assert!(!lease("one").await);
        set(format!("UPDATE jobs SET finished = {}", service::store::now() - 3_600_001)).await;
        assert!(lease("one").await);
        // The clock is set back by a year: neither the lease nor the last end hold for that long.
        set(format!(
            "UPDATE jobs SET lease_until = {0}, finished = {0}",
            service::store::now() + 365 * DAY
        ))
        .await;
        assert!(lease("two").await);
        let due = run_if_due(store, "one").await.unwrap();
        assert!(due.is_some());
        assert_eq!(run_if_due(store, "one").await.unwrap(), None);
    });
}
