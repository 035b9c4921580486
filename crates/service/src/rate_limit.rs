//! How often somebody may ask for work: a bucket of tokens for each kind of work and each asker.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Kinds of work that are limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Work {
    /// Attempts and their moves.
    Solving,
    /// The same, by everybody at one address together: a school, say.
    Crowd,
    /// Positions to be analysed.
    Analysis,
    /// Games and lists of games that are read: each is replayed from its moves.
    Reading,
    /// Transfer codes and tokens that are tried.
    Guessing,
}

impl Work {
    /// Tokens a second, and how many a bucket holds.
    const fn allowance(self) -> (f64, f64) {
        match self {
            Work::Solving => (10.0, 60.0),
            Work::Crowd => (60.0, 600.0),
            Work::Analysis => (4.0, 20.0),
            Work::Reading => (200.0, 1000.0),
            Work::Guessing => (0.1, 8.0),
        }
    }
}

/// Buckets are forgotten, the fullest first, when there are more than this.
const MOST: usize = 100_000;

#[derive(Clone, Copy)]
struct Bucket {
    tokens: f64,
    at: Instant,
}

/// All buckets.
pub struct Limiter {
    buckets: Mutex<HashMap<(Work, String), Bucket>>,
    on: bool,
}

impl Limiter {
    /// Limits as they are, or none at all for measurements.
    pub fn new(on: bool) -> Limiter {
        Limiter { buckets: Mutex::new(HashMap::new()), on }
    }

    /// Whether anything is limited.
    pub const fn is_on(&self) -> bool {
        self.on
    }

    /// Takes a token.
    ///
    /// # Errors
    /// If there is none: how long to wait.
    pub fn take(&self, work: Work, who: &str) -> Result<(), Duration> {
        if self.on { self.take_at(work, who, Instant::now()) } else { Ok(()) }
    }

    /// Whether there is a token, without taking it.
    ///
    /// # Errors
    /// If there is none: how long to wait.
    pub fn look(&self, work: Work, who: &str) -> Result<(), Duration> {
        let buckets = self.buckets.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let Some(bucket) = buckets.get(&(work, who.to_owned())) else { return Ok(()) };
        let tokens = level(work, bucket, Instant::now());
        if tokens >= 1.0 { Ok(()) } else { Err(wait_for_one(work, tokens)) }
    }

    fn take_at(&self, work: Work, who: &str, now: Instant) -> Result<(), Duration> {
        let (_, most) = work.allowance();
        // A panic while the lock is held cannot leave a bucket half changed.
        let mut buckets = self.buckets.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if buckets.len() >= MOST {
            buckets.retain(|(work, _), bucket| level(*work, bucket, now) < work.allowance().1);
            if buckets.len() >= MOST {
                buckets.clear();
            }
        }
        let bucket =
            buckets.entry((work, who.to_owned())).or_insert(Bucket { tokens: most, at: now });
        let tokens = level(work, bucket, now);
        *bucket = Bucket { tokens: if tokens >= 1.0 { tokens - 1.0 } else { tokens }, at: now };
        if tokens >= 1.0 { Ok(()) } else { Err(wait_for_one(work, tokens)) }
    }
}

/// How long it takes until a bucket with less than one token has one.
fn wait_for_one(work: Work, tokens: f64) -> Duration {
    Duration::from_secs_f64((1.0 - tokens) / work.allowance().0)
}

/// The tokens in a bucket by now.
fn level(work: Work, bucket: &Bucket, now: Instant) -> f64 {
    let (rate, most) = work.allowance();
    (bucket.tokens + rate * now.saturating_duration_since(bucket.at).as_secs_f64()).min(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_empties_and_fills_again() {
        let limiter = Limiter::new(true);
        let start = Instant::now();
        let took = (0..200).filter(|_| limiter.take_at(Work::Analysis, "a", start).is_ok()).count();
        assert_eq!(took, 20);
        let wait = limiter.take_at(Work::Analysis, "a", start).unwrap_err();
        assert!(wait <= Duration::from_millis(250));
        assert!(limiter.take_at(Work::Analysis, "a", start + wait).is_ok());
        assert!(limiter.take_at(Work::Analysis, "b", start).is_ok());
        assert!(limiter.take_at(Work::Solving, "a", start).is_ok());
    }

    #[test]
    fn memory_is_bounded() {
        let limiter = Limiter::new(true);
        let start = Instant::now();
        for number in 0..MOST + 50 {
            limiter.take_at(Work::Solving, &number.to_string(), start).unwrap();
        }
        assert!(limiter.buckets.lock().unwrap().len() <= MOST);
    }
}
