//! `spuk`: a workbench for hidden-information board games. This crate has the commands, flags,
//! progress and JSON output; the logic is in the other crates.

#![forbid(unsafe_code)]

mod admin;
mod bench;
mod completions;
mod compose;
mod database;
mod evolve;
mod export;
mod gat;
mod grade;
mod hidden_games;
mod interrupt;
mod lab;
mod learn;
mod limits;
mod logging;
mod matches;
mod output;
mod play;
mod progress;
mod puzzle_lines;
mod report;
mod serve;
mod solve;
mod solve_proved;
mod solve_scored;
mod stream;
mod tablebase;
mod train;
mod umpire;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Exit codes, the same for every command.
mod exit {
    /// Yes, or success.
    pub(crate) const YES: u8 = 0;
    /// A definite no.
    pub(crate) const NO: u8 = 1;
    /// Invalid input or another failure.
    pub(crate) const ERROR: u8 = 2;
    /// Unknown or incomplete, because a limit was reached or the command was interrupted.
    pub(crate) const UNKNOWN: u8 = 3;
}

#[derive(Parser)]
#[command(
    version,
    about = "A workbench for hidden-information board games, with the ghost game Geister at its heart.",
    after_help = "Without a command, spuk starts the site, as `spuk serve` does.\n\nExit codes: 0 yes or success, 1 a definite no, 2 an error, 3 unknown or incomplete because a limit was reached or the command was interrupted."
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Start the site: solve, browse and analyse puzzles in a browser, and run studies.
    Serve(serve::Arguments),
    /// Maintain the site's database: sizes, old data, backups, cookie secret, token.
    Admin(admin::Arguments),
    /// Prove who wins: a Geister puzzle, a Connect Four position, an Othello endgame.
    Solve(solve::Arguments),
    /// Compose puzzles from random positions, shorter puzzles or tablebases.
    Compose(compose::Arguments),
    /// Measure speed: of the solver and, by subcommands, of everything else.
    Bench(bench::Arguments),
    /// Build, verify, probe and summarise endgame tablebases.
    Tablebase(tablebase::Arguments),
    /// Export puzzles as JSON Lines, CSV, SVG diagrams or a booklet to print.
    Export(export::Arguments),
    /// Grade the difficulty and enjoyment of puzzles, with reasons.
    Grade(grade::Arguments),
    /// Train models of interest and difficulty on people's ratings of puzzles.
    Train(train::Arguments),
    /// Play against the computer in the terminal.
    Play(play::Arguments),
    /// Be the umpire of Kriegspiel: answer tries on standard input.
    Umpire(umpire::Arguments),
    /// Play matches between computer players and estimate their strength (Elo).
    Match(matches::Arguments),
    /// Play in the protocol of the yearly Geister AI tournament, as a client or a server.
    Gat(gat::Arguments),
    /// Evolve playstyles by a genetic algorithm, cluster them, and see which beats which.
    Evolve(evolve::Arguments),
    /// Train the champion's evaluation of Geister positions by self-play.
    Learn(learn::Arguments),
    /// Replicate an experiment of the papers, with its tables and figures.
    Lab(lab::Arguments),
    /// Print a shell completion script.
    Completions(completions::Arguments),
}

/// An error message: one sentence that names the input, the reason and the next step.
type Failure = String;

fn main() -> ExitCode {
    let command =
        Cli::parse().command.unwrap_or_else(|| Command::Serve(serve::Arguments::default()));
    let code = run(command).unwrap_or_else(|failure| {
        output::complain(&failure);
        // What an interrupt left undone is no error.
        if interrupt::is_requested() { exit::UNKNOWN } else { exit::ERROR }
    });
    ExitCode::from(code)
}

/// Runs the command and returns the exit code.
fn run(command: Command) -> Result<u8, Failure> {
    // The site ends by itself, and successfully, when it is asked to.
    if !matches!(command, Command::Serve(_)) {
        interrupt::install()?;
    }
    match command {
        Command::Serve(arguments) => serve::run(&arguments),
        Command::Admin(arguments) => admin::run(&arguments),
        Command::Solve(arguments) => solve::run(&arguments),
        Command::Compose(arguments) => compose::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Tablebase(arguments) => tablebase::run(&arguments),
        Command::Export(arguments) => export::run(&arguments),
        Command::Grade(arguments) => grade::run(&arguments),
        Command::Train(arguments) => train::run(&arguments),
        Command::Play(arguments) => play::run(&arguments),
        Command::Umpire(arguments) => umpire::run(&arguments),
        Command::Match(arguments) => matches::run(&arguments),
        Command::Gat(arguments) => gat::run(&arguments),
        Command::Evolve(arguments) => evolve::run(&arguments),
        Command::Learn(arguments) => learn::run(&arguments),
        Command::Lab(arguments) => lab::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
    }
}
