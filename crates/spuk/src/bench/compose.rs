//! `spuk bench compose`: the speed of composing, source by source.

use super::show;
use crate::output::complain;
use crate::progress::Line;
use crate::{Failure, exit, interrupt, limits, tablebase};
use clap::Args;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

#[derive(Args)]
pub(crate) struct Arguments {
    /// Approximate time for each source.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = clap::value_parser!(u64).range(1..=3600))]
    seconds: u64,
    /// Seed of the random numbers.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Number of threads (1 to 256) [default: all cores].
    #[arg(long, value_name = "N", value_parser = limits::parse_threads)]
    threads: Option<NonZeroU32>,
    /// Folder of the tablebases [default: SPUK_TABLES, or `tables` in the user's data folder].
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Print one JSON object per line.
    #[arg(long)]
    json: bool,
}

/// Measures every source and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let stop = interrupt::listen();
    let time = Duration::from_secs(arguments.seconds);
    let pool = limits::pool(arguments.threads)?;
    let line = Line::new();
    let tables = tablebase::open(arguments.tables.as_ref())?;
    let mut on_report = |report: &bench::compose::Report| {
        line.clear();
        show(report, arguments.json)
    };
    pool.install(|| bench::compose::run(arguments.seed, time, &tables, stop, &mut on_report))?;
    if tables.is_empty() {
        complain(
            "there are no tablebases to mine; build some with `spuk tablebase build --pieces 5`",
        );
    }
    Ok(if stop.load(Relaxed) { exit::UNKNOWN } else { exit::YES })
}
