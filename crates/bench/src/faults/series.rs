//! Cycles of one fault on one database: visitors come, something breaks and is mended, the site recovers,
//! and everything acknowledged is compared.

use super::database::DatabaseKind;
use super::environment::Environment;
use super::fault::{Fault, Hold};
use super::ledger::{Ledger, Tally};
use super::report::Row;
use super::visitor::{Failures, Plan, Visit, Visitor, prepare};
use super::{Kind, Session};
use crate::Failure;
use crate::site::http::Client;
use common::rng::stream;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use serde_json::json;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

/// Visitors at a time, each with a friend.
const VISITORS: u64 = 6;

/// A new site with new data begins after this many cycles.
const CYCLES_OF_A_SITE: u32 = 10;

/// A site that has not recovered by then needs help.
pub(super) const RECOVERY: Duration = Duration::from_secs(15);

/// A program moves within this time after the recovery.
const PROGRAM_TIME: Duration = Duration::from_secs(10);

/// A fault that nobody feels is lifted after this time.
const MAX_WAIT_FOR_EFFECT: Duration = Duration::from_secs(6);

/// Losses that are described.
const DESCRIBED: usize = 5;

/// One series.
pub(super) struct Series<'a> {
    pub(super) kind: Kind,
    pub(super) database: DatabaseKind,
    pub(super) session: &'a Session<'a>,
    row: Row,
    times_ms: Vec<f64>,
    described: usize,
}

/// Whom the visitors of a site play with.
struct Site {
    environment: Environment,
    fault: Box<dyn Fault>,
    puzzles: Vec<String>,
    record: String,
    /// Of all cycles.
    ledgers: Vec<Ledger>,
}

impl<'a> Series<'a> {
    pub(super) fn new(kind: Kind, database: DatabaseKind, session: &'a Session<'a>) -> Series<'a> {
        let row = Row::new(kind, database, session.seed);
        Series { kind, database, session, row, times_ms: Vec::new(), described: 0 }
    }

    /// Runs all cycles, or those until an interruption.
    pub(super) fn run(mut self) -> Result<Row, Failure> {
        let cycles = self.session.cycles;
        for first in (0..cycles).step_by(CYCLES_OF_A_SITE as usize) {
            let last = cycles.min(first + CYCLES_OF_A_SITE);
            self.one_site(first..last)?;
        }
        Ok(self.row.with_times(self.times_ms))
    }

    /// Some cycles on a site with new data; then it is killed, and everything is compared once more.
    fn one_site(&mut self, cycles: std::ops::Range<u32>) -> Result<(), Failure> {
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
            self.session.show(kind, database, number, &self.row);
            self.cycle(&mut site, number)?;
        }
        site.environment.kill()?;
        site.environment.launch()?;
        self.compare(&mut site, 0);
        let tally = tally(&site.ledgers);
        self.row.count(&tally);
        drop(site);
        let _ = std::fs::remove_dir_all(&folder);
        Ok(())
    }

    fn cycle(&mut self, site: &mut Site, number: u32) -> Result<(), Failure> {
        let first = u64::from(number) * (VISITORS + 1);
        let mut random = stream(self.session.seed_of(self.kind, self.database), first);
        let failures = Failures::default();
        let over = AtomicBool::new(false);
        let address = site.environment.address().to_owned();
        let (puzzles, record) = (&site.puzzles, &site.record);
        let plan = Plan { site: &address, puzzles, record, failures: &failures };
        let (environment, fault) = (&mut site.environment, &mut site.fault);
        let seed = self.session.seed_of(self.kind, self.database);
        let (broken, visits) = std::thread::scope(|scope| {
            let (over, plan) = (&over, &plan);
            let visitors: Vec<_> = (1..=VISITORS)
                .map(|visitor| {
                    let random = stream(seed, first + visitor);
                    scope.spawn(move || Visitor::new(plan, random).visit(&|| over.load(Relaxed)))
                })
                .collect();
            let _end = RaiseOnDrop(over);
            let broken = break_and_mend(environment, &mut **fault, &mut random, &failures);
            over.store(true, Relaxed);
            let visits: Vec<_> = visitors.into_iter().map(ScopedJoinHandle::join).collect();
            (broken, visits)
        });
        let visits: Result<Vec<Visit>, _> = visits.into_iter().collect();
        let visits = visits.map_err(|_| "a visitor failed".to_owned())?;
        let Mended { felt, recovery } = broken?;
        self.row.cycle(felt, recovery, &failures);
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

    /// Compares the ledgers from this one on with the site.
    fn compare(&mut self, site: &mut Site, from: usize) {
        let address = site.environment.address();
        let deadline = Instant::now() + PROGRAM_TIME;
        let ledgers = &mut site.ledgers[from..];
        let each = ledgers.len().div_ceil(VISITORS as usize).max(1);
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
            self.described += 1;
            if self.described <= DESCRIBED {
                (self.session.on_loss)(&format!(
                    "{} on {}: {line}",
                    self.kind.name(),
                    self.database.name()
                ));
            }
        }
    }
}

/// Raises a flag in the end, also after a panic: threads of a scope are waited for.
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

/// What happened between the first and the last request.
struct Mended {
    /// Requests failed, or the site reported that it is not healthy.
    felt: bool,
    /// Until it worked again; nothing if it did not.
    recovery: Option<Duration>,
}

/// Lets the visitors work, breaks something at a random moment, mends it and waits for the recovery.
fn break_and_mend(
    environment: &mut Environment,
    fault: &mut dyn Fault,
    random: &mut ChaCha8Rng,
    failures: &Failures,
) -> Result<Mended, Failure> {
    std::thread::sleep(Duration::from_millis(random.random_range(200..700)));
    let before = failures.total();
    let injected = Instant::now();
    let hold = fault.inject(environment, random)?;
    match hold {
        Hold::For(time) => std::thread::sleep(time),
        Hold::UntilFelt => {
            let felt = || failures.total() > before || !is_healthy(environment.address());
            while !felt() && injected.elapsed() < MAX_WAIT_FOR_EFFECT {
                std::thread::sleep(Duration::from_millis(20));
            }
            std::thread::sleep(Duration::from_millis(random.random_range(50..400)));
        }
    }
    let lifted = Instant::now();
    fault.lift(environment)?;
    let recovered = wait_until_recovered(environment, lifted);
    let felt = failures.total() > before;
    std::thread::sleep(Duration::from_millis(150));
    Ok(Mended { felt, recovery: recovered })
}

fn is_healthy(site: &str) -> bool {
    let client = Client::with_patience(site, None, RECOVERY);
    client.and_then(|mut client| client.get("/healthz")).is_ok_and(|(status, _)| status == 200)
}

/// The time until the site is healthy and acknowledges something new; nothing if it takes too long.
fn wait_until_recovered(environment: &Environment, lifted: Instant) -> Option<Duration> {
    let site = environment.address();
    loop {
        if is_healthy(site) && acknowledges(site) {
            return Some(lifted.elapsed());
        }
        if lifted.elapsed() > RECOVERY {
            return None;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Whether somebody new can begin something.
fn acknowledges(site: &str) -> bool {
    let wish = json!({ "kind": "geister", "opponent": "random" });
    let client = Client::with_patience(site, None, RECOVERY);
    let answer = client.and_then(|mut client| client.post("/api/v1/games", &wish));
    answer.is_ok_and(|(status, _)| status == 200)
}
