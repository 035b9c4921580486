//! Histograms of durations.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// The upper bounds of the buckets, in seconds: from a cached response to a stuck queue.
pub(super) const BOUNDS: [f64; 14] =
    [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 120.0];

/// The last bucket has no bound.
const BUCKETS: usize = BOUNDS.len() + 1;

/// A histogram of durations. Many threads may record at once.
#[derive(Debug)]
pub struct Histogram {
    buckets: [AtomicU64; BUCKETS],
    micros: AtomicU64,
}

impl Histogram {
    /// An empty one.
    pub const fn new() -> Histogram {
        Histogram { buckets: [const { AtomicU64::new(0) }; BUCKETS], micros: AtomicU64::new(0) }
    }

    /// Records a time.
    pub fn record(&self, time: Duration) {
        let seconds = time.as_secs_f64();
        let bucket = BOUNDS.partition_point(|bound| *bound < seconds);
        self.buckets[bucket].fetch_add(1, Relaxed);
        self.micros.fetch_add(u64::try_from(time.as_micros()).unwrap_or(u64::MAX), Relaxed);
    }

    /// The count of each bucket, and the sum in seconds.
    pub(super) fn read(&self) -> ([u64; BUCKETS], f64) {
        let buckets = self.buckets.each_ref().map(|count| count.load(Relaxed));
        (buckets, self.micros.load(Relaxed) as f64 / 1e6)
    }
}

impl Default for Histogram {
    fn default() -> Histogram {
        Histogram::new()
    }
}
