//! Counters of what the site does, in the text form that Prometheus reads.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The upper bounds of the times that are told apart, in seconds.
const BOUNDS: [f64; 8] = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.0];

#[derive(Default)]
struct Route {
    by_status: BTreeMap<u16, u64>,
    within: [u64; BOUNDS.len()],
    seconds: f64,
    count: u64,
}

/// All counters.
#[derive(Default)]
pub struct Metrics {
    routes: Mutex<BTreeMap<String, Route>>,
}

impl Metrics {
    /// Counts a request by the pattern of its route, never by its address: their number is bounded.
    pub fn count(&self, route: &str, status: u16, time: Duration) {
        let mut routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        if !routes.contains_key(route) {
            routes.insert(route.to_owned(), Route::default());
        }
        let Some(found) = routes.get_mut(route) else { return };
        let seconds = time.as_secs_f64();
        *found.by_status.entry(status).or_default() += 1;
        found.seconds += seconds;
        found.count += 1;
        for (within, bound) in found.within.iter_mut().zip(BOUNDS) {
            *within += u64::from(seconds <= bound);
        }
    }

    /// The text, with gauges that others know.
    pub fn text(&self, gauges: &[(&str, f64)]) -> String {
        let routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = String::from("# TYPE spuk_requests_total counter\n");
        let line = |text: &mut String, line: std::fmt::Arguments<'_>| {
            // Writing to a string does not fail.
            let _ = text.write_fmt(format_args!("{line}\n"));
        };
        for (name, route) in routes.iter() {
            for (status, count) in &route.by_status {
                line(
                    &mut text,
                    format_args!(
                        "spuk_requests_total{{route=\"{name}\",status=\"{status}\"}} {count}"
                    ),
                );
            }
        }
        text.push_str("# TYPE spuk_request_seconds histogram\n");
        for (name, Route { within, seconds, count, .. }) in routes.iter() {
            for (bound, within) in BOUNDS.iter().zip(within) {
                line(
                    &mut text,
                    format_args!(
                        "spuk_request_seconds_bucket{{route=\"{name}\",le=\"{bound}\"}} {within}"
                    ),
                );
            }
            line(
                &mut text,
                format_args!("spuk_request_seconds_bucket{{route=\"{name}\",le=\"+Inf\"}} {count}"),
            );
            line(&mut text, format_args!("spuk_request_seconds_sum{{route=\"{name}\"}} {seconds}"));
            line(&mut text, format_args!("spuk_request_seconds_count{{route=\"{name}\"}} {count}"));
        }
        for (name, value) in gauges {
            line(&mut text, format_args!("# TYPE spuk_{name} gauge\nspuk_{name} {value}"));
        }
        text
    }
}
