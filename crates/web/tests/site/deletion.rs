//! "Delete my data": nothing of the person is left, and others lose nothing.

use crate::games::{act, begin, id, look, pair, play};
use crate::harness::{Browser, Site, on_every_database, on_every_site, puzzles, sample};
use axum::http::Method;
use serde_json::{Value, json};
use service::store::{DELETED_PERSON, OWNED_TABLES, Store};
use sqlx::{AnyConnection, Connection, Row};

/// The id that a browser's cookie carries.
pub(crate) fn person_of(browser: &Browser) -> String {
    let cookies = browser.cookies.lock().unwrap();
    let mut digits = cookies["spuk"].split('.');
    digits.find(|part| part.len() == 26).unwrap().to_owned()
}

/// Takes part in a study of one puzzle and answers its questions; the study.
pub(crate) async fn take_part(site: &Site, browser: &Browser) -> String {
    let puzzle = sample(1, 5..=5)[0].id();
    let new = json!({ "title": "One", "consent": "I agree.", "puzzles": [puzzle] });
    let study = site.researcher().post("/studies", new).await.json();
    let study = study["id"].as_str().unwrap().to_owned();
    browser.post(&format!("/studies/{study}/consent"), json!({})).await.json();
    let attempt = browser.post(&format!("/studies/{study}/next"), json!({})).await.json();
    browser.act(&attempt, "solution", json!({})).await.json();
    let answer = json!({ "interest": 1, "difficulty": 1, "study": study });
    browser.post(&format!("/puzzles/{puzzle}/ratings"), answer).await.json();
    study
}

/// Lines of a study's file, without its head.
pub(crate) async fn answers_of(site: &Site, study: &str) -> usize {
    let csv = site.researcher().get(&format!("/studies/{study}/ratings.csv")).await;
    csv.text().lines().count() - 1
}

/// Everything that somebody can do here.
struct Life {
    study: String,
    other: Browser,
    finished: Value,
    under_way: Value,
    alone: Vec<Value>,
}

async fn live(site: &Site, browser: &Browser) -> Life {
    let puzzle = puzzles()[0].id();
    browser.solve(&puzzle).await;
    let opinion = json!({ "interest": 1, "difficulty": 2 });
    browser.post(&format!("/puzzles/{puzzle}/ratings"), opinion).await.json();
    browser.begin(&puzzles()[1].id()).await;
    browser.post("/transfer", json!({})).await.json();
    browser.post("/streak", json!({})).await.json();
    let study = take_part(site, browser).await;
    let other = site.browser();
    let mut shared = Vec::new();
    for seat in ["first", "second"] {
        let wish = json!({ "kind": "kriegspiel", "opponent": null, "seat": seat });
        let game = begin(browser, wish).await;
        act(&other, &game, "join", json!({ "invite": game["invite"] })).await.json();
        act(browser, &game, "notes", json!({ "notes": "a1q" })).await.json();
        shared.push(game);
    }
    let under_way = shared.pop().unwrap();
    let finished = shared.pop().unwrap();
    act(&other, &finished, "resign", json!({})).await.json();
    let program = json!({ "kind": "kriegspiel", "opponent": "greedy", "seat": "first" });
    let program = begin(browser, program).await;
    act(browser, &program, "resign", json!({})).await.json();
    browser.get(&format!("/games/{}/review", id(&program))).await.json();
    let waiting = begin(browser, json!({ "kind": "geister", "opponent": null })).await;
    Life { study, other, finished, under_way, alone: vec![program, waiting] }
}

/// Every column with text in the database, as `table.column`.
async fn text_columns(site: &Site) -> Vec<(String, String)> {
    let mut connection = AnyConnection::connect(&site.database.url()).await.unwrap();
    let sql = if site.database.is_sqlite() {
        "SELECT m.name AS t, p.name AS c FROM sqlite_master m, pragma_table_info(m.name) p \
         WHERE m.type = 'table' AND p.type = 'TEXT'"
    } else {
        "SELECT CAST(table_name AS TEXT) AS t, CAST(column_name AS TEXT) AS c \
         FROM information_schema.columns WHERE table_schema = 'public' AND data_type = 'text'"
    };
    let rows = sqlx::query(sql).fetch_all(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    rows.iter().map(|row| (row.get("t"), row.get("c"))).collect()
}

async fn expect_no_trace(site: &Site, person: &str) {
    let columns = text_columns(site).await;
    assert!(columns.len() > 20, "{columns:?}");
    for (table, column) in columns {
        let sql =
            format!("UPDATE {table} SET {column} = {column} WHERE {column} LIKE '%{person}%'");
        assert_eq!(site.database.execute(&sql).await, 0, "{table}.{column}");
    }
}

#[test]
fn a_deletion_removes_everything_of_a_person() {
    on_every_site(async |site| {
        let browser = site.browser();
        let life = live(site, &browser).await;
        let (before, person) = (browser.get("/me").await.json(), person_of(&browser));
        assert_eq!(answers_of(site, &life.study).await, 1);
        for wrong in [json!({ "confirm": false }), json!({}), json!({ "confirm": "yes" })] {
            assert!(browser.post("/me/delete", wrong).await.status.is_client_error());
        }
        assert_eq!(browser.get("/me").await.json(), before);
        browser.post("/me/delete", json!({ "confirm": true })).await.json();
        expect_no_trace(site, &person).await;
        assert_ne!(person_of(&browser), person);
        assert_eq!(browser.get("/me").await.json()["attempts"], 0);
        assert!(browser.get("/games").await.json()["games"].as_array().unwrap().is_empty());
        assert_eq!(answers_of(site, &life.study).await, 0);
        for game in &life.alone {
            let path = format!("/games/{}", id(game));
            assert_eq!(browser.get(&path).await.refusal(404), "not-found");
        }
        // The games of others stay, as they ended.
        let (other, finished) = (&life.other, look(&life.other, &life.finished).await);
        assert_eq!(finished["end"], json!({ "how": "resigned", "winner": "first" }));
        let won = look(other, &life.under_way).await;
        assert_eq!(won["end"], json!({ "how": "resigned", "winner": "first" }));
        assert_eq!(won["role"], "first");
        for game in [&finished, &won] {
            assert!(game["players"].as_array().unwrap().iter().all(|one| one["taken"] == true));
            act(other, game, "notes", json!({ "notes": "b2q" })).await.json();
        }
        assert_eq!(look(&browser, &finished).await["role"], "spectator");
        // With the last player of a game the game is deleted.
        let last = person_of(other);
        other.post("/me/delete", json!({ "confirm": true })).await.json();
        expect_no_trace(site, &last).await;
        assert_eq!(site.database.execute("UPDATE games SET seed = seed").await, 0);
        assert_eq!(site.database.execute("UPDATE people SET seen = seen").await, 0);
    });
}

#[test]
fn the_opponent_is_notified_of_a_deletion() {
    on_every_site(async |site| {
        let (one, other, game) = pair(site, "kriegspiel").await;
        let now = look(&one, &game).await;
        play(&one, &now, "e2e4").await.json();
        let mut ear = other.listen(&format!("/games/{}/events", id(&game))).await;
        ear.next().await.unwrap();
        one.post("/me/delete", json!({ "confirm": true })).await.json();
        assert!(ear.next().await.unwrap().contains("\"resigned\""));
        assert_eq!(
            play(&other, &look(&other, &game).await, "e7e5").await.refusal(409),
            "game-over"
        );
        let kept = site.app.service.store.game(id(&game)).await.unwrap().unwrap();
        assert_eq!(kept.persons[0].as_deref(), Some(DELETED_PERSON));
    });
}

#[test]
fn deletion_works_without_javascript() {
    on_every_site(async |site| {
        let browser = site.browser();
        browser.solve(&puzzles()[0].id()).await;
        let person = person_of(&browser);
        assert!(browser.get("//settings").await.text().contains("href=\"/settings/delete\""));
        let asked = browser.get("//settings/delete").await.text();
        assert!(
            asked.contains("action=\"/settings/delete\"") && asked.contains("name=\"confirm\"")
        );
        let form = Some("application/x-www-form-urlencoded");
        let send = async |body: &str| {
            browser.send(Method::POST, "//settings/delete", form, body.into()).await
        };
        assert_eq!(send("").await.status, 400);
        assert_eq!(browser.get("/me").await.json()["attempts"], 1);
        let done = send("confirm=yes").await;
        assert_eq!((done.status.as_u16(), done.header("location")), (303, "/settings/deleted"));
        assert_eq!(browser.get("//settings/deleted").await.status, 200);
        expect_no_trace(site, &person).await;
        assert_ne!(person_of(&browser), person);
    });
}

/// A table that is added with a column `person` has to be among those that are deleted from.
#[test]
fn every_table_with_personal_data_is_deleted_from() {
    on_every_database(async |database| {
        if !database.is_sqlite() {
            return;
        }
        Store::open(&database.url()).await.unwrap().close().await;
        let mut connection = AnyConnection::connect(&database.url()).await.unwrap();
        let rows = sqlx::query(
            "SELECT m.name AS t FROM sqlite_master m, pragma_table_info(m.name) p \
             WHERE m.type = 'table' AND p.name = 'person' ORDER BY m.name",
        );
        let rows = rows.fetch_all(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        let tables: Vec<String> = rows.iter().map(|row| row.get("t")).collect();
        let mut owned = OWNED_TABLES;
        owned.sort_unstable();
        assert_eq!(tables, owned);
    });
}
