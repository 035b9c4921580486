//! `spuk bench`: how fast things are. Alone it measures the solver.

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
    /// Ask the tables that are there, and tell how long they take in memory and from the disk.
    Probe(probe::Arguments),
    /// Make puzzles from every source, and tell how many a second.
    Compose(compose::Arguments),
    /// Judge every move of the collection as the site does, and tell how long it takes.
    Judge(judge::Arguments),
    /// Play many games on the site at once, kill it, and tell how long answers took and what was kept.
    Play(play::Arguments),
    /// Break a site on purpose (kill it, fill its disk, ...), and count acknowledged answers that are lost.
    #[cfg(target_os = "linux")]
    Faults(faults::Arguments),
    /// Let one client take all it can get, and measure what other visitors notice.
    Attack(attack::Arguments),
    /// Play 2048 by Expectimax at several depths, and tell how many moves a second.
    #[command(name = "2048")]
    Twenty48(twenty48::Arguments),
    /// Run the best-first solvers on fixed positions, and tell how many nodes a second.
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
