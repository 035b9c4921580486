//! Counters of rating changes, and of anomalies that look like an attack on the ratings.

use crate::log::Log;
use crate::metrics::Exposition;
use crate::rating_policy::HISTORY_ATTEMPTS;
use crate::store::{Decision, Observed};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A pattern that looks like an attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Anomaly {
    /// A newcomer solved far more puzzles than expected by the ratings.
    StrongNewcomer,
    /// Many identities without a history tried the same puzzle within an hour.
    PuzzleFlood,
    /// Many new identities came from one address within an hour.
    ManyIdentities,
}

impl Anomaly {
    const ALL: [Anomaly; 3] =
        [Anomaly::StrongNewcomer, Anomaly::PuzzleFlood, Anomaly::ManyIdentities];

    const fn name(self) -> &'static str {
        match self {
            Anomaly::StrongNewcomer => "strong-newcomer",
            Anomaly::PuzzleFlood => "puzzle-flood",
            Anomaly::ManyIdentities => "many-identities",
        }
    }

    /// A sentence for the log, without addresses and identities.
    const fn sentence(self) -> &'static str {
        match self {
            Anomaly::StrongNewcomer => {
                "a new player solved far more puzzles than expected; the solutions may be prepared"
            }
            Anomaly::PuzzleFlood => "many new identities try the same puzzle",
            Anomaly::ManyIdentities => "many new identities come from one address",
        }
    }
}

/// Solved puzzles above the expected number, within the first attempts of an identity.
const SURPLUS: f64 = 4.0;
/// Attempts at one puzzle by identities without a history, in an hour.
const FLOOD: u32 = 50;
/// New identities from one address, in an hour.
const IDENTITIES: usize = 20;
/// The window of the counts.
const HOUR: Duration = Duration::from_secs(3600);
/// Each kind of anomaly is logged no more often than this.
const LOG_PAUSE: Duration = Duration::from_secs(600);
/// Entries of each table; a full one is emptied, since these are counters and not a judgement.
const MAX_ENTRIES: usize = 10_000;

#[derive(Default)]
struct Counts {
    unrated: BTreeMap<&'static str, u64>,
    player_moves: u64,
    puzzle_moves: u64,
    without_history: u64,
    anomalies: BTreeMap<Anomaly, u64>,
    logged: BTreeMap<Anomaly, Instant>,
    /// By identity: attempts, and solved puzzles above expectation.
    newcomers: HashMap<String, (i64, f64)>,
    /// By puzzle: since when, and how many attempts.
    puzzles: HashMap<String, (Instant, u32)>,
    /// By address: since when, and which new identities.
    addresses: HashMap<String, (Instant, HashSet<String>)>,
}

/// The counters of rating changes.
#[derive(Default)]
pub struct RatingCounters {
    counts: Mutex<Counts>,
}

impl RatingCounters {
    /// Counts the decision about an attempt of a person at a puzzle from an address, and logs what
    /// looks like an attack.
    pub fn count(&self, decision: &Decision, who: [&str; 3], log: &Log) {
        for sentence in self.count_at(decision, who, Instant::now()) {
            log.warn(sentence, &[]);
        }
    }

    fn count_at(
        &self,
        decision: &Decision,
        [person, puzzle, address]: [&str; 3],
        now: Instant,
    ) -> Vec<&'static str> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        match decision.unrated {
            Some(reason) => *counts.unrated.entry(reason.name()).or_default() += 1,
            None => counts.player_moves += 1,
        }
        let Some(observed) = decision.observed else { return Vec::new() };
        counts.puzzle_moves += u64::from(observed.puzzle_moved);
        if observed.history.is_established() {
            return Vec::new();
        }
        counts.without_history += 1;
        let found = [
            counts.is_strong(person, &observed).then_some(Anomaly::StrongNewcomer),
            counts.is_flooded(puzzle, now).then_some(Anomaly::PuzzleFlood),
            counts.is_crowded(address, person, &observed, now).then_some(Anomaly::ManyIdentities),
        ];
        let found = found.into_iter().flatten();
        found.filter_map(|anomaly| counts.report(anomaly, now)).collect()
    }

    pub(crate) fn write(&self, text: &mut Exposition) {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        for (name, help, count) in [
            ("spuk_player_rating_moves_total", "Moves of players' ratings.", counts.player_moves),
            ("spuk_puzzle_rating_moves_total", "Moves of puzzles' ratings.", counts.puzzle_moves),
            (
                "spuk_attempts_without_history_total",
                "Decided attempts of identities without a history.",
                counts.without_history,
            ),
        ] {
            text.family(name, "counter", help);
            text.sample(name, &[], count as f64);
        }
        let name = "spuk_unrated_attempts_total";
        text.family(name, "counter", "Attempts that moved no rating, by reason.");
        for (reason, count) in &counts.unrated {
            text.sample(name, &[("reason", reason)], *count as f64);
        }
        let name = "spuk_rating_anomalies_total";
        text.family(name, "counter", "What looks like an attack on ratings, by kind.");
        for anomaly in Anomaly::ALL {
            let count = counts.anomalies.get(&anomaly).copied().unwrap_or(0);
            text.sample(name, &[("kind", anomaly.name())], count as f64);
        }
    }
}

impl Counts {
    /// Whether this newcomer now solves far too much; `true` once for each.
    fn is_strong(&mut self, person: &str, observed: &Observed) -> bool {
        bound(&mut self.newcomers);
        let (attempts, surplus) = self.newcomers.entry(person.to_owned()).or_default();
        if *attempts >= HISTORY_ATTEMPTS || *surplus >= SURPLUS {
            return false;
        }
        *attempts += 1;
        *surplus += f64::from(u8::from(observed.solved)) - observed.probability;
        *surplus >= SURPLUS
    }

    /// Whether this attempt makes a puzzle a flooded one; once an hour.
    fn is_flooded(&mut self, puzzle: &str, now: Instant) -> bool {
        bound(&mut self.puzzles);
        let (since, count) = self.puzzles.entry(puzzle.to_owned()).or_insert((now, 0));
        if now.saturating_duration_since(*since) >= HOUR {
            (*since, *count) = (now, 0);
        }
        *count = count.saturating_add(1);
        *count == FLOOD
    }

    /// Whether this identity makes an address one with too many new ones; once an hour.
    fn is_crowded(
        &mut self,
        address: &str,
        person: &str,
        observed: &Observed,
        now: Instant,
    ) -> bool {
        if observed.history.counted > 0 {
            return false;
        }
        bound(&mut self.addresses);
        let (since, people) =
            self.addresses.entry(address.to_owned()).or_insert((now, HashSet::new()));
        if now.saturating_duration_since(*since) >= HOUR {
            (*since, *people) = (now, HashSet::new());
        }
        people.len() < IDENTITIES && people.insert(person.to_owned()) && people.len() == IDENTITIES
    }

    /// Counts an anomaly; the sentence for the log unless one of its kind was logged shortly before.
    fn report(&mut self, anomaly: Anomaly, now: Instant) -> Option<&'static str> {
        *self.anomalies.entry(anomaly).or_default() += 1;
        let last = self.logged.get(&anomaly);
        if last.is_some_and(|last| now.saturating_duration_since(*last) < LOG_PAUSE) {
            return None;
        }
        self.logged.insert(anomaly, now);
        Some(anomaly.sentence())
    }
}

fn bound<T>(table: &mut HashMap<String, T>) {
    if table.len() >= MAX_ENTRIES {
        table.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating_policy::{History, Unrated};

    fn first(probability: f64, solved: bool) -> Decision {
        let history = History::default();
        let observed = Some(Observed { history, probability, solved, puzzle_moved: false });
        Decision { unrated: None, observed }
    }

    fn text_of(counters: &RatingCounters) -> String {
        let mut text = Exposition::default();
        counters.write(&mut text);
        text.finish()
    }

    fn anomalies(counters: &RatingCounters, anomaly: Anomaly) -> u64 {
        counters.counts.lock().unwrap().anomalies.get(&anomaly).copied().unwrap_or(0)
    }

    #[test]
    fn prepared_solutions_raise_an_anomaly_and_strong_players_do_not() {
        let now = Instant::now();
        for (probability, noticed) in [(0.05, 1), (0.2, 1), (0.85, 0), (0.65, 0)] {
            let counters = RatingCounters::default();
            for number in 0..10 {
                counters.count_at(
                    &first(probability, true),
                    ["ann", &number.to_string(), "a"],
                    now,
                );
            }
            assert_eq!(anomalies(&counters, Anomaly::StrongNewcomer), noticed, "{probability}");
        }
    }

    #[test]
    fn rating_anomalies_are_counted_hourly_and_logged_rarely() {
        let counters = RatingCounters::default();
        let start = Instant::now();
        let flood = |now: Instant, from: u32| -> usize {
            let people = (0..300).map(|number| (from + number).to_string());
            people
                .map(|person| counters.count_at(&first(0.5, false), [&person, "p", "a"], now).len())
                .sum()
        };
        assert_eq!(flood(start, 0), 2);
        assert_eq!(flood(start + Duration::from_secs(60), 300), 0);
        for anomaly in [Anomaly::PuzzleFlood, Anomaly::ManyIdentities] {
            assert_eq!(anomalies(&counters, anomaly), 1);
        }
        assert_eq!(flood(start + HOUR, 600), 2);
        assert_eq!(flood(start + 2 * HOUR - Duration::from_secs(1), 900), 0);
        let text = text_of(&counters);
        assert!(text.contains("spuk_rating_anomalies_total{kind=\"puzzle-flood\"} 2"), "{text}");
        assert!(text.contains("spuk_attempts_without_history_total 1200"), "{text}");
        assert!(!text.contains("puzzle=\"p\"") && text.ends_with('\n'));
        let refused = Decision { unrated: Some(Unrated::SameAddress), observed: None };
        counters.count_at(&refused, ["x", "p", "a"], start);
        assert!(
            text_of(&counters).contains("spuk_unrated_attempts_total{reason=\"same-address\"} 1")
        );
    }

    #[test]
    fn memory_is_bounded() {
        let counters = RatingCounters::default();
        let now = Instant::now();
        for number in 0..MAX_ENTRIES + 10 {
            let name = number.to_string();
            counters.count_at(&first(0.5, true), [&name, &name, &name], now);
        }
        let counts = counters.counts.lock().unwrap();
        let sizes = [counts.newcomers.len(), counts.puzzles.len(), counts.addresses.len()];
        assert!(sizes.iter().all(|size| *size <= MAX_ENTRIES), "{sizes:?}");
    }
}
