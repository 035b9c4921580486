//! Visitors who solve puzzles, rate them and play games without a pause, and record every response.

use super::ledger::Ledger;
use crate::site::http::Client;
use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The timeout of a response.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(12);

/// The delay after a failed request.
const RETRY_DELAY: Duration = Duration::from_millis(40);

/// The number of simultaneous games against computer players.
const MAX_GAMES: usize = 3;

/// A game is resigned after this many plies.
const MAX_PLIES: u64 = 24;

/// Computer players that move fast.
const PROGRAMS: [&str; 3] = ["random", "rush", "style-a"];

/// What all visitors of a cycle share.
pub(super) struct Plan<'a> {
    /// The address of the site.
    pub(super) site: &'a str,
    /// Puzzles to solve.
    pub(super) puzzles: &'a [String],
    /// A record of a game to import.
    pub(super) record: &'a str,
    pub(super) failures: &'a Failures,
}

/// The counts of failed requests.
#[derive(Default)]
pub(super) struct Failures {
    /// The site refused (429 or 5xx), or no connection could be made.
    pub(super) refused: AtomicUsize,
    /// There was no response: the request may have been carried out or not.
    pub(super) unknown: AtomicUsize,
}

impl Failures {
    pub(super) fn total(&self) -> usize {
        self.refused.load(Relaxed) + self.unknown.load(Relaxed)
    }
}

/// The result of a request.
enum Response {
    Success(Value),
    Refused,
    NotFound,
    /// There was no response: the request may have been carried out or not.
    None,
}

/// A visitor's cookie, connection and ledger.
struct Identity<'a> {
    plan: &'a Plan<'a>,
    client: Option<Client>,
    ledger: Ledger,
    times_ms: Vec<f64>,
}

impl<'a> Identity<'a> {
    fn new(plan: &'a Plan<'a>) -> Identity<'a> {
        Identity { plan, client: None, ledger: Ledger::default(), times_ms: Vec::new() }
    }

    fn get(&mut self, path: &str) -> Response {
        self.send(|client| client.get(path))
    }

    fn post(&mut self, path: &str, body: &Value) -> Response {
        self.send(|client| client.post(path, body))
    }

    fn send(
        &mut self,
        send: impl FnOnce(&mut Client) -> std::io::Result<(u16, Value)>,
    ) -> Response {
        let failures = self.plan.failures;
        if self.client.is_none() {
            let cookie = self.ledger.cookie.clone();
            self.client = Client::with_timeout(self.plan.site, cookie, RESPONSE_TIMEOUT).ok();
        }
        let Some(client) = &mut self.client else {
            failures.refused.fetch_add(1, Relaxed);
            std::thread::sleep(RETRY_DELAY);
            return Response::Refused;
        };
        let start = Instant::now();
        match send(client) {
            Ok((200..=299, view)) => {
                self.times_ms.push(start.elapsed().as_secs_f64() * 1e3);
                self.ledger.cookie.clone_from(&client.cookie);
                Response::Success(view)
            }
            Ok((404, _)) => Response::NotFound,
            Ok((status, _)) => {
                // A request that the rules of the game forbid is not a failure.
                if status == 429 || status >= 500 {
                    failures.refused.fetch_add(1, Relaxed);
                }
                std::thread::sleep(RETRY_DELAY);
                Response::Refused
            }
            Err(_) => {
                failures.unknown.fetch_add(1, Relaxed);
                self.client = None;
                std::thread::sleep(RETRY_DELAY);
                Response::None
            }
        }
    }

    /// Records the response for the attempt or game at a path.
    fn record(&mut self, path: &str, response: Response) -> Option<Value> {
        match response {
            Response::Success(view) => {
                self.ledger.acknowledge(path, &view);
                Some(view)
            }
            Response::NotFound => {
                self.ledger.not_found(path);
                None
            }
            Response::Refused | Response::None => None,
        }
    }

    fn fetch(&mut self, path: &str) -> Option<Value> {
        let response = self.get(path);
        self.record(path, response)
    }

    fn change(&mut self, path: &str, action: &str, body: &Value) -> Option<Value> {
        let response = self.post(&format!("{path}/{action}"), body);
        self.record(path, response)
    }

    /// Starts an attempt or a game; returns its path and its state.
    fn start(&mut self, collection: &str, body: &Value) -> Option<(String, Value)> {
        let Response::Success(view) = self.post(collection, body) else { return None };
        let (kind, id) = match (view["attempt"].as_str(), view["game"].as_str()) {
            (Some(id), _) => ("attempts", id),
            (None, id) => ("games", id?),
        };
        let path = format!("/api/v1/{kind}/{id}");
        self.ledger.acknowledge(&path, &view);
        Some((path, view))
    }
}

/// A visitor and a friend who accepts invitations.
pub(super) struct Visitor<'a> {
    own: Identity<'a>,
    friend: Identity<'a>,
    /// The paths of the games against computer players.
    games: Vec<String>,
    random: ChaCha8Rng,
}

/// What the visitor and the friend recorded.
pub(super) struct Visit {
    pub(super) ledgers: [Ledger; 2],
    pub(super) times_ms: Vec<f64>,
}

impl<'a> Visitor<'a> {
    pub(super) fn new(plan: &'a Plan<'a>, random: ChaCha8Rng) -> Visitor<'a> {
        let [own, friend] = [Identity::new(plan), Identity::new(plan)];
        Visitor { own, friend, games: Vec::new(), random }
    }

    /// Does random things until `over`.
    pub(super) fn visit(mut self, over: &(impl Fn() -> bool + Sync)) -> Visit {
        while !over() {
            // Failures are counted where requests are sent; the visitor carries on.
            let _ = match self.random.random_range(0..10) {
                0..4 => self.solve(over),
                4..8 => self.play(),
                8 => self.invite(),
                _ => self.import(),
            };
        }
        let mut times_ms = self.own.times_ms;
        times_ms.extend(self.friend.times_ms);
        Visit { ledgers: [self.own.ledger, self.friend.ledger], times_ms }
    }

    /// Starts an attempt, plays right and wrong moves, and rates the puzzle.
    fn solve(&mut self, over: &impl Fn() -> bool) -> Option<()> {
        let puzzle = self.own.plan.puzzles.choose(&mut self.random)?;
        let at = format!("/api/v1/puzzles/{puzzle}");
        let (path, mut view) =
            self.own.start(&format!("{at}/attempts"), &json!({ "again": true }))?;
        while view["result"].is_null() && !over() {
            if !view["plies"].is_null() && self.random.random_range(0..3) > 0 {
                // Without hints nearly every attempt would fail at the first move.
                view = self.own.change(&path, "hint", &json!({}))?;
            }
            let mv = self.choose(view["legal"].as_array()?, view["hint"].as_str())?;
            let ply = view["events"].as_array()?.len();
            view = self.own.change(&path, "moves", &json!({ "move": mv, "ply": ply }))?;
        }
        if view["result"].is_null() {
            return None;
        }
        let value = [0, 0].map(|_: i64| self.random.random_range(-2..=2));
        let body = json!({ "interest": value[0], "difficulty": value[1] });
        match self.own.post(&format!("{at}/ratings"), &body) {
            Response::Success(_) => self.own.ledger.rate(puzzle, &path, value, true),
            // A refusal may come after the write: the rating may be stored, as without a response.
            Response::Refused | Response::NotFound | Response::None => {
                self.own.ledger.rate(puzzle, &path, value, false);
            }
        }
        Some(())
    }

    /// A random move, from the square of the hint if there is one.
    fn choose(&mut self, legal: &[Value], hint: Option<&str>) -> Option<Value> {
        let hinted = |mv: &&Value| {
            hint.is_some_and(|square| mv.as_str().is_some_and(|mv| mv.starts_with(square)))
        };
        let matching: Vec<&Value> = legal.iter().filter(hinted).collect();
        match matching.choose(&mut self.random) {
            Some(mv) => Some((*mv).clone()),
            None => legal.choose(&mut self.random).cloned(),
        }
    }

    /// Starts a game against a computer player, or makes a move in one.
    fn play(&mut self) -> Option<()> {
        if self.games.len() < MAX_GAMES {
            let program = PROGRAMS.choose(&mut self.random)?;
            let request = json!({ "kind": "geister", "opponent": program, "red": RED });
            let (path, _) = self.own.start(GAMES_PATH, &request)?;
            self.games.push(path);
        }
        let number = self.random.random_range(0..self.games.len());
        let path = self.games[number].clone();
        let view = self.own.fetch(&path)?;
        let view = match self.choose(view["geister"]["legal"].as_array()?, None) {
            Some(_) if view["ply"].as_u64()? >= MAX_PLIES => {
                self.own.change(&path, "resign", &json!({}))?
            }
            Some(mv) => {
                self.own.change(&path, "moves", &json!({ "move": mv, "ply": view["ply"] }))?
            }
            None => view,
        };
        if view["stage"] == "over" {
            self.games.swap_remove(number);
        }
        Some(())
    }

    /// Starts a game by invite link, which the friend joins; the visitor moves, and the friend resigns.
    fn invite(&mut self) -> Option<()> {
        let request = json!({ "kind": "geister", "seat": "first", "red": RED });
        let (path, view) = self.own.start(GAMES_PATH, &request)?;
        self.friend.change(&path, "join", &json!({ "invite": view["invite"] }))?;
        self.friend.change(&path, "setup", &json!({ "red": RED }))?;
        let view = self.own.fetch(&path)?;
        let mv = self.choose(view["geister"]["legal"].as_array()?, None)?;
        self.own.change(&path, "moves", &json!({ "move": mv, "ply": view["ply"] }))?;
        self.friend.change(&path, "resign", &json!({}))?;
        Some(())
    }

    /// Imports the record of a game.
    fn import(&mut self) -> Option<()> {
        let record = self.own.plan.record;
        self.own.start("/api/v1/games/import", &json!({ "text": record })).map(drop)
    }
}

/// The path of the games.
const GAMES_PATH: &str = "/api/v1/games";

/// The red ghosts of every set-up.
const RED: [&str; 4] = ["b1", "c1", "d1", "e1"];

/// Reads what visitors need from a working site: ids of short puzzles, whose moves are judged fast, and
/// the record of a game.
pub(super) fn prepare(site: &str) -> Result<(Vec<String>, String), String> {
    let failed = |error: std::io::Error| format!("the site did not answer: {error}");
    let mut client = Client::with_timeout(site, None, RESPONSE_TIMEOUT).map_err(failed)?;
    let mut puzzles = Vec::new();
    for page in 1..=4 {
        let path = format!("/api/v1/puzzles?length_max=9&page={page}");
        let (_, list) = client.get(&path).map_err(failed)?;
        let ids = list["puzzles"].as_array().into_iter().flatten();
        puzzles.extend(ids.filter_map(|one| one["id"].as_str().map(str::to_owned)));
    }
    let request = json!({ "kind": "geister", "opponent": "random", "seat": "first", "red": RED });
    let (status, game) = client.post(GAMES_PATH, &request).map_err(failed)?;
    let path = format!("{GAMES_PATH}/{}", game["game"].as_str().unwrap_or_default());
    client.post(&format!("{path}/resign"), &json!({})).map_err(failed)?;
    let (_, record) = client.get(&format!("{path}/record?form=json")).map_err(failed)?;
    if status != 200 || puzzles.is_empty() || !record.is_object() {
        return Err(format!("the site has no puzzles or no games: {status} {game} {record}"));
    }
    Ok((puzzles, record.to_string()))
}
