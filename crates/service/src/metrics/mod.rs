//! Metrics in the text format of Prometheus.
//!
//! Only operators see them: counters of requests move with everything an opponent does, refused tries
//! included. Names of routes, lanes and kinds are fixed in the program, so that the number of time
//! series is bounded.

mod database;
mod exposition;
mod histogram;
mod process;

pub(crate) use database::{DATABASE, Operation};
pub use exposition::Exposition;
pub use histogram::Histogram;

use crate::scheduler::Lane;
use crate::service::Service;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The media type of the text format.
pub const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

#[derive(Default)]
struct Route {
    by_status: BTreeMap<u16, u64>,
    times: Histogram,
}

/// Times by lane of the scheduler.
type Lanes = Mutex<BTreeMap<&'static str, Histogram>>;

/// The metrics registry of a site.
pub struct Metrics {
    started: Instant,
    routes: Mutex<BTreeMap<String, Route>>,
    waits: Lanes,
    jobs: Lanes,
}

impl Default for Metrics {
    fn default() -> Metrics {
        Metrics {
            started: Instant::now(),
            routes: Mutex::default(),
            waits: Lanes::default(),
            jobs: Lanes::default(),
        }
    }
}

/// A panic while the lock is held cannot leave a counter half changed.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Metrics {
    /// Counts a request by the pattern of its route, never by its path: their number is bounded.
    pub fn count(&self, route: &str, status: u16, time: Duration) {
        let mut routes = locked(&self.routes);
        if !routes.contains_key(route) {
            routes.insert(route.to_owned(), Route::default());
        }
        let Some(found) = routes.get_mut(route) else { return };
        *found.by_status.entry(status).or_default() += 1;
        found.times.record(time);
    }

    /// Records how long a job waited in the queue of a lane before a worker took it.
    pub fn queue_wait(&self, lane: &'static str, time: Duration) {
        locked(&self.waits).entry(lane).or_default().record(time);
    }

    /// Records how long a job of a lane ran.
    pub fn job(&self, lane: &'static str, time: Duration) {
        locked(&self.jobs).entry(lane).or_default().record(time);
    }

    fn write(&self, text: &mut Exposition) {
        let uptime = self.started.elapsed().as_secs_f64();
        text.gauge("spuk_uptime_seconds", "Seconds since the start.", uptime);
        let routes = locked(&self.routes);
        text.family("spuk_requests_total", "counter", "Requests by route and status.");
        for (route, found) in routes.iter() {
            for (status, count) in &found.by_status {
                let labels = [("route", route.as_str()), ("status", &status.to_string())];
                text.sample("spuk_requests_total", &labels, *count as f64);
            }
        }
        let name = "spuk_request_seconds";
        text.family(name, "histogram", "Seconds until an answer begins, by route.");
        for (route, found) in routes.iter() {
            text.histogram(name, &[("route", route)], &found.times);
        }
        for (name, help, lanes) in [
            ("spuk_queue_wait_seconds", "Seconds that jobs wait for a worker.", &self.waits),
            ("spuk_job_seconds", "Seconds that jobs run.", &self.jobs),
        ] {
            text.family(name, "histogram", help);
            for (lane, times) in locked(lanes).iter() {
                text.histogram(name, &[("lane", lane)], times);
            }
        }
    }
}

/// All metrics of a site, in the text format.
pub async fn text(service: &Service) -> String {
    let mut text = Exposition::default();
    text.family("spuk_build_info", "gauge", "The version of the program; always 1.");
    text.sample("spuk_build_info", &[("version", env!("CARGO_PKG_VERSION"))], 1.0);
    service.metrics.write(&mut text);
    for (name, help, value) in [
        ("spuk_programs_busy", "Games in which a program thinks or waits.", service.games.load()),
        ("spuk_puzzles", "Puzzles of the collection.", service.catalogue.entries().len()),
    ] {
        text.gauge(name, help, value as f64);
    }
    text.family("spuk_jobs", "gauge", "Jobs of the scheduler, by lane and state.");
    for lane in Lane::ALL {
        let (waiting, running) = service.scheduler.load(lane);
        for (state, count) in [("waiting", waiting), ("running", running)] {
            text.sample("spuk_jobs", &[("lane", lane.name()), ("state", state)], count as f64);
        }
    }
    service.rating_counters.write(&mut text);
    DATABASE.write(&mut text);
    let pools = service.store.connections();
    text.family("spuk_database_connections", "gauge", "Open connections, by pool and state.");
    for (pool, open, idle) in pools {
        for (state, count) in [("busy", open.saturating_sub(idle)), ("idle", idle)] {
            let labels = [("pool", pool), ("state", state)];
            text.sample("spuk_database_connections", &labels, count as f64);
        }
    }
    text.family("spuk_database_bytes", "gauge", "Bytes of the database, by file.");
    for (file, bytes) in service.store.bytes().await {
        text.sample("spuk_database_bytes", &[("file", file)], bytes as f64);
    }
    process::write(&mut text);
    text.finish()
}
