//! The limit flags of all commands that search.

use crate::Failure;
use clap::Args;
use clap::builder::RangedU64ValueParser;
use geister::solver::MAX_DEPTH;
use std::num::NonZeroU32;
use std::time::Duration;

/// `--depth`, `--nodes`, `--time`, `--memory` and `--threads`.
#[derive(Args, Clone, Copy)]
pub(crate) struct LimitArguments {
    /// Maximum depth: look for wins of up to this many plies, both sides' moves (1 to 123).
    #[arg(long, value_name = "PLIES", value_parser = depth_parser())]
    pub(crate) depth: Option<u32>,
    /// Maximum number of nodes to expand for a position [default: no limit].
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,
    /// Maximum time for a position, such as 500ms, 5s or 2m.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(crate) time: Option<Duration>,
    /// Maximum memory of the transposition table, such as 64M or 1G.
    #[arg(long, value_name = "BYTES", default_value = "256M", value_parser = parse_memory)]
    pub(crate) memory: usize,
    /// Number of threads (1 to 256).
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_threads)]
    pub(crate) threads: NonZeroU32,
}

/// Parses a depth that the solver can search.
pub(crate) fn depth_parser() -> RangedU64ValueParser<u32> {
    RangedU64ValueParser::new().range(1..=u64::from(MAX_DEPTH))
}

/// Splits a number from its unit.
fn split_unit(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()))
}

pub(crate) fn parse_time(text: &str) -> Result<Duration, String> {
    let (number, unit) = split_unit(text);
    let factor = match unit {
        "ms" => Some(1),
        "s" => Some(1000),
        "m" => Some(60_000),
        "h" => Some(3_600_000),
        _ => None,
    };
    let milliseconds = number.parse::<u64>().ok().zip(factor).and_then(|(n, f)| n.checked_mul(f));
    milliseconds
        .filter(|&milliseconds| milliseconds > 0)
        .map(Duration::from_millis)
        .ok_or_else(|| "write a whole number with ms, s, m or h, such as 500ms or 5s".into())
}

pub(crate) fn parse_memory(text: &str) -> Result<usize, String> {
    let (number, unit) = split_unit(text);
    let shift = match unit {
        "" => Some(0),
        "K" => Some(10),
        "M" => Some(20),
        "G" => Some(30),
        _ => None,
    };
    let bytes = number.parse::<u64>().ok().zip(shift).and_then(|(n, s)| n.checked_mul(1 << s));
    bytes
        .and_then(|bytes| usize::try_from(bytes).ok())
        .filter(|&bytes| bytes >= MIN_MEMORY_BYTES)
        .ok_or_else(|| "write a whole number with K, M or G, 1M or more, such as 256M".into())
}

/// The minimum memory of a search.
const MIN_MEMORY_BYTES: usize = 1 << 20;

/// A pool of this many threads, or one per core.
pub(crate) fn pool(threads: Option<NonZeroU32>) -> Result<rayon::ThreadPool, Failure> {
    let threads = threads.map_or(0, |threads| threads.get() as usize);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| format!("cannot start threads: {error}; try fewer with --threads"))
}

pub(crate) fn parse_threads(text: &str) -> Result<NonZeroU32, String> {
    let threads = text.parse::<NonZeroU32>().ok().filter(|threads| threads.get() <= 256);
    threads.ok_or_else(|| "write a whole number from 1 to 256".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_are_read() {
        assert_eq!(parse_time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_time("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(parse_memory("64M"), Ok(64 << 20));
        assert_eq!(parse_memory("1048576"), Ok(1 << 20));
    }

    #[test]
    fn invalid_times_sizes_and_thread_counts_are_refused() {
        for text in [
            "",
            "s",
            "5",
            "0s",
            "-1s",
            "1.5s",
            "5 s",
            "99999999999999999999s",
            "9999999999999999999h",
            "5d",
            "é",
        ] {
            assert!(parse_time(text).is_err(), "{text}");
        }
        for text in ["", "M", "-1", "1T", "12 M", "99999999999G", "1K", "é"] {
            assert!(parse_memory(text).is_err(), "{text}");
        }
        for text in ["", "0", "257", "-1", "two"] {
            assert!(parse_threads(text).is_err(), "{text}");
        }
    }
}
