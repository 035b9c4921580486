//! One who plays game after game, and remembers what was answered.

use crate::site::http::Client;
use serde_json::{Value, json};
use std::io;
use std::time::{Duration, Instant};

/// A browser is told when it is its turn; a visitor looks so often.
const LOOK_AGAIN: Duration = Duration::from_millis(200);

/// What one visitor saw.
#[derive(Default)]
pub(super) struct Visit {
    cookie: Option<String>,
    /// Every game as it was last answered.
    pub(super) games: Vec<Value>,
    pub(super) moves: usize,
    /// How long each answer took.
    pub(super) times_ms: Vec<f64>,
}

impl Visit {
    /// Plays until it is over; there is one answer at least.
    pub(super) fn play(
        site: &str,
        opponent: &str,
        number: u32,
        over: &(impl Fn() -> bool + Sync),
    ) -> Result<Visit, String> {
        let failed = |error: io::Error| format!("a visitor had no answer: {error}");
        let mut client = Client::new(site, None).map_err(failed)?;
        let mut visit = Visit::default();
        // Any move, each visitor another: what is played does not matter here.
        let mut rng = u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let wish = json!({ "kind": "geister", "opponent": opponent, "seat": "first", "red": ["b1", "c1", "d1", "e1"] });
        loop {
            let mut game = visit.timed(|| client.post("/api/v1/games", &wish))?;
            visit.games.push(game.clone());
            while !over() && game["stage"] != "over" {
                let path = path_of(&game);
                game = match a_move(&game, &mut rng) {
                    None => {
                        std::thread::sleep(LOOK_AGAIN);
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
            if over() {
                visit.cookie = client.cookie;
                return Ok(visit);
            }
        }
    }

    /// An answer, and the time that it took.
    fn timed(&mut self, ask: impl FnOnce() -> io::Result<(u16, Value)>) -> Result<Value, String> {
        let begun = Instant::now();
        let (status, value) = ask().map_err(|error| format!("a visitor had no answer: {error}"))?;
        self.times_ms.push(begun.elapsed().as_secs_f64() * 1e3);
        if status == 200 {
            Ok(value)
        } else {
            Err(format!("a visitor was answered {status}: {value}"))
        }
    }

    /// How many of its games stand on this site where they were, or further.
    pub(super) fn kept(&self, site: &str) -> io::Result<usize> {
        let mut client = Client::new(site, self.cookie.clone())?;
        let mut kept = 0;
        for game in &self.games {
            let (status, now) = client.get(&path_of(game))?;
            let [before, after] = [game, &now].map(|one| one["geister"]["events"].as_array());
            let goes_on =
                before.zip(after).is_some_and(|(before, after)| after.starts_with(before));
            kept += usize::from(status == 200 && goes_on);
        }
        Ok(kept)
    }
}

fn path_of(game: &Value) -> String {
    format!("/api/v1/games/{}", game["game"].as_str().unwrap_or_default())
}

/// A move by chance, if it is the visitor's turn.
fn a_move(game: &Value, rng: &mut u64) -> Option<Value> {
    let legal = game["geister"]["legal"].as_array().filter(|legal| !legal.is_empty())?;
    // The generator of Marsaglia.
    *rng ^= *rng << 13;
    *rng ^= *rng >> 7;
    *rng ^= *rng << 17;
    Some(legal[(*rng % legal.len() as u64) as usize].clone())
}
