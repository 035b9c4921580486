//! Ordinary visitors, and how long they wait for responses.

use super::IsOver;
use super::attacker::random_analysis;
use crate::site::http::Client;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use std::io::Result;
use std::time::{Duration, Instant};

/// The address of the visitors.
const ADDRESS: &str = "198.51.100.7";

/// The interval at which a browser without an event stream polls.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// The waiting times of a visitor, and the number of refused requests.
#[derive(Default)]
pub(super) struct WaitingTimes {
    pub(super) times_ms: Vec<f64>,
    pub(super) refused: usize,
}

impl WaitingTimes {
    fn add_since(&mut self, start: Instant) {
        self.times_ms.push(start.elapsed().as_secs_f64() * 1000.0);
    }
}

fn client(site: &str) -> Result<Client> {
    Ok(Client::new(site, None)?.forwarded_for(ADDRESS))
}

/// Plays against a 50 ms opponent; measures the time from each move to the reply.
pub(super) fn play(site: &str, seed: u64, is_over: IsOver<'_>) -> Result<WaitingTimes> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut waits = WaitingTimes::default();
    let mut client = client(site)?;
    let mut game = Value::Null;
    while !is_over() {
        if game["stage"] != "playing" {
            let request = json!({ "kind": "geister", "opponent": "champion-quick", "seat": "first",
                "red": ["b1", "c1", "d2", "e2"] });
            let (status, new_game) = client.post("/api/v1/games", &request)?;
            if status != 200 {
                waits.refused += 1;
                std::thread::sleep(Duration::from_millis(500));
                continue;
            }
            game = new_game;
        }
        let id = game["game"].as_str().unwrap_or_default().to_owned();
        let legal = game["geister"]["legal"].as_array();
        let Some(mv) = legal.and_then(|legal| legal.choose(&mut rng)).cloned() else { break };
        let start = Instant::now();
        let path = format!("/api/v1/games/{id}/moves");
        let (status, moved) = client.post(&path, &json!({ "move": mv, "ply": game["ply"] }))?;
        if status != 200 {
            waits.refused += 1;
            std::thread::sleep(Duration::from_millis(500));
            continue;
        }
        game = moved;
        while game["turn"] == "second" && start.elapsed() < Duration::from_secs(120) {
            std::thread::sleep(POLL_INTERVAL);
            (_, game) = client.get(&format!("/api/v1/games/{id}"))?;
        }
        waits.add_since(start);
        // The visitor thinks about the next move.
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(waits)
}

/// Requests an analysis every second.
pub(super) fn analyse(site: &str, seed: u64, is_over: IsOver<'_>) -> Result<WaitingTimes> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed + 1);
    let mut waits = WaitingTimes::default();
    let mut client = client(site)?;
    while !is_over() {
        let start = Instant::now();
        match client.get(&random_analysis(&mut rng))? {
            (200, _) => waits.add_since(start),
            // An invalid position does not count.
            (400, _) => continue,
            _ => waits.refused += 1,
        }
        std::thread::sleep(Duration::from_secs(1).saturating_sub(start.elapsed()));
    }
    Ok(waits)
}

/// Makes a move in a puzzle four times a second.
pub(super) fn solve(site: &str, is_over: IsOver<'_>) -> Result<WaitingTimes> {
    let mut waits = WaitingTimes::default();
    let mut client = client(site)?;
    while !is_over() {
        let (_, puzzle) = client.get("/api/v1/puzzles/next")?;
        let id = puzzle["id"].as_str().unwrap_or_default().to_owned();
        let start = Instant::now();
        let path = format!("/api/v1/puzzles/{id}/attempts");
        let (status, attempt) = client.post(&path, &json!({ "again": true }))?;
        let first = attempt["legal"].as_array().and_then(|legal| legal.first()).cloned();
        let (Some(mv), 200) = (first, status) else {
            waits.refused += 1;
            std::thread::sleep(Duration::from_millis(250));
            continue;
        };
        let path = format!("/api/v1/attempts/{}/moves", attempt["attempt"].as_str().unwrap_or(""));
        match client.post(&path, &json!({ "move": mv, "ply": 0 }))? {
            (200, _) => waits.add_since(start),
            _ => waits.refused += 1,
        }
        std::thread::sleep(Duration::from_millis(250));
    }
    Ok(waits)
}
