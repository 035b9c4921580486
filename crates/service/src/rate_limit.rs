//! Rate limits: a token bucket for each limit and each client.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A rate limit, by what a request does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RateLimit {
    /// Attempts, games and their moves of one person.
    Write,
    /// The same of everybody at one address together: a school, for example.
    WritePerAddress,
    /// Positions to be analysed.
    Analysis,
    /// Games and lists of games that are read: each is replayed from its moves.
    Read,
    /// Transfer codes and tokens that are tried.
    Credential,
}

impl RateLimit {
    /// Tokens a second, and the capacity of a bucket.
    const fn allowance(self) -> (f64, f64) {
        match self {
            RateLimit::Write => (10.0, 60.0),
            RateLimit::WritePerAddress => (60.0, 600.0),
            RateLimit::Analysis => (4.0, 20.0),
            RateLimit::Read => (200.0, 1000.0),
            RateLimit::Credential => (0.1, 8.0),
        }
    }
}

/// Full buckets are dropped when there are more than this.
const MAX_BUCKETS: usize = 100_000;

#[derive(Clone, Copy)]
struct Bucket {
    tokens: f64,
    at: Instant,
}

/// The rate limiter: all token buckets.
pub struct RateLimiter {
    buckets: Mutex<HashMap<(RateLimit, String), Bucket>>,
    on: bool,
}

impl RateLimiter {
    /// With the limits above, or without any for measurements.
    pub fn new(on: bool) -> RateLimiter {
        RateLimiter { buckets: Mutex::new(HashMap::new()), on }
    }

    /// Whether anything is limited.
    pub const fn is_on(&self) -> bool {
        self.on
    }

    /// Takes a token of a client.
    ///
    /// # Errors
    /// If there is none: how long to wait.
    pub fn take(&self, limit: RateLimit, client: &str) -> Result<(), Duration> {
        if self.on { self.take_at(limit, client, Instant::now()) } else { Ok(()) }
    }

    /// Whether there is a token, without taking it.
    ///
    /// # Errors
    /// If there is none: how long to wait.
    pub fn check(&self, limit: RateLimit, client: &str) -> Result<(), Duration> {
        let buckets = self.buckets.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let Some(bucket) = buckets.get(&(limit, client.to_owned())) else { return Ok(()) };
        let tokens = level(limit, bucket, Instant::now());
        if tokens >= 1.0 { Ok(()) } else { Err(wait_for_one(limit, tokens)) }
    }

    fn take_at(&self, limit: RateLimit, client: &str, now: Instant) -> Result<(), Duration> {
        let (_, capacity) = limit.allowance();
        // A panic while the lock is held cannot leave a bucket half changed.
        let mut buckets = self.buckets.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if buckets.len() >= MAX_BUCKETS {
            buckets.retain(|(limit, _), bucket| level(*limit, bucket, now) < limit.allowance().1);
            if buckets.len() >= MAX_BUCKETS {
                buckets.clear();
            }
        }
        let bucket = buckets
            .entry((limit, client.to_owned()))
            .or_insert(Bucket { tokens: capacity, at: now });
        let tokens = level(limit, bucket, now);
        *bucket = Bucket { tokens: if tokens >= 1.0 { tokens - 1.0 } else { tokens }, at: now };
        if tokens >= 1.0 { Ok(()) } else { Err(wait_for_one(limit, tokens)) }
    }
}

/// How long it takes until a bucket with less than one token has one.
fn wait_for_one(limit: RateLimit, tokens: f64) -> Duration {
    Duration::from_secs_f64((1.0 - tokens) / limit.allowance().0)
}

/// The tokens in a bucket by now.
fn level(limit: RateLimit, bucket: &Bucket, now: Instant) -> f64 {
    let (rate, capacity) = limit.allowance();
    (bucket.tokens + rate * now.saturating_duration_since(bucket.at).as_secs_f64()).min(capacity)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_empties_and_fills_again() {
        let limiter = RateLimiter::new(true);
        let start = Instant::now();
        let took =
            (0..200).filter(|_| limiter.take_at(RateLimit::Analysis, "a", start).is_ok()).count();
        assert_eq!(took, 20);
        let wait = limiter.take_at(RateLimit::Analysis, "a", start).unwrap_err();
        assert!(wait <= Duration::from_millis(250));
        assert!(limiter.take_at(RateLimit::Analysis, "a", start + wait).is_ok());
        assert!(limiter.take_at(RateLimit::Analysis, "b", start).is_ok());
        assert!(limiter.take_at(RateLimit::Write, "a", start).is_ok());
    }

    #[test]
    fn memory_is_bounded() {
        let limiter = RateLimiter::new(true);
        let start = Instant::now();
        for number in 0..MAX_BUCKETS + 50 {
            limiter.take_at(RateLimit::Write, &number.to_string(), start).unwrap();
        }
        assert!(limiter.buckets.lock().unwrap().len() <= MAX_BUCKETS);
    }
}
