//! Cycles of one fault on one database: while visitors use the site, the fault is injected and removed;
//! the site recovers, and everything it acknowledged is compared with what it has stored.

use super::database::DatabaseKind;
use super::environment::Environment;
use super::fault::{Fault, FaultDuration};
use super::ledger::{Ledger, Tally};
use super::report::Row;
use super::visitor::{Failures, Plan, Visit, Visitor, prepare};
use super::{FaultKind, Session};
use crate::Failure;
use crate::site::http::Client;
use common::rng::stream;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use serde_json::json;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

/// Number of simultaneous visitors, each with a friend.
const VISITOR_COUNT: u64 = 6;

/// After this many cycles a new site is started, with new data.
const CYCLES_PER_SITE: u32 = 10;

/// A site that has not recovered within this time is restarted.
pub(super) const MAX_RECOVERY_TIME: Duration = Duration::from_secs(15);

/// A computer player has to move within this time after the recovery.
const MAX_MOVE_TIME: Duration = Duration::from_secs(10);

/// A fault without an effect is removed after this time.
const MAX_WAIT_FOR_EFFECT: Duration = Duration::from_secs(6);

/// The maximum number of losses that are reported.
const MAX_REPORTED_LOSSES: usize = 5;

/// The cycles of one fault on one database.
pub(super) struct Series<'a> {
    pub(super) kind: FaultKind,
    pub(super) database: DatabaseKind,
    pub(super) session: &'a Session<'a>,
    row: Row,
    times_ms: Vec<f64>,
    reported: usize,
}

/// A site with the fault and what its visitors need.
struct Site {
    environment: Environment,
    fault: Box<dyn Fault>,
    puzzles: Vec<String>,
    record: String,
    /// What was acknowledged in all cycles.
    ledgers: Vec<Ledger>,
}

impl<'a> Series<'a> {
    pub(super) fn new(
        kind: FaultKind,
        database: DatabaseKind,
        session: &'a Session<'a>,
    ) -> Series<'a> {
        let row = Row::new(kind, database, session.seed);
        Series { kind, database, session, row, times_ms: Vec::new(), reported: 0 }
    }

    /// Runs all cycles, or those until an interruption.
    pub(super) fn run(mut self) -> Result<Row, Failure> {
        let cycles = self.session.cycles;
        for first in (0..cycles).step_by(CYCLES_PER_SITE as usize) {
            let last = cycles.min(first + CYCLES_PER_SITE);
            self.run_site(first..last)?;
        }
        Ok(self.row.with_times(self.times_ms))
    }

    /// Runs cycles on a site with new data; then the site is killed, and everything is compared once more.
    fn run_site(&mut self, cycles: std::ops::Range<u32>) -> Result<(), Failure> {
        if self.session.is_interrupted() {
            return Ok(());
        }
        let folder = self.session.new_folder();
        let (kind, database) = (self.kind, self.database);
        let mut environment = Environment::start(kind, database, self.session.program, &folder)?;
        let mut fault = kind.fault();
        let (puzzles, record) = prepare(environment.address())?;
        fault.prepare(&mut environment)?;
        let mut site = Site { environment, fault, puzzles, record, ledgers: Vec::new() };
        for number in cycles {
            if self.session.is_interrupted() {
                break;
            }
            self.session.report_progress(kind, database, number, &self.row);
            self.cycle(&mut site, number)?;
        }
        site.environment.kill()?;
        site.environment.launch()?;
        self.compare(&mut site, 0);
        let tally = tally(&site.ledgers);
        self.row.add_tally(&tally);
        drop(site);
        let _ = std::fs::remove_dir_all(&folder);
        Ok(())
    }

    fn cycle(&mut self, site: &mut Site, number: u32) -> Result<(), Failure> {
        let first = u64::from(number) * (VISITOR_COUNT + 1);
        let mut random = stream(self.session.series_seed(self.kind, self.database), first);
        let failures = Failures::default();
        let over = AtomicBool::new(false);
        let address = site.environment.address().to_owned();
        let (puzzles, record) = (&site.puzzles, &site.record);
        let plan = Plan { site: &address, puzzles, record, failures: &failures };
        let (environment, fault) = (&mut site.environment, &mut site.fault);
        let seed = self.session.series_seed(self.kind, self.database);
        let (effect, visits) = std::thread::scope(|scope| {
            let (over, plan) = (&over, &plan);
            let visitors: Vec<_> = (1..=VISITOR_COUNT)
                .map(|visitor| {
                    let random = stream(seed, first + visitor);
                    scope.spawn(move || Visitor::new(plan, random).visit(&|| over.load(Relaxed)))
                })
                .collect();
            let _end = RaiseOnDrop(over);
            let effect = inject_and_recover(environment, &mut **fault, &mut random, &failures);
            over.store(true, Relaxed);
            let visits: Vec<_> = visitors.into_iter().map(ScopedJoinHandle::join).collect();
            (effect, visits)
        });
        let visits: Result<Vec<Visit>, _> = visits.into_iter().collect();
        let visits = visits.map_err(|_| "a visitor failed".to_owned())?;
        let Effect { felt, recovery } = effect?;
        self.row.add_cycle(felt, recovery, &failures);
        let before = site.ledgers.len();
        for visit in visits {
            self.times_ms.extend(visit.times_ms);
            site.ledgers.extend(visit.ledgers);
        }
        if recovery.is_none() {
            let why = site.environment.log();
            (self.session.on_loss)(&format!(
                "{} on {}: the site did not recover; {why}",
                self.kind.name(),
                self.database.name()
            ));
            site.environment.kill()?;
            site.environment.launch()?;
        }
        self.compare(site, before);
        Ok(())
    }

    /// Compares the ledgers from index `from` on with the site.
    fn compare(&mut self, site: &mut Site, from: usize) {
        let address = site.environment.address();
        let deadline = Instant::now() + MAX_MOVE_TIME;
        let ledgers = &mut site.ledgers[from..];
        let each = ledgers.len().div_ceil(VISITOR_COUNT as usize).max(1);
        let lines: Vec<String> = std::thread::scope(|scope| {
            let readers: Vec<_> = ledgers
                .chunks_mut(each)
                .map(|ledgers| {
                    let compare = move |ledger: &mut Ledger| ledger.compare(address, deadline);
                    scope.spawn(move || ledgers.iter_mut().flat_map(compare).collect::<Vec<_>>())
                })
                .collect();
            readers.into_iter().flat_map(|reader| reader.join().unwrap_or_default()).collect()
        });
        for line in lines {
            self.reported += 1;
            if self.reported <= MAX_REPORTED_LOSSES {
                (self.session.on_loss)(&format!(
                    "{} on {}: {line}",
                    self.kind.name(),
                    self.database.name()
                ));
            }
        }
    }
}

/// Raises a flag when dropped, also by a panic: the scope waits for threads that watch the flag.
struct RaiseOnDrop<'a>(&'a AtomicBool);

impl Drop for RaiseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

fn tally(ledgers: &[Ledger]) -> Tally {
    let mut total = Tally::default();
    ledgers.iter().for_each(|ledger| total.add(&ledger.tally()));
    total
}

/// The effect of a fault.
struct Effect {
    /// Requests failed, or the site reported that it is not healthy.
    felt: bool,
    /// The time until the site worked again; `None` if it did not.
    recovery: Option<Duration>,
}

/// Injects a fault at a random moment, removes it and waits for the recovery.
fn inject_and_recover(
    environment: &mut Environment,
    fault: &mut dyn Fault,
    random: &mut ChaCha8Rng,
    failures: &Failures,
) -> Result<Effect, Failure> {
    std::thread::sleep(Duration::from_millis(random.random_range(200..700)));
    let before = failures.total();
    let injected = Instant::now();
    match fault.inject(environment, random)? {
        FaultDuration::For(time) => std::thread::sleep(time),
        FaultDuration::UntilFelt => {
            let felt = || failures.total() > before || !is_healthy(environment.address());
            while !felt() && injected.elapsed() < MAX_WAIT_FOR_EFFECT {
                std::thread::sleep(Duration::from_millis(20));
            }
            std::thread::sleep(Duration::from_millis(random.random_range(50..400)));
        }
    }
    let removed = Instant::now();
    fault.remove(environment)?;
    let recovery = wait_until_recovered(environment, removed);
    let felt = failures.total() > before;
    std::thread::sleep(Duration::from_millis(150));
    Ok(Effect { felt, recovery })
}

fn is_healthy(site: &str) -> bool {
    let client = Client::with_timeout(site, None, MAX_RECOVERY_TIME);
    client.and_then(|mut client| client.get("/healthz")).is_ok_and(|(status, _)| status == 200)
}

/// The time until the site is healthy and acknowledges a new game; `None` if it takes too long.
fn wait_until_recovered(environment: &Environment, removed: Instant) -> Option<Duration> {
    let site = environment.address();
    loop {
        if is_healthy(site) && accepts_games(site) {
            return Some(removed.elapsed());
        }
        if removed.elapsed() > MAX_RECOVERY_TIME {
            return None;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Whether a new visitor can start a game.
fn accepts_games(site: &str) -> bool {
    let request = json!({ "kind": "geister", "opponent": "random" });
    let client = Client::with_timeout(site, None, MAX_RECOVERY_TIME);
    let answer = client.and_then(|mut client| client.post("/api/v1/games", &request));
    answer.is_ok_and(|(status, _)| status == 200)
}
