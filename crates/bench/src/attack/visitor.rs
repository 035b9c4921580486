//! Visitors who want nothing special, and how long they wait for it.

use super::Over;
use super::attacker::analysis_of;
use crate::site::http::Client;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use std::io::Result;
use std::time::{Duration, Instant};

/// Where they come from.
const ADDRESS: &str = "198.51.100.7";

/// How often a browser without an event stream would look.
const LOOK: Duration = Duration::from_millis(10);

/// What was waited for.
#[derive(Default)]
pub(super) struct Waits {
    pub(super) times_ms: Vec<f64>,
    pub(super) refused: usize,
}

impl Waits {
    fn add(&mut self, begun: Instant) {
        self.times_ms.push(begun.elapsed().as_secs_f64() * 1000.0);
    }
}

fn client(site: &str) -> Result<Client> {
    Ok(Client::new(site, None)?.forwarded_for(ADDRESS))
}

/// Plays against a 50 ms opponent: from each move to its answer.
pub(super) fn play(site: &str, seed: u64, over: Over<'_>) -> Result<Waits> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut waits = Waits::default();
    let mut client = client(site)?;
    let mut game = Value::Null;
    while !over() {
        if game["stage"] != "playing" {
            let wish = json!({ "kind": "geister", "opponent": "champion-quick", "seat": "first",
                "red": ["b1", "c1", "d2", "e2"] });
            let (status, begun) = client.post("/api/v1/games", &wish)?;
            if status != 200 {
                waits.refused += 1;
                std::thread::sleep(Duration::from_millis(500));
                continue;
            }
            game = begun;
        }
        let id = game["game"].as_str().unwrap_or_default().to_owned();
        let legal = game["geister"]["legal"].as_array();
        let Some(mv) = legal.and_then(|legal| legal.choose(&mut rng)).cloned() else { break };
        let begun = Instant::now();
        let path = format!("/api/v1/games/{id}/moves");
        let (status, moved) = client.post(&path, &json!({ "move": mv, "ply": game["ply"] }))?;
        if status != 200 {
            waits.refused += 1;
            std::thread::sleep(Duration::from_millis(500));
            continue;
        }
        game = moved;
        while game["turn"] == "second" && begun.elapsed() < Duration::from_secs(120) {
            std::thread::sleep(LOOK);
            (_, game) = client.get(&format!("/api/v1/games/{id}"))?;
        }
        waits.add(begun);
        // Somebody thinks about the next move.
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(waits)
}

/// Has a position analysed every second.
pub(super) fn analyse(site: &str, seed: u64, over: Over<'_>) -> Result<Waits> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed + 1);
    let mut waits = Waits::default();
    let mut client = client(site)?;
    while !over() {
        let begun = Instant::now();
        match client.get(&analysis_of(&mut rng))? {
            (200, _) => waits.add(begun),
            // What is not a valid position was not waited for.
            (400, _) => continue,
            _ => waits.refused += 1,
        }
        std::thread::sleep(Duration::from_secs(1).saturating_sub(begun.elapsed()));
    }
    Ok(waits)
}

/// Makes a move in a puzzle four times a second.
pub(super) fn solve(site: &str, over: Over<'_>) -> Result<Waits> {
    let mut waits = Waits::default();
    let mut client = client(site)?;
    while !over() {
        let (_, puzzle) = client.get("/api/v1/puzzles/next")?;
        let id = puzzle["id"].as_str().unwrap_or_default().to_owned();
        let begun = Instant::now();
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
            (200, _) => waits.add(begun),
            _ => waits.refused += 1,
        }
        std::thread::sleep(Duration::from_millis(250));
    }
    Ok(waits)
}
