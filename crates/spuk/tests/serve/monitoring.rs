//! Metrics and logs.

use crate::common::Folder;
use crate::server::{Server, failed_start};
use crate::visitor_games::{game_path, wait_for_turn};
use bench::site::http::Client;
use serde_json::{Value, json};
use std::io::Read;
use std::process::Stdio;

/// A free port, for a listener whose address the site does not print.
fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[test]
fn metrics_need_the_token_or_a_listener_of_their_own() {
    let folder = Folder::new();
    let address = format!("127.0.0.1:{}", free_port());
    let server = Server::start(&["--data", &folder.file("data"), "--metrics", &address]);
    assert_eq!(server.client().get("/metrics").unwrap().0, 401);
    let mut private = Client::new(&format!("http://{address}"), None).unwrap();
    assert_eq!(private.get("/healthz").unwrap().0, 200);
    assert_eq!(private.get("/metrics").unwrap().0, 200);
    assert_eq!(private.get("/api/v1/me").unwrap().0, 404);
    let message = failed_start(&[
        "--listen",
        "127.0.0.1:0",
        "--data",
        &folder.file("x"),
        "--metrics",
        &address,
    ]);
    assert!(message.contains("--metrics"), "{message}");
    let message = failed_start(&["--log-level", "loud"]);
    assert!(message.contains("debug"), "{message}");
}

/// Plays games with bad requests in them, and reads everything that the site writes.
#[test]
fn logs_and_output_reveal_no_moves_and_no_game_ids() {
    let folder = Folder::new();
    let data = folder.file("data");
    let arguments = ["--data", &data, "--log-level", "debug", "--log-format", "json"];
    let mut server = Server::start_with_stderr(&arguments, Stdio::piped());
    let mut client = server.client();
    let mut secrets = Vec::new();
    for request in [
        json!({ "kind": "geister", "opponent": "random", "seat": "first", "red": ["b1", "c1", "d1", "e1"] }),
        json!({ "kind": "kriegspiel", "opponent": "greedy", "seat": "first" }),
    ] {
        let (status, mut game) = client.post("/api/v1/games", &request).unwrap();
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
        let (moves, form) = match request["kind"].as_str() {
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
    let log = server.kill_and_read_log();
    let mut output = String::new();
    server.stdout.read_to_string(&mut output).unwrap();
    assert_eq!(output, "");
    for line in log.lines() {
        let mut event: Value = serde_json::from_str(line).unwrap();
        // Random ids and numbers may look like a move.
        for field in ["request_id", "ms", "time"] {
            event.as_object_mut().unwrap().remove(field);
        }
        let event = event.to_string();
        for secret in secrets.iter().map(String::as_str).chain(["a1h8", "b2b3", "b3b4", "e2e4"]) {
            assert!(!event.contains(secret), "{secret} in {event}");
        }
    }
    assert!(log.contains("/api/v1/games/{id}/moves") && log.contains("\"started\""), "{log}");
}
