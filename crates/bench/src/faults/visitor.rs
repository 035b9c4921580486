//! Visitors who solve puzzles, rate them and play games without a pause, and note every answer.

use super::ledger::Ledger;
use crate::site::http::Client;
use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// An answer that takes longer never comes.
const PATIENCE: Duration = Duration::from_secs(12);

/// How long a visitor waits after a failure.
const PAUSE: Duration = Duration::from_millis(40);

/// Games against programs at a time.
const GAMES: usize = 3;

/// A game is resigned after this many plies.
const MAX_PLIES: u64 = 24;

/// Programs that answer fast.
const PROGRAMS: [&str; 3] = ["random", "rush", "style-a"];

/// What all visitors need to know.
pub(super) struct Plan<'a> {
    /// The address of the site.
    pub(super) site: &'a str,
    /// Puzzles to solve.
    pub(super) puzzles: &'a [String],
    /// A record of a game to import.
    pub(super) record: &'a str,
    pub(super) failures: &'a Failures,
}

/// Requests without success.
#[derive(Default)]
pub(super) struct Failures {
    /// The site was not able to answer (429 or 5xx), or no connection could be made.
    pub(super) refused: AtomicUsize,
    /// The answer never came: it may be done or not.
    pub(super) unknown: AtomicUsize,
}

impl Failures {
    pub(super) fn total(&self) -> usize {
        self.refused.load(Relaxed) + self.unknown.load(Relaxed)
    }
}

/// What became of a request.
enum Answer {
    Yes(Value),
    Refused,
    /// There is no such thing.
    Missing,
    Unknown,
}

/// Somebody with a cookie.
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

    fn get(&mut self, path: &str) -> Answer {
        self.ask(|client| client.get(path))
    }

    fn post(&mut self, path: &str, body: &Value) -> Answer {
        self.ask(|client| client.post(path, body))
    }

    fn ask(&mut self, send: impl FnOnce(&mut Client) -> std::io::Result<(u16, Value)>) -> Answer {
        let failures = self.plan.failures;
        if self.client.is_none() {
            let cookie = self.ledger.cookie.clone();
            self.client = Client::with_patience(self.plan.site, cookie, PATIENCE).ok();
        }
        let Some(client) = &mut self.client else {
            failures.refused.fetch_add(1, Relaxed);
            std::thread::sleep(PAUSE);
            return Answer::Refused;
        };
        let begun = Instant::now();
        match send(client) {
            Ok((200..=299, view)) => {
                self.times_ms.push(begun.elapsed().as_secs_f64() * 1e3);
                self.ledger.cookie.clone_from(&client.cookie);
                Answer::Yes(view)
            }
            Ok((404, _)) => Answer::Missing,
            Ok((status, _)) => {
                // What the rules of the game forbid is no failure.
                if status == 429 || status >= 500 {
                    failures.refused.fetch_add(1, Relaxed);
                }
                std::thread::sleep(PAUSE);
                Answer::Refused
            }
            Err(_) => {
                failures.unknown.fetch_add(1, Relaxed);
                self.client = None;
                std::thread::sleep(PAUSE);
                Answer::Unknown
            }
        }
    }

    /// Asks for or changes what is at a path, and notes the answer.
    fn noted(&mut self, path: &str, answer: Answer) -> Option<Value> {
        match answer {
            Answer::Yes(view) => {
                self.ledger.acknowledge(path, &view);
                Some(view)
            }
            Answer::Missing => {
                self.ledger.deny(path);
                None
            }
            Answer::Refused | Answer::Unknown => None,
        }
    }

    fn fetch(&mut self, path: &str) -> Option<Value> {
        let answer = self.get(path);
        self.noted(path, answer)
    }

    fn change(&mut self, path: &str, what: &str, body: &Value) -> Option<Value> {
        let answer = self.post(&format!("{path}/{what}"), body);
        self.noted(path, answer)
    }

    /// Begins something new; its path and how it stands.
    fn begin(&mut self, at: &str, body: &Value) -> Option<(String, Value)> {
        let Answer::Yes(view) = self.post(at, body) else { return None };
        let (kind, id) = match (view["attempt"].as_str(), view["game"].as_str()) {
            (Some(id), _) => ("attempts", id),
            (None, id) => ("games", id?),
        };
        let path = format!("/api/v1/{kind}/{id}");
        self.ledger.acknowledge(&path, &view);
        Some((path, view))
    }
}

/// A visitor, and the friend who accepts invitations.
pub(super) struct Visitor<'a> {
    own: Identity<'a>,
    friend: Identity<'a>,
    /// Games against programs.
    games: Vec<String>,
    random: ChaCha8Rng,
}

/// What a visit left behind.
pub(super) struct Visit {
    pub(super) ledgers: [Ledger; 2],
    pub(super) times_ms: Vec<f64>,
}

impl<'a> Visitor<'a> {
    pub(super) fn new(plan: &'a Plan<'a>, random: ChaCha8Rng) -> Visitor<'a> {
        let [own, friend] = [Identity::new(plan), Identity::new(plan)];
        Visitor { own, friend, games: Vec::new(), random }
    }

    /// Does one thing after another until it is over.
    pub(super) fn visit(mut self, over: &(impl Fn() -> bool + Sync)) -> Visit {
        while !over() {
            // Whatever fails is counted where it is asked, and what comes next is tried all the same.
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

    /// Begins an attempt and plays right and wrong moves, then rates the puzzle.
    fn solve(&mut self, over: &impl Fn() -> bool) -> Option<()> {
        let puzzle = self.own.plan.puzzles.choose(&mut self.random)?;
        let at = format!("/api/v1/puzzles/{puzzle}");
        let (path, mut view) =
            self.own.begin(&format!("{at}/attempts"), &json!({ "again": true }))?;
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
            Answer::Yes(_) => self.own.ledger.rate(puzzle, &path, value, true),
            // A refusal may come after the write: what is refused may be there, as without an answer.
            Answer::Refused | Answer::Missing | Answer::Unknown => {
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
        let fitting: Vec<&Value> = legal.iter().filter(hinted).collect();
        match fitting.choose(&mut self.random) {
            Some(mv) => Some((*mv).clone()),
            None => legal.choose(&mut self.random).cloned(),
        }
    }

    /// Begins a game against a program, or makes a move in one.
    fn play(&mut self) -> Option<()> {
        if self.games.len() < GAMES {
            let program = PROGRAMS.choose(&mut self.random)?;
            let wish = json!({ "kind": "geister", "opponent": program, "red": RED });
            let (path, _) = self.own.begin(GAMES_PATH, &wish)?;
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

    /// Begins a game by link, which the friend joins; one moves and resigns.
    fn invite(&mut self) -> Option<()> {
        let wish = json!({ "kind": "geister", "seat": "first", "red": RED });
        let (path, view) = self.own.begin(GAMES_PATH, &wish)?;
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
        self.own.begin("/api/v1/games/import", &json!({ "text": record })).map(drop)
    }
}

/// Where games begin.
const GAMES_PATH: &str = "/api/v1/games";

/// A set-up.
const RED: [&str; 4] = ["b1", "c1", "d1", "e1"];

/// Everything that visitors need, from a site that works: ids of short puzzles, which are judged fast, and
/// the record of a game.
pub(super) fn prepare(site: &str) -> Result<(Vec<String>, String), String> {
    let failed = |error: std::io::Error| format!("the site did not answer: {error}");
    let mut client = Client::with_patience(site, None, PATIENCE).map_err(failed)?;
    let mut puzzles = Vec::new();
    for page in 1..=4 {
        let path = format!("/api/v1/puzzles?length_max=9&page={page}");
        let (_, list) = client.get(&path).map_err(failed)?;
        let ids = list["puzzles"].as_array().into_iter().flatten();
        puzzles.extend(ids.filter_map(|one| one["id"].as_str().map(str::to_owned)));
    }
    let wish = json!({ "kind": "geister", "opponent": "random", "seat": "first", "red": RED });
    let (status, game) = client.post(GAMES_PATH, &wish).map_err(failed)?;
    let path = format!("{GAMES_PATH}/{}", game["game"].as_str().unwrap_or_default());
    client.post(&format!("{path}/resign"), &json!({})).map_err(failed)?;
    let (_, record) = client.get(&format!("{path}/record?form=json")).map_err(failed)?;
    if status != 200 || puzzles.is_empty() || !record.is_object() {
        return Err(format!("the site has no puzzles or no games: {status} {game} {record}"));
    }
    Ok((puzzles, record.to_string()))
}
