//! What the site acknowledged, and whether it is still there.

use crate::site::http::Client;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

/// How long to wait before a question is asked again.
const PAUSE: Duration = Duration::from_millis(50);

/// One answer takes no longer than this, or it never comes.
const PATIENCE: Duration = Duration::from_secs(10);

/// What one identity was acknowledged.
#[derive(Default)]
pub(super) struct Ledger {
    /// Who it is; without a cookie nothing was acknowledged.
    pub(super) cookie: Option<String>,
    /// Attempts and games by their paths.
    entries: BTreeMap<String, Entry>,
    /// Opinions by the puzzle.
    opinions: BTreeMap<String, Opinion>,
}

/// An attempt or a game.
struct Entry {
    /// How it stood in the last answer.
    last: Standing,
    /// The number of moves in each answer.
    answers: Vec<usize>,
    lost: usize,
    /// A program did not move in time.
    stuck: bool,
}

/// What somebody said about a puzzle.
struct Opinion {
    /// The path of a decided attempt, in which the site shows it.
    path: String,
    acknowledged: usize,
    /// The last value that was acknowledged, and later ones that were not.
    possible: Vec<[i64; 2]>,
    lost: bool,
}

/// An attempt or a game as an answer shows it.
#[derive(PartialEq)]
struct Standing {
    moves: Vec<Value>,
    /// What is final once it is there: the result, the seats that are taken. `null` is not final.
    facts: Vec<Value>,
    /// A program has to move.
    program_to_move: bool,
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let facts: Vec<String> =
            self.facts.iter().filter(|fact| !fact.is_null()).map(Value::to_string).collect();
        write!(f, "{} moves ({})", self.moves.len(), facts.join(" "))
    }
}

impl Standing {
    fn of(view: &Value) -> Standing {
        let game = view["game"].is_string();
        let events = if game { &view["geister"]["events"] } else { &view["events"] };
        let moves = events.as_array().into_iter().flatten();
        let players = || view["players"].as_array().into_iter().flatten();
        let mut facts: Vec<Value> = vec![view["role"].clone(), view["end"].clone()];
        let taken = players().map(|player| player["taken"].as_bool().filter(|taken| *taken).into());
        facts.extend(taken);
        let result = &view["result"];
        facts.extend(["outcome", "counted", "player", "seconds"].map(|part| result[part].clone()));
        let has_program = players().any(|player| player["program"].is_string());
        Standing {
            moves: moves.map(|event| event["move"].clone()).collect(),
            facts,
            program_to_move: has_program
                && view["stage"] == "playing"
                && view["your_turn"] == false,
        }
    }

    /// The moves that it shares with a later one.
    fn common(&self, later: &Standing) -> usize {
        let pairs = self.moves.iter().zip(&later.moves);
        pairs.take_while(|(one, other)| one == other).count()
    }

    /// Whether everything that was final is the same later.
    fn holds(&self, later: &Standing) -> bool {
        let mut pairs = self.facts.iter().zip(&later.facts);
        pairs.all(|(one, other)| one.is_null() || one == other)
    }
}

/// What a comparison found, of one identity or of many.
#[derive(Default)]
pub(super) struct Tally {
    /// Answers with a status of success.
    pub(super) acknowledged: usize,
    /// Those of them that are not there any more.
    pub(super) lost: usize,
    /// Games in which a program did not move in time.
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
    /// Notes an answer that shows an attempt or a game.
    pub(super) fn acknowledge(&mut self, path: &str, view: &Value) {
        let last = Standing::of(view);
        let moves = last.moves.len();
        match self.entries.get_mut(path) {
            Some(entry) => {
                // An answer that takes back an earlier one has lost it.
                let shared = entry.last.common(&last);
                entry.lose_beyond(shared, entry.last.holds(&last));
                entry.last = last;
                entry.answers.push(moves);
            }
            None => {
                let entry = Entry { last, answers: vec![moves], lost: 0, stuck: false };
                self.entries.insert(path.to_owned(), entry);
            }
        }
    }

    /// Notes that the site said that there is no such thing.
    pub(super) fn deny(&mut self, path: &str) {
        if let Some(entry) = self.entries.get_mut(path) {
            entry.lost = entry.answers.len();
        }
    }

    /// Notes an opinion; one that was not acknowledged may or may not be there.
    pub(super) fn rate(&mut self, puzzle: &str, path: &str, value: [i64; 2], acknowledged: bool) {
        let opinion = self.opinions.entry(puzzle.to_owned()).or_insert_with(|| Opinion {
            path: path.to_owned(),
            acknowledged: 0,
            possible: Vec::new(),
            lost: false,
        });
        if acknowledged {
            opinion.acknowledged += 1;
            opinion.possible.clear();
        }
        opinion.possible.push(value);
    }

    /// What was found so far.
    pub(super) fn tally(&self) -> Tally {
        let (entries, opinions) = (self.entries.values(), self.opinions.values());
        let rated = opinions.clone().map(|opinion| opinion.acknowledged).sum::<usize>();
        Tally {
            acknowledged: entries.clone().map(|entry| entry.answers.len()).sum::<usize>() + rated,
            lost: entries.clone().map(|entry| entry.lost).sum::<usize>()
                + opinions.filter(|opinion| opinion.lost && opinion.acknowledged > 0).count(),
            stuck: entries.filter(|entry| entry.stuck).count(),
        }
    }

    /// Compares everything with what the site shows to the same identity. A program that has to move has
    /// until `deadline`; so has the site to answer at all. Returns a line for each loss.
    pub(super) fn compare(&mut self, site: &str, deadline: Instant) -> Vec<String> {
        let Some(cookie) = &self.cookie else { return Vec::new() };
        let mut reader = Reader { site, cookie, client: None, deadline };
        let mut lines = Vec::new();
        let mut waiting = Vec::new();
        for (path, entry) in &mut self.entries {
            match reader.read(path) {
                (200, view) => {
                    let now = Standing::of(&view);
                    let shared = entry.last.common(&now);
                    let before = entry.lost;
                    entry.lose_beyond(shared, entry.last.holds(&now));
                    if entry.lost > before {
                        lines.push(format!("{path}: {} became {now}", entry.last));
                    }
                    if now.program_to_move && !entry.stuck {
                        waiting.push(path.clone());
                    }
                }
                (status, view) => {
                    entry.lost = entry.answers.len();
                    lines.push(format!("{path}: answered {status} {view}"));
                }
            }
        }
        for opinion in self.opinions.values_mut() {
            let (status, view) = reader.read(&opinion.path);
            let mine = &view["result"]["mine"];
            let kept = [&mine["interest"], &mine["difficulty"]].map(Value::as_i64);
            let kept = [kept[0].unwrap_or(i64::MIN), kept[1].unwrap_or(i64::MIN)];
            if opinion.acknowledged > 0 && !opinion.possible.contains(&kept) {
                opinion.lost = true;
                let expected = &opinion.possible;
                lines.push(format!(
                    "{}: the opinion was {expected:?}: {status} {mine}",
                    opinion.path
                ));
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
    /// Notes how many answers are lost if only this many moves are left, and whether what was final is.
    fn lose_beyond(&mut self, moves: usize, holds: bool) {
        let beyond = self.answers.iter().filter(|&&answer| answer > moves).count();
        self.lost = self.lost.max(beyond.max(usize::from(!holds)));
    }
}

/// Reads with patience: a site that has just recovered may still refuse once.
struct Reader<'a> {
    site: &'a str,
    cookie: &'a str,
    client: Option<Client>,
    deadline: Instant,
}

impl Reader<'_> {
    /// The status and the body; 0 if there was no answer until the deadline.
    fn read(&mut self, path: &str) -> (u16, Value) {
        loop {
            let answer = match &mut self.client {
                Some(client) => client.get(path),
                None => Client::with_patience(self.site, Some(self.cookie.to_owned()), PATIENCE)
                    .and_then(|client| self.client.insert(client).get(path)),
            };
            let late = Instant::now() >= self.deadline;
            match answer {
                Ok((status, view)) if status < 429 || late => return (status, view),
                Ok(_) => {}
                Err(_) if late => return (0, Value::Null),
                Err(_) => self.client = None,
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// Whether the program in a game moves until the deadline.
    fn wait_for_program(&mut self, path: &str) -> bool {
        loop {
            let (_, view) = self.read(path);
            if !Standing::of(&view).program_to_move {
                return true;
            }
            if Instant::now() >= self.deadline {
                return false;
            }
            std::thread::sleep(PAUSE);
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

    fn lost(answers: &[Value]) -> usize {
        let mut ledger = Ledger::default();
        answers.iter().for_each(|answer| ledger.acknowledge("/g", answer));
        ledger.tally().lost
    }

    #[test]
    fn moves_that_vanish_or_differ_are_lost() {
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
    fn what_the_site_denies_is_lost() {
        let mut ledger = Ledger::default();
        ledger.acknowledge("/g", &game(&["a1a2"], &Value::Null));
        ledger.deny("/g");
        ledger.deny("/never seen");
        ledger.rate("p", "/a", [1, 2], false);
        let tally = ledger.tally();
        assert_eq!((tally.acknowledged, tally.lost), (1, 1));
    }
}
