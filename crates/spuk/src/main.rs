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
    /// Yes, or done.
    pub(crate) const YES: u8 = 0;
    /// A definite no.
    pub(crate) const NO: u8 = 1;
    /// Bad input, or something else failed.
    pub(crate) const ERROR: u8 = 2;
    /// A limit was hit and the answer is unknown.
    pub(crate) const UNKNOWN: u8 = 3;
}

#[derive(Parser)]
#[command(
    version,
    about = "A workbench for hidden-information board games, with the ghost game Geister at its heart.",
    after_help = "Without a command, spuk starts the site, as `spuk serve` does.\n\nExit codes: 0 yes or done, 1 a definite no, 2 an error, 3 a limit was hit and the answer is unknown."
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Start the site: solve, browse and analyse puzzles in a browser, and run studies.
    Serve(serve::Arguments),
    /// Look after the site's database: sizes, deleting old data, backups, tokens.
    Admin(admin::Arguments),
    /// Prove who wins: a Geister puzzle, a Connect Four position, an Othello endgame.
    Solve(solve::Arguments),
    /// Make new puzzles: by chance, backwards from shorter ones, or out of tables.
    Compose(compose::Arguments),
    /// Search fixed positions and print speed and signature.
    Bench(bench::Arguments),
    /// Build, verify, probe and describe tables of small endings.
    Tablebase(tablebase::Arguments),
    /// Write puzzles as records, sheets, pictures or a booklet to print.
    Export(export::Arguments),
    /// Say how hard and how enjoyable puzzles are, and why.
    Grade(grade::Arguments),
    /// Learn from people's ratings how interesting and how hard puzzles are.
    Train(train::Arguments),
    /// Play against one of the players in the terminal.
    Play(play::Arguments),
    /// Answer tries of Kriegspiel on standard input, as its umpire does.
    Umpire(umpire::Arguments),
    /// Let players play against each other, and tell their strength.
    Match(matches::Arguments),
    /// Play tournaments by the protocol of the yearly Geister tournament: client and server.
    Gat(gat::Arguments),
    /// Breed styles of guessing by evolution, and see which beats which.
    Evolve(evolve::Arguments),
    /// Learn by self-play how good a position of Geister is: the champion's weights.
    Learn(learn::Arguments),
    /// Run an experiment of the papers again: tables and figures, their values beside ours.
    Lab(lab::Arguments),
    /// Print a script that completes commands and flags in a shell.
    Completions(completions::Arguments),
}

/// An error message: one sentence that names the input, the reason and the next step.
type Failure = String;

fn main() -> ExitCode {
    let command =
        Cli::parse().command.unwrap_or_else(|| Command::Serve(serve::Arguments::default()));
    let result = match command {
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
    };
    let code = result.unwrap_or_else(|failure| {
        output::complain(&failure);
        exit::ERROR
    });
    ExitCode::from(code)
}
