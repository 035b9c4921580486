//! `spuk bench`: measurements. Without a subcommand it measures the solver.

mod attack;
mod compose;
#[cfg(target_os = "linux")]
mod faults;
mod judge;
mod play;
mod probe;
mod search;
mod solver;
mod twenty48;

use crate::Failure;
use crate::output::print;
use crate::report::json_line;
use clap::{Args, Subcommand};
use serde::Serialize;
use std::fmt::Display;

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    solver: solver::Arguments,
}

#[derive(Subcommand)]
enum Command {
    /// Measure probes of the installed tablebases, in memory and from the disk.
    Probe(probe::Arguments),
    /// Measure how many puzzles per second each source composes.
    Compose(compose::Arguments),
    /// Measure how long the site takes to judge a move, over the collection.
    Judge(judge::Arguments),
    /// Load the site with many games, kill it, and check response times and stored games.
    Play(play::Arguments),
    /// Inject faults into a site (kill it, fill its disk, ...) and count acknowledged answers that are lost.
    #[cfg(target_os = "linux")]
    Faults(faults::Arguments),
    /// Attack a site from one client, and measure what other visitors notice.
    Attack(attack::Arguments),
    /// Measure how many moves per second Expectimax plays 2048, by depth.
    #[command(name = "2048")]
    Twenty48(twenty48::Arguments),
    /// Measure how many nodes per second the best-first solvers expand on fixed positions.
    Search(search::Arguments),
}

/// Measures and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    match &arguments.command {
        None => solver::run(&arguments.solver),
        Some(Command::Probe(arguments)) => probe::run(arguments),
        Some(Command::Compose(arguments)) => compose::run(arguments),
        Some(Command::Judge(arguments)) => judge::run(arguments),
        Some(Command::Play(arguments)) => play::run(arguments),
        #[cfg(target_os = "linux")]
        Some(Command::Faults(arguments)) => faults::run(arguments),
        Some(Command::Attack(arguments)) => attack::run(arguments),
        Some(Command::Twenty48(arguments)) => twenty48::run(arguments),
        Some(Command::Search(arguments)) => search::run(arguments),
    }
}

/// Prints a report, as JSON or as text.
fn show(report: &(impl Serialize + Display), json: bool) -> Result<(), Failure> {
    print(&if json { json_line(report) } else { report.to_string() }).map(drop)
}
