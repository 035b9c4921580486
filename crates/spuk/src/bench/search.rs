//! `spuk bench search`: how many nodes per second the best-first solvers expand.

use super::show;
use crate::progress::Line;
use crate::{Failure, exit, interrupt};
use clap::Args;
use std::sync::atomic::Ordering::Relaxed;

#[derive(Args)]
#[command(after_help = "\
The signature of a line is the number of expanded nodes and of nodes in the trees; equal signatures mean \
equal searches. It depends only on --nodes.")]
pub(crate) struct Arguments {
    /// Maximum number of nodes to expand for a position; 20 times as many for solvers without playouts.
    #[arg(long, value_name = "N", default_value = "3000", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    nodes: u64,
    /// Number of rounds; the fastest counts.
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,
    /// Print one JSON object per line.
    #[arg(long)]
    json: bool,
}

/// Measures and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let stop = interrupt::listen();
    let line = Line::new();
    let mut on_report = |report: &bench::search::Report| {
        line.clear();
        show(report, arguments.json)
    };
    let on_progress = |text| line.say(text);
    bench::search::run(arguments.nodes, arguments.repeat, stop, &on_progress, &mut on_report)?;
    line.clear();
    Ok(if stop.load(Relaxed) { exit::UNKNOWN } else { exit::YES })
}
