//! `spuk bench` without a subcommand: the speed of the solver, and a signature of its search.

use super::show;
use crate::limits::LimitArguments;
use crate::progress::Line;
use crate::{Failure, exit, interrupt};
use bench::solver::{Algorithm, DEFAULT_DEPTH, Settings};
use clap::Args;
use geister::reference::Techniques;
use search::Limits;

#[derive(Args)]
#[command(after_help = "\
Without --depth the positions are searched to 17 plies. The signature is the number of expanded nodes at \
that depth on one thread: equal signatures mean equal searches. The reference algorithms are much slower; \
give them a smaller --depth, or a --time for each position.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    limits: LimitArguments,
    /// Number of rounds; the fastest, the median and the slowest are reported.
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,
    /// The algorithm to measure.
    #[arg(long, value_enum, default_value = "solver")]
    algorithm: Algorithm,
    /// Reference algorithms: do not judge escapes before moving.
    #[arg(long)]
    no_escape_first: bool,
    /// Reference algorithms: do not use the lower bounds on escape and capture.
    #[arg(long)]
    no_lower_bounds: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl Arguments {
    fn settings(&self) -> Settings {
        let LimitArguments { depth, nodes, time, memory, threads } = self.limits;
        let depth = depth.unwrap_or(DEFAULT_DEPTH);
        Settings {
            limits: Limits { depth, nodes, time, memory },
            threads,
            repeat: self.repeat,
            algorithm: self.algorithm,
            techniques: Techniques {
                escape_before_moving: !self.no_escape_first,
                lower_bounds: !self.no_lower_bounds,
            },
        }
    }
}

/// Measures and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let stop = interrupt::listen();
    let line = Line::new();
    let report = bench::solver::run(&arguments.settings(), stop, &|text| line.say(text))?;
    line.clear();
    show(&report, arguments.json)?;
    Ok(if report.is_complete() { exit::YES } else { exit::UNKNOWN })
}
