//! What the site acknowledged, and whether it is still stored.

use crate::site::http::Client;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

/// The delay before a request is repeated.
const RETRY_DELAY: Duration = Duration::from_millis(50);

/// The timeout of a response.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(10);

/// What was acknowledged to one visitor.
#[derive(Default)]
pub(super) struct Ledger {
    /// The visitor's identity; without a cookie nothing was acknowledged.
    pub(super) cookie: Option<String>,
    /// Attempts and games by their paths.
    entries: BTreeMap<String, Entry>,
    /// Ratings by the puzzle.
    ratings: BTreeMap<String, PuzzleRating>,
}

/// An attempt or a game.
struct Entry {
    /// The state in the last response.
    last: State,
    /// The number of moves in each response.
    responses: Vec<usize>,
    lost: usize,
    /// A computer player did not move in time.
    stuck: bool,
}

/// A visitor's rating of a puzzle.
struct PuzzleRating {
    /// The path of a decided attempt, in which the site shows it.
    path: String,
    acknowledged: usize,
    /// The last acknowledged value, and later ones without an acknowledgement.
    possible: Vec<[i64; 2]>,
    lost: bool,
}

/// The state of an attempt or a game in a response.
#[derive(PartialEq)]
struct State {
    moves: Vec<Value>,
    /// Values that never change once they are set: the result, the taken seats. `null` is not set.
    final_values: Vec<Value>,
    /// It is a computer player's turn.
    program_to_move: bool,
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let final_values: Vec<String> = self
            .final_values
            .iter()
            .filter(|value| !value.is_null())
            .map(Value::to_string)
            .collect();
        write!(f, "{} moves ({})", self.moves.len(), final_values.join(" "))
    }
}

impl State {
    fn of(view: &Value) -> State {
        let game = view["game"].is_string();
        let events = if game { &view["geister"]["events"] } else { &view["events"] };
        let moves = events.as_array().into_iter().flatten();
        let players = || view["players"].as_array().into_iter().flatten();
        let mut final_values: Vec<Value> = vec![view["role"].clone(), view["end"].clone()];
        let taken = players().map(|player| player["taken"].as_bool().filter(|taken| *taken).into());
        final_values.extend(taken);
        let result = &view["result"];
        final_values
            .extend(["outcome", "counted", "player", "seconds"].map(|part| result[part].clone()));
        let has_program = players().any(|player| player["program"].is_string());
        State {
            moves: moves.map(|event| event["move"].clone()).collect(),
            final_values,
            program_to_move: has_program
                && view["stage"] == "playing"
                && view["your_turn"] == false,
        }
    }

    /// The number of moves that a later state shares.
    fn shared_moves(&self, later: &State) -> usize {
        let pairs = self.moves.iter().zip(&later.moves);
        pairs.take_while(|(one, other)| one == other).count()
    }

    /// Whether a later state has the same final values.
    fn keeps_final_values(&self, later: &State) -> bool {
        let mut pairs = self.final_values.iter().zip(&later.final_values);
        pairs.all(|(one, other)| one.is_null() || one == other)
    }
}

/// Totals of one visitor or of many.
#[derive(Default)]
pub(super) struct Tally {
    /// Successful responses.
    pub(super) acknowledged: usize,
    /// Those of them whose content is gone.
    pub(super) lost: usize,
    /// Games in which a computer player did not move in time.
    pub(super) stuck: usize,
}

impl Tally {
    pub(super) fn add(&mut self, other: &Tally) {
        self.acknowledged += other.acknowledged;
        self.lost += other.lost;
        self.stuck += other.stuck;
    }
}

impl Ledger {
    /// Records a response that shows an attempt or a game.
    pub(super) fn acknowledge(&mut self, path: &str, view: &Value) {
        let last = State::of(view);
        let moves = last.moves.len();
        match self.entries.get_mut(path) {
            Some(entry) => {
                // A response that contradicts an earlier one has lost it.
                let shared = entry.last.shared_moves(&last);
                entry.count_lost(shared, entry.last.keeps_final_values(&last));
                entry.last = last;
                entry.responses.push(moves);
            }
            None => {
                let entry = Entry { last, responses: vec![moves], lost: 0, stuck: false };
                self.entries.insert(path.to_owned(), entry);
            }
        }
    }

    /// Records a response that says that there is no such attempt or game.
    pub(super) fn not_found(&mut self, path: &str) {
        if let Some(entry) = self.entries.get_mut(path) {
            entry.lost = entry.responses.len();
        }
    }

    /// Records a rating; without an acknowledgement it may or may not be stored.
    pub(super) fn rate(&mut self, puzzle: &str, path: &str, value: [i64; 2], acknowledged: bool) {
        let rating = self.ratings.entry(puzzle.to_owned()).or_insert_with(|| PuzzleRating {
            path: path.to_owned(),
            acknowledged: 0,
            possible: Vec::new(),
            lost: false,
        });
        if acknowledged {
            rating.acknowledged += 1;
            rating.possible.clear();
        }
        rating.possible.push(value);
    }

    /// The totals so far.
    pub(super) fn tally(&self) -> Tally {
        let (entries, ratings) = (self.entries.values(), self.ratings.values());
        let rated = ratings.clone().map(|rating| rating.acknowledged).sum::<usize>();
        Tally {
            acknowledged: entries.clone().map(|entry| entry.responses.len()).sum::<usize>() + rated,
            lost: entries.clone().map(|entry| entry.lost).sum::<usize>()
                + ratings.filter(|rating| rating.lost && rating.acknowledged > 0).count(),
            stuck: entries.filter(|entry| entry.stuck).count(),
        }
    }

    /// Compares everything with what the site shows to the same visitor. Until `deadline` a computer player
    /// has to move, and the site has to respond. Returns a line for each loss.
    pub(super) fn compare(&mut self, site: &str, deadline: Instant) -> Vec<String> {
        let Some(cookie) = &self.cookie else { return Vec::new() };
        let mut reader = Reader { site, cookie, client: None, deadline };
        let mut lines = Vec::new();
        let mut waiting = Vec::new();
        for (path, entry) in &mut self.entries {
            match reader.read(path) {
                (200, view) => {
                    let now = State::of(&view);
                    let shared = entry.last.shared_moves(&now);
                    let before = entry.lost;
                    entry.count_lost(shared, entry.last.keeps_final_values(&now));
                    if entry.lost > before {
                        lines.push(format!("{path}: {} became {now}", entry.last));
                    }
                    if now.program_to_move && !entry.stuck {
                        waiting.push(path.clone());
                    }
                }
                (status, view) => {
                    entry.lost = entry.responses.len();
                    lines.push(format!("{path}: answered {status} {view}"));
                }
            }
        }
        for rating in self.ratings.values_mut() {
            let (status, view) = reader.read(&rating.path);
            let mine = &view["result"]["mine"];
            let kept = [&mine["interest"], &mine["difficulty"]].map(Value::as_i64);
            let kept = [kept[0].unwrap_or(i64::MIN), kept[1].unwrap_or(i64::MIN)];
            if rating.acknowledged > 0 && !rating.possible.contains(&kept) {
                rating.lost = true;
                let expected = &rating.possible;
                lines
                    .push(format!("{}: the rating was {expected:?}: {status} {mine}", rating.path));
            }
        }
        for path in waiting {
            let moved = reader.wait_for_program(&path);
            if let (false, Some(entry)) = (moved, self.entries.get_mut(&path)) {
                entry.stuck = true;
                lines.push(format!("{path}: no program moved in time"));
            }
        }
        lines
    }
}

impl Entry {
    /// Counts the responses that are lost if only this many moves are stored, and if final values changed.
    fn count_lost(&mut self, moves: usize, final_values_kept: bool) {
        let lost = self.responses.iter().filter(|&&response| response > moves).count();
        self.lost = self.lost.max(lost.max(usize::from(!final_values_kept)));
    }
}

/// Reads from the site and repeats refused requests: a site that has just recovered may still refuse.
struct Reader<'a> {
    site: &'a str,
    cookie: &'a str,
    client: Option<Client>,
    deadline: Instant,
}

impl Reader<'_> {
    /// The status and the body; 0 if there was no response until the deadline.
    fn read(&mut self, path: &str) -> (u16, Value) {
        loop {
            let answer = match &mut self.client {
                Some(client) => client.get(path),
                None => {
                    Client::with_timeout(self.site, Some(self.cookie.to_owned()), RESPONSE_TIMEOUT)
                        .and_then(|client| self.client.insert(client).get(path))
                }
            };
            let late = Instant::now() >= self.deadline;
            match answer {
                Ok((status, view)) if status < 429 || late => return (status, view),
                Ok(_) => {}
                Err(_) if late => return (0, Value::Null),
                Err(_) => self.client = None,
            }
            std::thread::sleep(RETRY_DELAY);
        }
    }

    /// Whether the computer player moves until the deadline.
    fn wait_for_program(&mut self, path: &str) -> bool {
        loop {
            let (_, view) = self.read(path);
            if !State::of(&view).program_to_move {
                return true;
            }
            if Instant::now() >= self.deadline {
                return false;
            }
            std::thread::sleep(RETRY_DELAY);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn game(moves: &[&str], end: &Value) -> Value {
        let events: Vec<Value> = moves.iter().map(|mv| json!({ "move": mv })).collect();
        json!({ "game": "g", "role": "first", "end": end, "geister": { "events": events } })
    }

    fn lost(responses: &[Value]) -> usize {
        let mut ledger = Ledger::default();
        responses.iter().for_each(|answer| ledger.acknowledge("/g", answer));
        ledger.tally().lost
    }

    #[test]
    fn responses_with_missing_or_different_moves_are_lost() {
        let first = game(&["a1a2"], &Value::Null);
        let second = game(&["a1a2", "b6b5"], &Value::Null);
        let third = game(&["a1a2", "b6b5", "a2a3"], &json!({ "how": "resigned" }));
        assert_eq!(lost(&[first.clone(), second.clone(), third.clone()]), 0);
        assert_eq!(lost(&[first.clone(), second.clone(), first.clone()]), 1);
        assert_eq!(lost(&[second.clone(), game(&["a1b1", "b6b5"], &Value::Null)]), 1);
        assert_eq!(lost(&[third.clone(), game(&["a1a2", "b6b5", "a2a3"], &Value::Null)]), 1);
        assert_eq!(lost(&[first, second, third, game(&[], &Value::Null)]), 3);
    }

    #[test]
    fn an_entry_that_is_not_found_is_lost() {
        let mut ledger = Ledger::default();
        ledger.acknowledge("/g", &game(&["a1a2"], &Value::Null));
        ledger.not_found("/g");
        ledger.not_found("/never seen");
        ledger.rate("p", "/a", [1, 2], false);
        let tally = ledger.tally();
        assert_eq!((tally.acknowledged, tally.lost), (1, 1));
    }
}
