//! The log: what it says about requests, and that nothing hidden or secret is in it.

use crate::games::{act, id, look, pair, play};
use crate::harness::{Answer, Browser, Setup, Site, TOKEN, losable, puzzles, with_setup};
use axum::http::Method;
use serde_json::{Value, json};
use service::Log;
use service::log::{Format, Level};
use std::io::Write;
use std::sync::{Arc, Mutex};

/// The address of everybody in these tests.
const ADDRESS: &str = "203.0.113.77";

/// A log that is kept in memory.
#[derive(Clone, Default)]
struct Captured(Arc<Mutex<Vec<u8>>>);

impl Write for Captured {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Captured {
    fn setup(&self) -> Setup {
        let log = Some(Log::new(Level::Debug, Format::Json, self.clone()));
        Setup { log, public: Some("https://spuk.test".into()), ..Setup::default() }
    }

    /// The lines since the last time.
    fn take(&self) -> Vec<Value> {
        let text = String::from_utf8(std::mem::take(&mut *self.0.lock().unwrap())).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The same without what differs from one run to the next.
    fn take_masked(&self) -> Vec<Value> {
        let mut lines = self.take();
        for line in &mut lines {
            let fields = line.as_object_mut().unwrap();
            assert!(fields.remove("time").is_some());
            for field in ["ms", "request_id"] {
                fields.remove(field);
            }
        }
        lines
    }
}

/// What a log must not hold.
#[derive(Default)]
struct Secrets(Vec<String>);

impl Secrets {
    fn add(&mut self, secret: &Value) {
        self.0.push(secret.as_str().unwrap().to_owned());
    }

    /// The cookies of somebody, and the ids that are in them.
    fn add_cookies(&mut self, browser: &Browser) {
        for value in browser.cookies.lock().unwrap().values().filter(|value| value.len() > 8) {
            self.0.extend(value.split('.').map(str::to_owned));
        }
    }

    fn expect_none_in(&self, lines: &[Value]) {
        let text = format!("{lines:?}");
        for secret in &self.0 {
            assert!(secret.len() >= 4 && !text.contains(secret), "{secret:?} in {text}");
        }
    }
}

fn visitor(site: &Site) -> Browser {
    site.browser().with("x-forwarded-for", ADDRESS)
}

async fn play_kriegspiel(site: &Site, secrets: &mut Secrets) {
    let (one, other) = (visitor(site), visitor(site));
    let game = json!({ "kind": "kriegspiel", "opponent": null, "seat": "first" });
    let game = one.post("/games", game).await.json();
    secrets.add(&game["game"]);
    secrets.add(&game["invite"]);
    let wrong = act(&other, &game, "join", json!({ "invite": "wrong-invitation" })).await;
    assert_eq!(wrong.status, 403);
    act(&other, &game, "join", json!({ "invite": game["invite"] })).await.json();
    for (browser, mv) in
        [(&one, "e2e4"), (&other, "d7d5"), (&one, "e4d5"), (&other, "d8d4"), (&other, "d8d5")]
    {
        let now = look(browser, &game).await;
        play(browser, &now, mv).await.json();
        secrets.0.push(mv.to_owned());
    }
    act(&one, &game, "notes", json!({ "notes": "e5q" })).await.json();
    one.get(&format!("//game/{}?invite={}", id(&game), game["invite"].as_str().unwrap())).await;
    act(&one, &game, "resign", json!({})).await.json();
    one.get(&format!("/games/{}/record?form=pgn", id(&game))).await;
    one.get("//metrics?secret=in-a-query").await;
    let strange = Method::from_bytes(b"STRANGEMETHOD").unwrap();
    one.send(strange, "/me", None, Vec::new()).await;
    secrets.0.extend(["wrong-invitation", "in-a-query", "STRANGEMETHOD"].map(str::to_owned));
    for browser in [&one, &other] {
        secrets.add_cookies(browser);
    }
}

async fn solve_and_transfer(site: &Site, secrets: &mut Secrets) {
    let browser = visitor(site);
    let (puzzle, wrong) = losable();
    let attempt = browser.begin(&puzzle.id()).await;
    browser.play(&attempt, &wrong).await;
    secrets.add(&attempt["attempt"]);
    secrets.0.extend([wrong, puzzle.id()]);
    let code = browser.post("/transfer", json!({})).await.json()["code"].clone();
    let elsewhere = visitor(site);
    elsewhere.post("/transfer/claim", json!({ "code": code })).await.json();
    secrets.add(&code);
    for browser in [&browser, &elsewhere] {
        secrets.add_cookies(browser);
    }
}

async fn take_part(site: &Site, secrets: &mut Secrets) {
    let researcher = visitor(site);
    let form = Some("application/x-www-form-urlencoded");
    for token in ["a-wrong-token", TOKEN] {
        let body = format!("token={}", token.replace(' ', "+")).into_bytes();
        researcher.send(Method::POST, "//studies/sign-in", form, body).await;
        secrets.0.push(token.to_owned());
    }
    let ids = [puzzles()[0].id()];
    let study = json!({ "title": "Secret title", "consent": "I agree.", "puzzles": ids });
    let study = researcher.post("/studies", study).await.json();
    let participant = visitor(site);
    participant
        .post(&format!("/studies/{}/consent", study["id"].as_str().unwrap()), json!({}))
        .await
        .json();
    secrets.add(&study["id"]);
    secrets.0.extend(["Secret title".to_owned(), puzzles()[0].id()]);
    for browser in [&researcher, &participant] {
        secrets.add_cookies(browser);
    }
}

#[test]
fn nothing_secret_is_logged() {
    let log = Captured::default();
    with_setup(&log.setup(), async |site| {
        let mut secrets = Secrets(vec![ADDRESS.to_owned(), "spuk.test".to_owned()]);
        play_kriegspiel(site, &mut secrets).await;
        solve_and_transfer(site, &mut secrets).await;
        take_part(site, &mut secrets).await;
        assert!(secrets.0.len() > 30);
        let lines = log.take_masked();
        let count = |route: &str| lines.iter().filter(|line| line["route"] == route).count();
        assert_eq!(count("/api/v1/games/{id}/moves"), 5);
        assert_eq!(count("/game/{id}"), 1);
        assert_eq!(count("/studies/sign-in"), 2);
        secrets.expect_none_in(&lines);
    });
}

#[test]
fn hidden_information_does_not_change_the_log() {
    let log = Captured::default();
    with_setup(&log.setup(), async |site| {
        let mut worlds = Vec::new();
        for red in [["b1", "c1", "d1", "e1"], ["b2", "c2", "d2", "e2"]] {
            let (one, other, game) = pair(site, "geister").await;
            act(&one, &game, "setup", json!({ "red": ["b1", "d1", "c2", "e2"] })).await.json();
            act(&other, &game, "setup", json!({ "red": red })).await.json();
            for (ply, mv) in ["b2b3", "b2b3", "b3b4", "b3c3", "b4b5"].into_iter().enumerate() {
                let browser = if ply % 2 == 0 { &one } else { &other };
                act(browser, &game, "moves", json!({ "move": mv, "ply": ply })).await.json();
            }
            worlds.push(log.take_masked());
        }
        // In the first world the second try of Black is refused, in the second it is a move.
        for moves in [["d7d5", "d8d4"], ["d7d5", "d8d6"]] {
            let (one, other, game) = pair(site, "kriegspiel").await;
            for (browser, mv) in
                [(&one, "e2e4"), (&other, moves[0]), (&one, "e4d5"), (&other, moves[1])]
            {
                let now = look(browser, &game).await;
                play(browser, &now, mv).await.json();
            }
            worlds.push(log.take_masked());
        }
        assert_eq!(worlds[0], worlds[1]);
        assert_eq!(worlds[2], worlds[3]);
        assert!(worlds[0].len() > 8 && worlds[2].len() > 8);
    });
}

fn request_id(answer: &Answer) -> String {
    let id = answer.header("x-request-id").to_owned();
    assert!(id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{id:?}");
    id
}

#[test]
fn the_request_id_of_an_error_is_in_the_log() {
    let log = Captured::default();
    with_setup(&log.setup(), async |site| {
        let browser = visitor(site).with("x-request-id", "chosen-by-client");
        let mut seen = Vec::new();
        for (path, level) in [
            ("/me", "info"),
            ("/nothing", "info"),
            ("//", "debug"),
            ("//nothing", "info"),
            ("//healthz", "debug"),
        ] {
            let answer = browser.get(path).await;
            let line = log.take().pop().unwrap();
            assert_eq!(
                (&line["level"], &line["message"]),
                (&json!(level), &json!("request")),
                "{line}"
            );
            assert_eq!(line["status"], answer.status.as_u16());
            assert_eq!(line["request_id"], request_id(&answer));
            assert!(line["ms"].is_number() && line["method"] == "GET");
            seen.push(request_id(&answer));
        }
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 5);
        site.app.service.store.close().await;
        for path in ["/me", "//progress"] {
            let failed = browser.get(path).await;
            assert_eq!(failed.status, 503);
            let id = request_id(&failed);
            assert!(failed.text().contains(&id), "{}", failed.text());
            let line = log.take().pop().unwrap();
            assert_eq!((&line["level"], &line["request_id"]), (&json!("error"), &json!(id)));
            assert!(line["error"].as_str().unwrap().contains("database"), "{line}");
        }
    });
}
