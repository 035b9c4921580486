//! Games of a visitor against programs.

use bench::site::http::Client;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The games of one visitor, begun against a program that thinks, and its cookie.
pub(crate) fn begin_games(site: &str) -> (String, Vec<Value>) {
    let mut client = Client::new(site, None).unwrap();
    let wish = json!({ "kind": "geister", "opponent": "careful", "seat": "first", "red": ["b1", "c1", "d1", "e1"] });
    let begun = (0..8).map(|_| {
        let (status, game) = client.post("/api/v1/games", &wish).unwrap();
        assert_eq!(status, 200, "{game}");
        game
    });
    let begun = begun.collect();
    (client.cookie.clone().unwrap(), begun)
}

pub(crate) fn game_path(game: &Value) -> String {
    format!("/api/v1/games/{}", game["game"].as_str().unwrap())
}

/// A game as soon as no program has to move.
pub(crate) fn wait_for_turn(client: &mut Client, path: &str) -> Value {
    let begun = Instant::now();
    loop {
        let game = client.get(path).unwrap().1;
        if game["your_turn"] == true || game["stage"] == "over" {
            return game;
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "no program moves: {game}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
