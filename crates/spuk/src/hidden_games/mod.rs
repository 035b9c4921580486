//! What the commands need from each game of hidden information; everything else is shared. A new
//! game is a file beside this one and a line in each of the two enums here.

mod geister;
mod kriegspiel;
mod phantom_tic_tac_toe;

use crate::{Failure, matches};
use clap::{Subcommand, ValueEnum};
use games::Seat;
use games::hidden::{HiddenGame, InformationState};
use play::Roster;
use play::matches::Seeding;
use play::record::RecordFormat;
use std::sync::atomic::AtomicBool;

/// The games of `spuk match`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MatchChoice {
    Geister,
    Kriegspiel,
    PhantomTicTacToe,
}

impl MatchChoice {
    /// Plays the matches and returns the exit code.
    pub(crate) fn run(
        self,
        arguments: &matches::Arguments,
        stop: &AtomicBool,
    ) -> Result<u8, Failure> {
        match self {
            MatchChoice::Geister => matches::run_geister(arguments, stop),
            MatchChoice::Kriegspiel => matches::run_plain::<games::kriegspiel::Game>(
                arguments,
                games::kriegspiel::Position::start(),
                stop,
            ),
            MatchChoice::PhantomTicTacToe => {
                matches::run_plain::<games::phantom_tic_tac_toe::Game>(
                    arguments,
                    games::phantom_tic_tac_toe::EmptyBoard,
                    stop,
                )
            }
        }
    }
}

/// The games of `spuk play`, each with its own arguments.
#[derive(Subcommand)]
pub(crate) enum PlayChoice {
    /// Geister on the 6x6 board.
    Geister(geister::PlayArguments),
    /// Kriegspiel: chess without seeing the opponent's pieces.
    Kriegspiel(kriegspiel::PlayArguments),
    /// Phantom tic-tac-toe: noughts and crosses without seeing the opponent's marks.
    PhantomTicTacToe(phantom_tic_tac_toe::PlayArguments),
}

impl PlayChoice {
    /// Plays and returns the exit code.
    pub(crate) fn play(&self) -> Result<u8, Failure> {
        match self {
            PlayChoice::Geister(arguments) => arguments.play(),
            PlayChoice::Kriegspiel(arguments) => arguments.play(),
            PlayChoice::PhantomTicTacToe(arguments) => arguments.play(),
        }
    }
}

/// A game that players play against each other.
pub(crate) trait MatchGame: HiddenGame {
    /// What its players need, such as tablebases.
    type Resources: Default;
    /// The format of its records.
    const FORMAT: &'static dyn RecordFormat<Self>;
    /// How the seeds of its matches are derived.
    const SEEDING: Seeding;
    /// Whether actions may be refused, so that tries are counted.
    const HAS_REFUSALS: bool;

    /// Its players.
    fn roster() -> Roster<Self, Self::Resources>;

    /// The name that a report gives to the reason of an end.
    fn reason_key(reason: &'static str) -> String {
        reason.to_owned()
    }
}

/// A game that people play in the terminal.
pub(crate) trait TerminalGame: MatchGame {
    /// What people can type.
    const HELP: &'static str;
    /// The words that list the candidates.
    const LIST_WORDS: &'static [&'static str];
    /// Whether a resigned game is recorded, too.
    const RECORDS_RESIGNED: bool;

    /// Completes "You play" for this seat.
    fn side(seat: Seat) -> &'static str;

    /// What the person sees before a turn.
    fn view(information: &InformationState<Self>) -> String;

    /// Parses an action; an error is the message for the person.
    fn read(word: &str, information: &InformationState<Self>) -> Result<Self::Action, String>;

    /// The message after the person's own action.
    fn own_event(event: &Self::Event) -> String;

    /// The message after the opponent's action; `before` is what the person saw before it.
    fn opponent_event(opponent: &str, before: &Self::Observation, event: &Self::Event) -> String;

    /// The final position with everything revealed, and the result.
    fn game_over(&self, seat: Seat) -> String;
}
