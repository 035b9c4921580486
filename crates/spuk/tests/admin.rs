//! `spuk admin` beside a site that runs: sizes, deleting old data, backups under load, restoring.

#![allow(clippy::unwrap_used)] // the helpers of tests are no tests to clippy

mod common;

use bench::site::http::Client;
use common::{Folder, code, execute, program, spuk, text};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// A site that runs, and is killed with the value.
struct Server {
    child: Child,
    site: String,
}

impl Server {
    fn start(arguments: &[&str]) -> Server {
        let mut child = program()
            .args([
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--json",
                "--unlimited",
                "--log-level",
                "error",
            ])
            .args(arguments)
            .env_remove("SPUK_TOKEN")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let announced: Value = serde_json::from_str(&line).unwrap();
        Server { child, site: announced["address"].as_str().unwrap().to_owned() }
    }

    fn client(&self, cookie: Option<String>) -> Client {
        Client::new(&self.site, cookie).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // SIGKILL: what is in the write-ahead log stays there.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A place for a database: flags, and its address.
struct Place {
    flags: [String; 2],
    url: String,
    server: Option<(String, String)>,
}

impl Place {
    fn sqlite(folder: &Folder, name: &str) -> Place {
        let data = folder.file(name);
        let url = format!("sqlite://{data}/spuk.db");
        Place { flags: ["--data".into(), data], url, server: None }
    }

    fn postgres(server: &str) -> Place {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Relaxed);
        let name = format!("spuk_admin_{}_{number}", std::process::id());
        execute(server, &format!("CREATE DATABASE {name}"));
        let url = format!("{}/{name}", server.rsplit_once('/').unwrap().0);
        let flags = ["--database".into(), url.clone()];
        Place { flags, url, server: Some((server.to_owned(), name)) }
    }

    fn flags(&self) -> [&str; 2] {
        self.flags.each_ref().map(String::as_str)
    }

    fn start(&self) -> Server {
        Server::start(&self.flags())
    }

    fn admin(&self, arguments: &[&str]) -> Output {
        spuk(&[&["admin"], arguments, &self.flags()].concat())
    }

    /// The record that a command prints.
    fn record(&self, arguments: &[&str]) -> Value {
        let output = self.admin(&[arguments, &["--json"]].concat());
        assert_eq!(code(&output), 0, "{arguments:?}: {}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// The complaint of a command that is refused.
    fn refusal(&self, arguments: &[&str]) -> String {
        let output = self.admin(arguments);
        assert_eq!(code(&output), 2, "{arguments:?}: {}", text(&output.stdout));
        text(&output.stderr)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some((server, name)) = &self.server {
            execute(server, &format!("DROP DATABASE {name} WITH (FORCE)"));
        }
    }
}

/// Runs a test with two empty places of each kind of database.
fn on_every_database(test: impl Fn(&Folder, &Place, &Place)) {
    let folder = Folder::new();
    test(&folder, &Place::sqlite(&folder, "one"), &Place::sqlite(&folder, "two"));
    let Ok(server) = std::env::var("SPUK_TEST_POSTGRES") else {
        let all = std::env::var("SPUK_TEST_ALL").is_ok_and(|all| all == "1");
        assert!(!all, "SPUK_TEST_ALL is set, and SPUK_TEST_POSTGRES names no server");
        println!("PostgreSQL IS LEFT OUT: SPUK_TEST_POSTGRES names no server");
        return;
    };
    let folder = Folder::new();
    test(&folder, &Place::postgres(&server), &Place::postgres(&server));
}

fn puzzle(client: &mut Client) -> String {
    let (_, list) = client.get("/api/v1/puzzles?length_max=5").unwrap();
    list["puzzles"][0]["id"].as_str().unwrap().to_owned()
}

/// Begins an attempt; its id.
fn begin(client: &mut Client, puzzle: &str) -> std::io::Result<String> {
    let path = format!("/api/v1/puzzles/{puzzle}/attempts");
    let (status, attempt) = client.post(&path, &json!({ "again": true }))?;
    assert_eq!(status, 200, "{attempt}");
    Ok(attempt["attempt"].as_str().unwrap().to_owned())
}

fn is_there(client: &mut Client, attempt: &str) -> bool {
    client.get(&format!("/api/v1/attempts/{attempt}")).unwrap().0 == 200
}

#[cfg(unix)]
fn expect_private(file: &str) {
    use std::os::unix::fs::PermissionsExt;
    assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600, "{file}");
}

#[cfg(not(unix))]
fn expect_private(_: &str) {}

#[test]
fn sizes_are_shown_while_the_site_runs() {
    on_every_database(|_, place, _| {
        let server = place.start();
        let mut client = server.client(None);
        let id = puzzle(&mut client);
        for _ in 0..3 {
            begin(&mut client, &id).unwrap();
        }
        let record = place.record(&["sizes"]);
        let tables = record["tables"].as_array().unwrap();
        let table = |name: &str| tables.iter().find(|table| table["name"] == name).unwrap();
        assert_eq!((&table("people")["rows"], &table("attempts")["rows"]), (&json!(1), &json!(3)));
        assert!(table("attempts")["bytes"].as_i64().unwrap() > 0);
        assert!(table("attempts")["oldest"].as_i64() < table("attempts")["newest"].as_i64());
        assert_eq!(table("games")["newest"], Value::Null);
        assert!(record["bytes"].as_i64().unwrap() > 10_000);
        assert_eq!(record["wal_bytes"].is_null(), place.server.is_some());
        assert_eq!(record["retention"].as_array().unwrap().len(), 9);
        let shown = place.admin(&["sizes"]);
        assert!(text(&shown.stdout).contains("abandoned-people"), "{}", text(&shown.stdout));
    });
}

/// Everything that was acknowledged before the backup began is in it.
#[test]
fn a_backup_under_load_can_be_restored() {
    on_every_database(|folder, place, other| {
        let server = place.start();
        let id = puzzle(&mut server.client(None));
        let acknowledged: Mutex<Vec<(String, String)>> = Mutex::default();
        let stop = AtomicBool::new(false);
        let file = folder.file("backup");
        let before = std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let mut client = server.client(None);
                    while !stop.load(Relaxed) {
                        let attempt = begin(&mut client, &id).unwrap();
                        let cookie = client.cookie.clone().unwrap();
                        acknowledged.lock().unwrap().push((cookie, attempt));
                    }
                });
            }
            while acknowledged.lock().unwrap().len() < 60 {
                std::thread::sleep(Duration::from_millis(10));
            }
            let before = acknowledged.lock().unwrap().clone();
            let record = place.record(&["backup", &file]);
            stop.store(true, Relaxed);
            assert_eq!(record["bytes"].as_u64(), Some(fs::metadata(&file).unwrap().len()));
            before
        });
        let after = acknowledged.lock().unwrap().len() - before.len();
        println!("{} attempts before the backup, {after} while it was made", before.len());
        assert!(after > 0, "too little happened to prove anything");
        expect_private(&file);
        assert!(place.refusal(&["backup", &file]).contains("exists"));
        assert_eq!(folder.names(".part"), [""; 0]);
        drop(server);
        assert_eq!(other.record(&["restore", &file])["restored"], true);
        let restored = other.start();
        for (cookie, attempt) in &before {
            let mut client = restored.client(Some(cookie.clone()));
            assert!(is_there(&mut client, attempt), "{attempt} is not in the backup");
        }
    });
}

#[test]
fn a_restore_replaces_data_only_on_request() {
    on_every_database(|folder, place, _| {
        let file = folder.file("backup");
        let mut server = place.start();
        let mut client = server.client(None);
        let id = puzzle(&mut client);
        let old = begin(&mut client, &id).unwrap();
        place.record(&["backup", &file]);
        let new = begin(&mut client, &id).unwrap();
        let cookie = client.cookie.clone();
        let in_use = place.refusal(&["restore", &file, "--replace"]);
        assert!(in_use.contains("in use"), "{in_use}");
        assert!(is_there(&mut client, &new));
        // Killed: the log of SQLite is left beside the database.
        drop(client);
        drop(server);
        let has_data = place.refusal(&["restore", &file]);
        assert!(has_data.contains("has data") && has_data.contains("--replace"), "{has_data}");
        for (name, bytes) in damaged(&fs::read(&file).unwrap()) {
            let broken = folder.file(name);
            fs::write(&broken, bytes).unwrap();
            let refused = place.refusal(&["restore", &broken, "--replace"]);
            assert!(refused.contains(name) || refused.contains("pg_restore"), "{refused}");
        }
        server = place.start();
        assert!(
            is_there(&mut server.client(cookie.clone()), &new),
            "a refused restore changed data"
        );
        drop(server);
        place.record(&["restore", &file, "--replace"]);
        server = place.start();
        let mut client = server.client(cookie);
        assert!(is_there(&mut client, &old));
        assert!(!is_there(&mut client, &new), "what came after the backup is still there");
        begin(&mut client, &id).unwrap();
    });
}

/// Files that are no backups.
fn damaged(good: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let mut torn = good.to_vec();
    torn.truncate(good.len() / 2);
    vec![("torn", torn), ("empty", Vec::new()), ("text", b"not a database\n".repeat(100))]
}

#[test]
fn a_backup_of_a_newer_version_is_refused() {
    on_every_database(|folder, place, other| {
        drop(place.start());
        execute(&place.url, "INSERT INTO spuk_schema (version) VALUES (99)");
        let file = folder.file("newer");
        let refused = if place.server.is_some() {
            place.record(&["backup", &file]);
            other.refusal(&["restore", &file])
        } else {
            fs::copy(place.url.strip_prefix("sqlite://").unwrap(), &file).unwrap();
            other.refusal(&["restore", &file])
        };
        assert!(refused.contains("99"), "{refused}");
        assert!(place.refusal(&["sizes"]).contains("99"));
    });
}

#[test]
fn old_data_are_deleted_at_once() {
    on_every_database(|_, place, _| {
        let server = place.start();
        let mut clients: Vec<Client> = (0..5).map(|_| server.client(None)).collect();
        let id = puzzle(&mut clients[0]);
        let begun: Vec<String> =
            clients.iter_mut().map(|client| begin(client, &id).unwrap()).collect();
        let long = 40 * 24 * 3600 * 1000_i64;
        execute(&place.url, &format!("UPDATE people SET seen = seen - {long}"));
        begin(&mut clients[4], &id).unwrap();
        let rows = |record: &Value, name: &str| {
            let rules = record["retention"].as_array().unwrap();
            rules.iter().find(|rule| rule["rule"] == name).unwrap()["rows"].clone()
        };
        let counted = place.record(&["prune", "--dry-run"]);
        assert_eq!(
            (rows(&counted, "abandoned-people"), &counted["dry_run"]),
            (json!(4), &json!(true))
        );
        assert!(is_there(&mut clients[0], &begun[0]));
        assert_eq!(rows(&place.record(&["prune"]), "abandoned-people"), 4);
        assert_eq!(rows(&place.record(&["prune"]), "abandoned-people"), 0);
        let left: Vec<bool> =
            clients.iter_mut().zip(&begun).map(|(client, id)| is_there(client, id)).collect();
        assert_eq!(left, [false, false, false, false, true]);
    });
}

/// The status of the list of studies for somebody with a token.
fn status_with(site: &str, token: &str) -> String {
    let mut stream = TcpStream::connect(site.strip_prefix("http://").unwrap()).unwrap();
    let request = format!(
        "GET /api/v1/studies HTTP/1.1\r\nHost: spuk.test\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer[9..12].to_owned()
}

#[test]
fn a_new_token_is_valid_from_the_next_start() {
    on_every_database(|folder, place, _| {
        drop(place.start());
        let file = folder.file("token");
        place.record(&["token", &file]);
        expect_private(&file);
        assert!(place.refusal(&["token", &file]).contains("exists"));
        let token = fs::read_to_string(&file).unwrap();
        let server = place.start();
        assert_eq!(status_with(&server.site, token.trim()), "200");
        assert_eq!(status_with(&server.site, "another token"), "401");
    });
}

#[test]
fn a_missing_database_is_not_made() {
    let folder = Folder::new();
    let place = Place::sqlite(&folder, "nothing");
    for arguments in
        [&["sizes"][..], &["prune"], &["backup", &folder.file("b")], &["token", &folder.file("t")]]
    {
        assert!(place.refusal(arguments).contains("there is no database"));
    }
    assert!(!folder.0.join("nothing").exists());
    assert!(place.refusal(&["restore", &folder.file("b")]).contains("not found"));
}

/// Whether a cookie is still somebody's: the person of the first one has a game.
fn is_known(server: &Server, cookie: &str) -> bool {
    let mut client = server.client(Some(cookie.to_owned()));
    let (status, mine) = client.get("/api/v1/games").unwrap();
    assert_eq!(status, 200);
    !mine["games"].as_array().unwrap().is_empty()
}

#[test]
fn the_cookie_secret_is_rotated() {
    let folder = Folder::new();
    let data = ["--data", folder.0.to_str().unwrap()];
    let server = Server::start(&data);
    let mut client = server.client(None);
    let wish = json!({ "kind": "geister", "opponent": null });
    assert_eq!(client.post("/api/v1/games", &wish).unwrap().0, 200);
    let cookie = client.cookie.clone().unwrap();
    assert!(is_known(&server, &cookie));
    drop(server);
    for (forget, known) in [(false, true), (true, false)] {
        let mut arguments = vec!["admin", "rotate-secret", "--json"];
        arguments.extend(&data);
        if forget {
            arguments.push("--forget");
        }
        let output = spuk(&arguments);
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        assert_eq!(serde_json::from_slice::<Value>(&output.stdout).unwrap()["forgot"], forget);
        let server = Server::start(&data);
        assert_eq!(is_known(&server, &cookie), known, "forget: {forget}");
    }
}
