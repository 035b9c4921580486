//! A visitor who plays game after game and remembers the responses.

use crate::site::http::Client;
use serde_json::{Value, json};
use std::io;
use std::time::{Duration, Instant};

/// The interval at which a visitor polls for its turn; a browser gets events instead.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// The games and response times of one visitor.
#[derive(Default)]
pub(super) struct Visit {
    cookie: Option<String>,
    /// Every game as the last response showed it.
    pub(super) games: Vec<Value>,
    pub(super) moves: usize,
    /// The times of all responses.
    pub(super) times_ms: Vec<f64>,
}

impl Visit {
    /// Plays until `is_over`; gets at least one response.
    pub(super) fn play(
        site: &str,
        opponent: &str,
        number: u32,
        is_over: &(impl Fn() -> bool + Sync),
    ) -> Result<Visit, String> {
        let failed = |error: io::Error| format!("a visitor had no answer: {error}");
        let mut client = Client::new(site, None).map_err(failed)?;
        let mut visit = Visit::default();
        // Every visitor plays other moves; which ones does not matter here.
        let mut rng = u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let request = json!({ "kind": "geister", "opponent": opponent, "seat": "first", "red": ["b1", "c1", "d1", "e1"] });
        loop {
            let mut game = visit.timed(|| client.post("/api/v1/games", &request))?;
            visit.games.push(game.clone());
            while !is_over() && game["stage"] != "over" {
                let path = path_of(&game);
                game = match random_move(&game, &mut rng) {
                    None => {
                        std::thread::sleep(POLL_INTERVAL);
                        visit.timed(|| client.get(&path))?
                    }
                    Some(mv) => {
                        visit.moves += 1;
                        let body = json!({ "move": mv, "ply": game["ply"] });
                        visit.timed(|| client.post(&format!("{path}/moves"), &body))?
                    }
                };
                if let Some(last) = visit.games.last_mut() {
                    last.clone_from(&game);
                }
            }
            if is_over() {
                visit.cookie = client.cookie;
                return Ok(visit);
            }
        }
    }

    /// Sends a request and records its response time.
    fn timed(&mut self, send: impl FnOnce() -> io::Result<(u16, Value)>) -> Result<Value, String> {
        let start = Instant::now();
        let (status, value) =
            send().map_err(|error| format!("a visitor had no answer: {error}"))?;
        self.times_ms.push(start.elapsed().as_secs_f64() * 1e3);
        if status == 200 {
            Ok(value)
        } else {
            Err(format!("a visitor was answered {status}: {value}"))
        }
    }

    /// Counts the games that on this site are where they were, or further.
    pub(super) fn count_kept(&self, site: &str) -> io::Result<usize> {
        let mut client = Client::new(site, self.cookie.clone())?;
        let mut kept = 0;
        for game in &self.games {
            let (status, now) = client.get(&path_of(game))?;
            let [before, after] = [game, &now].map(|one| one["geister"]["events"].as_array());
            let continues =
                before.zip(after).is_some_and(|(before, after)| after.starts_with(before));
            kept += usize::from(status == 200 && continues);
        }
        Ok(kept)
    }
}

fn path_of(game: &Value) -> String {
    format!("/api/v1/games/{}", game["game"].as_str().unwrap_or_default())
}

/// A random move, if it is the visitor's turn.
fn random_move(game: &Value, rng: &mut u64) -> Option<Value> {
    let legal = game["geister"]["legal"].as_array().filter(|legal| !legal.is_empty())?;
    // Marsaglia's xorshift.
    *rng ^= *rng << 13;
    *rng ^= *rng >> 7;
    *rng ^= *rng << 17;
    Some(legal[(*rng % legal.len() as u64) as usize].clone())
}
