//! What the commands need of each game of hidden information; everything else is the same for all
//! of them. A new game is a file beside this one and a line in each of the two lists here.

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
    /// Kriegspiel: chess without seeing the other side.
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
    /// How its games are written.
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
    /// Whether a game that was given up is written, too.
    const KEEPS_UNFINISHED: bool;

    /// How a person in this seat plays, behind "You play".
    fn side(seat: Seat) -> &'static str;

    /// What a person sees before its turn.
    fn view(information: &InformationState<Self>) -> String;

    /// Reads an action; otherwise what to tell the person.
    fn read(word: &str, information: &InformationState<Self>) -> Result<Self::Action, String>;

    /// What a person is told of its own action.
    fn own_event(event: &Self::Event) -> String;

    /// What a person, who saw `before`, is told of the action of the opponent.
    fn opponent_event(opponent: &str, before: &Self::Observation, event: &Self::Event) -> String;

    /// The end of a game, with everything shown.
    fn finish(&self, seat: Seat) -> String;
}
