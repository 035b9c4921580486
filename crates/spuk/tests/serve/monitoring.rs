//! Metrics and logs.

use crate::common::Folder;
use crate::games::{game_path, wait_for_turn};
use crate::server::{Server, refused};
use bench::site::http::Client;
use serde_json::{Value, json};
use std::io::Read;
use std::process::Stdio;

/// A free port, for a listener whose address is not announced.
fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[test]
fn metrics_need_the_token_or_a_listener_of_their_own() {
    let folder = Folder::new();
    let place = format!("127.0.0.1:{}", free_port());
    let server = Server::start(&["--data", &folder.file("data"), "--metrics", &place]);
    assert_eq!(server.client().get("/metrics").unwrap().0, 401);
    let mut private = Client::new(&format!("http://{place}"), None).unwrap();
    assert_eq!(private.get("/healthz").unwrap().0, 200);
    assert_eq!(private.get("/metrics").unwrap().0, 200);
    assert_eq!(private.get("/api/v1/me").unwrap().0, 404);
    let taken =
        refused(&["--listen", "127.0.0.1:0", "--data", &folder.file("x"), "--metrics", &place]);
    assert!(taken.contains("--metrics"), "{taken}");
    let wrong = refused(&["--log-level", "loud"]);
    assert!(wrong.contains("debug"), "{wrong}");
}

/// A game with everything that can go wrong in it, while all is heard that the site says aloud.
#[test]
fn nothing_of_a_game_is_said_aloud() {
    let folder = Folder::new();
    let data = folder.file("data");
    let arguments = ["--data", &data, "--log-level", "debug", "--log-format", "json"];
    let mut server = Server::complaining(&arguments, Stdio::piped());
    let mut client = server.client();
    let mut secrets = Vec::new();
    for wish in [
        json!({ "kind": "geister", "opponent": "random", "seat": "first", "red": ["b1", "c1", "d1", "e1"] }),
        json!({ "kind": "kriegspiel", "opponent": "greedy", "seat": "first" }),
    ] {
        let (status, mut game) = client.post("/api/v1/games", &wish).unwrap();
        assert_eq!(status, 200, "{game}");
        let path = game_path(&game);
        secrets.push(game["game"].as_str().unwrap().to_owned());
        for wrong in [json!({ "move": "a1h8", "ply": 0 }), json!({ "move": 7 })] {
            assert!(client.post(&format!("{path}/moves"), &wrong).unwrap().0 >= 400);
        }
        for red in [json!(["a1"]), json!(["b1", "c1", "d1", "d2"])] {
            let again = json!({ "red": red });
            assert!(client.post(&format!("{path}/setup"), &again).unwrap().0 >= 400);
        }
        let (moves, form) = match wish["kind"].as_str() {
            Some("geister") => (["b2b3", "b3b4"], "json"),
            _ => (["e2e4", "d2d4"], "pgn"),
        };
        for mv in moves {
            let body = json!({ "move": mv, "ply": game["ply"] });
            assert_eq!(client.post(&format!("{path}/moves"), &body).unwrap().0, 200);
            game = wait_for_turn(&mut client, &path);
        }
        assert_eq!(client.post(&format!("{path}/resign"), &json!({})).unwrap().0, 200);
        assert_eq!(client.get(&format!("{path}/review")).unwrap().0, 200);
        assert_eq!(client.get(&format!("{path}/record?form={form}")).unwrap().0, 200);
    }
    server.child.kill().unwrap();
    let mut said = String::new();
    server.stdout.read_to_string(&mut said).unwrap();
    assert_eq!(said, "", "the site talks about games");
    server.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    for line in said.lines() {
        let mut event: Value = serde_json::from_str(line).unwrap();
        // Random, and numbers: they may look like a move.
        for field in ["request_id", "ms", "time"] {
            event.as_object_mut().unwrap().remove(field);
        }
        let event = event.to_string();
        for secret in secrets.iter().map(String::as_str).chain(["a1h8", "b2b3", "b3b4", "e2e4"]) {
            assert!(!event.contains(secret), "{secret} in {event}");
        }
    }
    assert!(said.contains("/api/v1/games/{id}/moves") && said.contains("\"started\""), "{said}");
}
