//! A client that sends as many requests as a site answers.

use super::{IsOver, Settings};
use crate::site::http::Client;
use games::kriegspiel::pgn::Record;
use games::kriegspiel::{Color, Game};
use players::GameRecord;
use players::random::any_placement;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use std::time::Duration;

/// The kinds of attack.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Attack {
    /// Games in which the strongest computer player moves first, each under a new cookie.
    Games,
    /// Imports of long games, and their reviews.
    Reviews,
    /// Puzzles from finished games.
    Puzzles,
    /// Analyses of hard positions.
    Analysis,
    /// Attempts at puzzles and their moves.
    Judging,
    /// Repeated requests for a long game.
    Reading,
}

impl Attack {
    pub(super) const ALL: [Attack; 6] = [
        Attack::Games,
        Attack::Reviews,
        Attack::Puzzles,
        Attack::Analysis,
        Attack::Judging,
        Attack::Reading,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Attack::Games => "games",
            Attack::Reviews => "reviews",
            Attack::Puzzles => "puzzles",
            Attack::Analysis => "analysis",
            Attack::Judging => "judging",
            Attack::Reading => "reading",
        }
    }

    /// Sends requests until it is over; returns how many were answered and how many refused.
    pub(super) fn run(
        self,
        site: &str,
        settings: &Settings,
        number: u32,
        is_over: IsOver<'_>,
    ) -> (usize, usize) {
        let mut rng = ChaCha8Rng::seed_from_u64(settings.seed);
        rng.set_stream(u64::from(number) * 16 + self as u64);
        let address = format!("203.0.113.{}", 1 + number % settings.addresses);
        let record =
            if self == Attack::Puzzles { short_game(&mut rng) } else { long_game(&mut rng) };
        let mut imported = None;
        let (mut answered, mut refused) = (0, 0);
        let mut client = None;
        while !is_over() {
            // A new cookie now and then: they are free.
            if client.is_none() || rng.random_ratio(1, 4) {
                client = Client::new(site, None).ok().map(|client| client.forwarded_for(&address));
            }
            let Some(open) = &mut client else {
                refused += 1;
                std::thread::sleep(Duration::from_millis(20));
                continue;
            };
            match self.send(open, &record, &mut imported, &mut rng) {
                Ok((200, _)) => answered += 1,
                Ok(_) => refused += 1,
                Err(_) => {
                    refused += 1;
                    client = None;
                }
            }
        }
        (answered, refused)
    }

    fn send(
        self,
        client: &mut Client,
        record: &str,
        imported: &mut Option<String>,
        rng: &mut ChaCha8Rng,
    ) -> std::io::Result<(u16, Value)> {
        match self {
            Attack::Games => {
                let request = json!({ "kind": "geister", "opponent": "champion", "seat": "second",
                    "red": ["b1", "c1", "d1", "e1"] });
                client.post("/api/v1/games", &request)
            }
            Attack::Reviews | Attack::Puzzles => {
                let (status, game) =
                    client.post("/api/v1/games/import", &json!({ "text": record }))?;
                let Some(id) = game["game"].as_str() else { return Ok((status, game)) };
                if self == Attack::Reviews {
                    return client.get(&format!("/api/v1/games/{id}/review"));
                }
                let ply = rng.random_range(0..20);
                let seat = if ply % 2 == 0 { "first" } else { "second" };
                let request = json!({ "seat": seat, "ply": ply });
                client.post(&format!("/api/v1/games/{id}/puzzle"), &request)
            }
            Attack::Reading => {
                if let Some(id) = imported {
                    return client.get(&format!("/api/v1/games/{id}"));
                }
                let (status, game) =
                    client.post("/api/v1/games/import", &json!({ "text": record }))?;
                *imported = game["game"].as_str().map(str::to_owned);
                Ok((status, game))
            }
            Attack::Analysis => client.get(&random_analysis(rng)),
            Attack::Judging => {
                let (_, puzzle) = client.get("/api/v1/puzzles/next")?;
                let id = puzzle["id"].as_str().unwrap_or("none").to_owned();
                let path = format!("/api/v1/puzzles/{id}/attempts");
                let (status, attempt) = client.post(&path, &json!({ "again": true }))?;
                let Some(moves) = attempt["legal"].as_array() else { return Ok((status, attempt)) };
                let Some(mv) = moves.choose(rng) else { return Ok((status, attempt)) };
                let path =
                    format!("/api/v1/attempts/{}/moves", attempt["attempt"].as_str().unwrap_or(""));
                client.post(&path, &json!({ "move": mv, "ply": 0 }))
            }
        }
    }
}

/// The path of the analysis of a random position with eight ghosts.
pub(super) fn random_analysis(rng: &mut ChaCha8Rng) -> String {
    let mut squares = ['.'; 36];
    for ghost in "BBRRuuuu".chars() {
        loop {
            let at = rng.random_range(0..36);
            if squares[at] == '.' {
                squares[at] = ghost;
                break;
            }
        }
    }
    let position: String = squares.iter().collect();
    format!("/api/v1/analysis?position={position}%202")
}

/// The length of a long game: about as long as a record may be.
const LONG_GAME_PLIES: usize = 900;

/// A random game of Kriegspiel with refused tries, which takes long to review.
fn long_game(rng: &mut ChaCha8Rng) -> String {
    let mut game = Game::default();
    while game.turns().len() < LONG_GAME_PLIES && game.termination().is_none() {
        let tries = game.candidates();
        let Some(&attempt) = tries.choose(rng) else { break };
        if game.attempt(attempt).is_err() {
            break;
        }
    }
    let ended = game.termination().is_some();
    let record = Record::new(game, "one", "two");
    if ended { record.to_string() } else { record.resigned_by(Color::White).to_string() }
}

/// The length of a game that is searched for puzzles.
const SHORT_GAME_PLIES: usize = 40;

/// A random game of Geister, resigned if it is not over.
fn short_game(rng: &mut ChaCha8Rng) -> String {
    let start: games::geister::Game =
        games::geister::Game::new(any_placement(rng), any_placement(rng), 300);
    let (mut game, mut moves) = (start, Vec::new());
    while moves.len() < SHORT_GAME_PLIES && game.outcome().is_none() {
        let Some(&mv) = game.legal_moves().choose(rng) else { break };
        moves.push(mv);
        game = game.play_unchecked(mv);
    }
    let record = GameRecord::new(["one".into(), "two".into()], &start, &moves, 0);
    let record = if game.outcome().is_some() { record } else { record.resigned_by(0) };
    serde_json::to_string(&record).unwrap_or_default()
}
