//! Games of a visitor against programs.

use bench::site::http::Client;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Starts eight games of one visitor against the computer; returns the visitor's cookie and the games.
pub(crate) fn begin_games(site: &str) -> (String, Vec<Value>) {
    let mut client = Client::new(site, None).unwrap();
    let request = json!({ "kind": "geister", "opponent": "careful", "seat": "first", "red": ["b1", "c1", "d1", "e1"] });
    let games = (0..8).map(|_| {
        let (status, game) = client.post("/api/v1/games", &request).unwrap();
        assert_eq!(status, 200, "{game}");
        game
    });
    let games = games.collect();
    (client.cookie.clone().unwrap(), games)
}

pub(crate) fn game_path(game: &Value) -> String {
    format!("/api/v1/games/{}", game["game"].as_str().unwrap())
}

/// Waits until it is the visitor's turn or the game is over.
pub(crate) fn wait_for_turn(client: &mut Client, path: &str) -> Value {
    let start = Instant::now();
    loop {
        let game = client.get(path).unwrap().1;
        if game["your_turn"] == true || game["stage"] == "over" {
            return game;
        }
        assert!(start.elapsed() < Duration::from_secs(30), "the computer does not move: {game}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
