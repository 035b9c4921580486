//! Databases of every earlier schema, made by the programs of their time and kept as files: after the
//! upgrade everything is there and can be continued. `tests/databases/README.md` says how one is added.

use crate::games::{any_move, look, play, wait};
use crate::harness::{Browser, Database, Setup, TOKEN, on_every_database};
use serde_json::{Value, json};
use sqlx::{AnyConnection, Connection, Row};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use web::{App, router};

/// The earlier schemas.
const SCHEMAS: [&str; 2] = ["schema-1", "schema-2"];

/// Columns that hold a time, by table.
const TIMES: [(&str, &str); 11] = [
    ("people", "created"),
    ("studies", "created"),
    ("participants", "consented"),
    ("attempts", "started"),
    ("attempts", "finished"),
    ("opinions", "given"),
    ("transfers", "expires"),
    ("games", "created"),
    ("games", "changed"),
    ("reviews", "made"),
    ("found_puzzles", "found"),
];

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/databases").join(name)
}

/// Makes an empty database what an earlier program left, as if that had been just now. Returns what
/// visitors saw there.
async fn restore(database: &Database, schema: &str) -> Value {
    let name = match database {
        Database::Sqlite(folder) => {
            let name = format!("{schema}.db");
            std::fs::copy(file(&name), folder.join("spuk.db")).unwrap();
            name
        }
        Database::Postgres { .. } => {
            let name = format!("{schema}.sql");
            let dump = std::fs::read_to_string(file(&name)).unwrap();
            let mut connection = AnyConnection::connect(&database.url()).await.unwrap();
            sqlx::raw_sql(&dump).execute(&mut connection).await.unwrap();
            connection.close().await.unwrap();
            name
        }
    };
    let seen = std::fs::read_to_string(file(&format!("{name}.json"))).unwrap();
    let seen: Value = serde_json::from_str(&seen).unwrap();
    let passed = service::store::now() - seen["made"].as_i64().unwrap();
    let tables = tables(database).await;
    for (table, column) in TIMES.iter().filter(|(table, _)| tables.contains(&(*table).to_owned())) {
        database.execute(&format!("UPDATE {table} SET {column} = {column} + {passed}")).await;
    }
    seen
}

async fn texts(database: &Database, sql: &str) -> Vec<String> {
    let mut connection = AnyConnection::connect(&database.url()).await.unwrap();
    let rows = sqlx::query(sql).fetch_all(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    rows.iter().map(|row| row.try_get("value").unwrap()).collect()
}

async fn tables(database: &Database) -> Vec<String> {
    let sql = if database.is_sqlite() {
        "SELECT name AS value FROM sqlite_master WHERE type = 'table' ORDER BY name"
    } else {
        "SELECT CAST(tablename AS TEXT) AS value FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"
    };
    texts(database, sql).await
}

/// Every row of every table but the settings, which note when jobs ran.
async fn everything(database: &Database) -> BTreeMap<String, Vec<String>> {
    let mut found = BTreeMap::new();
    for table in tables(database).await.into_iter().filter(|table| table != "settings") {
        let row = if database.is_sqlite() {
            let columns = format!("SELECT name AS value FROM pragma_table_info('{table}')");
            let columns = texts(database, &columns).await;
            columns.iter().map(|name| format!("quote({name})")).collect::<Vec<_>>().join("||','||")
        } else {
            format!("CAST({table} AS TEXT)")
        };
        let rows = texts(database, &format!("SELECT {row} AS value FROM {table} ORDER BY 1")).await;
        found.insert(table, rows);
    }
    found
}

/// A site on the database, and people who were there before.
struct Upgraded {
    app: Arc<App>,
}

impl Upgraded {
    async fn start(database: &Database) -> Upgraded {
        let (app, _) = App::start(database.options(Setup::default())).await.unwrap();
        Upgraded { app: Arc::new(app) }
    }

    fn browser(&self) -> Browser {
        Browser::new(router(self.app.clone()))
    }

    /// Somebody whose id is known.
    fn person(&self, id: &Value) -> Browser {
        let cookie = self.app.signer.person_cookie(id.as_str().unwrap()).unwrap();
        let pair = cookie.to_str().unwrap().split(';').next().unwrap().to_owned();
        let (name, value) = pair.split_once('=').unwrap();
        let browser = self.browser();
        browser.cookies.lock().unwrap().insert(name.to_owned(), value.to_owned());
        browser
    }
}

/// The fields of what was seen before are as they were; later versions may add others.
fn expect_same(before: &Value, now: &Value, fields: &[&str]) {
    for field in fields {
        assert_eq!(now[field], before[field], "{field}: {now}");
    }
}

async fn expect_solver(site: &Upgraded, seen: &Value) {
    let solver = site.person(&seen["person"]);
    let me = solver.get("/me").await.json();
    expect_same(&seen["me"], &me, &["rating", "attempts", "solved", "streak_best"]);
    expect_same(&seen["streak"], &solver.get("/streak").await.json(), &["count", "best", "puzzle"]);
    for (attempt, state) in [("solved", "solved"), ("failed", "failed"), ("hinted", "open")] {
        let path = format!("/attempts/{}", seen[attempt].as_str().unwrap());
        let found = solver.get(&path).await.json();
        assert_eq!(found["state"], state, "{found}");
        assert_eq!(found["hint"].is_null(), attempt != "hinted");
    }
    // The same attempt as before, where it was left.
    let open = solver.begin(seen["open_puzzle"].as_str().unwrap()).await;
    expect_same(&seen["open"], &open, &["attempt", "position", "plies", "state"]);
    assert_eq!(open["events"].as_array().unwrap().len(), 2);
    solver.win(open).await;
    let after = solver.get("/me").await.json();
    assert_eq!(after["solved"].as_u64(), me["solved"].as_u64().map(|solved| solved + 1));
    let path = format!("/puzzles/{}/ratings", seen["opinions"].as_str().unwrap());
    let people = solver.post(&path, json!({ "interest": 1, "difficulty": 0 })).await.json();
    assert_eq!(people["people"]["ratings"], 1, "the same person's opinion replaced the first one");
    let elsewhere = site.browser();
    elsewhere.post("/transfer/claim", json!({ "code": seen["transfer"] })).await.json();
    assert_eq!(elsewhere.get("/me").await.json(), after);
}

/// The rows of a CSV file as they were, whatever columns were added since.
fn expect_same_rows(before: &str, now: &str) {
    let rows = |text: &str| -> Vec<Vec<String>> {
        text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
    };
    let (before, now) = (rows(before), rows(now));
    assert_eq!(before.len(), now.len());
    for (at, column) in before[0].iter().enumerate() {
        let place = now[0].iter().position(|name| name == column);
        let place = place.unwrap_or_else(|| panic!("no column {column}"));
        for (before, now) in before.iter().zip(&now) {
            assert_eq!(before[at], now[place], "{column}");
        }
    }
}

async fn expect_study(site: &Upgraded, seen: &Value) {
    let study = seen["id"].as_str().unwrap();
    let participant = site.person(&seen["person"]);
    let part = participant.get(&format!("/studies/{study}")).await.json();
    expect_same(&seen["part"], &part, &["agreed", "puzzles", "done"]);
    let researcher = site.browser().with("authorization", &format!("Bearer {TOKEN}"));
    let csv = researcher.get(&format!("/studies/{study}/ratings.csv")).await.text();
    expect_same_rows(seen["csv"].as_str().unwrap(), &csv);
    let next = participant.post(&format!("/studies/{study}/next"), json!({})).await.json();
    assert_eq!(next["puzzle"], seen["part"]["puzzle"]);
    participant.win(next).await;
}

async fn expect_games(site: &Upgraded, seen: &Value) {
    for (name, game) in seen.as_object().unwrap() {
        let browser = site.person(&game["person"]);
        let view = look(&browser, &game["view"]).await;
        expect_same(&game["view"], &view, &["role", "stage", "ply", "your_turn", "end"]);
        let moves = view["geister"].get("events").or_else(|| view["kriegspiel"].get("turns"));
        let list =
            |moves: Option<&Value>| moves.and_then(Value::as_array).cloned().unwrap_or_default();
        let (before, moves) = (list(game["view"].get("moves")), list(moves));
        assert_eq!(moves.len(), before.len());
        for (before, now) in before.iter().zip(&moves) {
            let fields: Vec<&str> =
                before.as_object().unwrap().keys().map(String::as_str).collect();
            expect_same(before, now, &fields);
        }
        if view["stage"] == "playing" {
            continue_game(site, game, view.clone()).await;
        }
        if view["stage"] == "over" {
            let path = format!("/games/{}/review", game["view"]["game"].as_str().unwrap());
            assert_eq!(browser.get(&path).await.json()["status"], "done", "{name}");
        }
    }
}

/// Moves until another player has moved as well.
async fn continue_game(site: &Upgraded, game: &Value, mut view: Value) {
    let begun = view["ply"].as_u64().unwrap();
    for step in 0..60 {
        let mover = if view["your_turn"] == true { &game["person"] } else { &game["second"] };
        let mover = site.person(mover);
        let now = look(&mover, &game["view"]).await;
        play(&mover, &now, &any_move(&now, step)).await.json();
        view = look(&site.person(&game["person"]), &game["view"]).await;
        if game["second"].is_null() {
            view = wait(&site.person(&game["person"]), &game["view"]).await;
        }
        if view["ply"].as_u64().unwrap() >= begun + 2 || view["stage"] == "over" {
            return;
        }
    }
    panic!("nobody moves: {view}");
}

#[test]
fn databases_of_earlier_schemas_are_upgraded_and_used() {
    for schema in SCHEMAS {
        on_every_database(async |database| {
            let seen = restore(database, schema).await;
            let count = |rows: &BTreeMap<String, Vec<String>>, table: &str| rows[table].len();
            let before = everything(database).await;
            Upgraded::start(database).await.app.service.store.close().await;
            let upgraded = everything(database).await;
            for table in before.keys().filter(|table| *table != "spuk_schema") {
                assert_eq!(count(&before, table), count(&upgraded, table), "{table}");
            }
            Upgraded::start(database).await.app.service.store.close().await;
            assert_eq!(everything(database).await, upgraded, "a second start changes nothing");
            let site = Upgraded::start(database).await;
            expect_solver(&site, &seen["solver"]).await;
            expect_study(&site, &seen["study"]).await;
            if let Some(games) = seen.get("games") {
                expect_games(&site, games).await;
                site.browser().solve(seen["found"].as_str().unwrap()).await;
            }
            let wish = json!({ "kind": "geister", "opponent": "random", "seat": "first" });
            site.browser().post("/games", wish).await.json();
            site.app.service.store.close().await;
        });
    }
}
