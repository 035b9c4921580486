//! The traits of games of hidden information.

use super::board::Square;
use super::game::{Event, Game, Observation, Outcome};
use crate::Seat;
use crate::hidden::{ActionError, HiddenGame, InformationState, NoSetup, Step};
use std::fmt;
use std::str::FromStr;

/// The only start: the empty board. Its text is `empty`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EmptyBoard;

/// Text other than `empty`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StartTextError;

impl fmt::Display for EmptyBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("empty")
    }
}

impl FromStr for EmptyBoard {
    type Err = StartTextError;

    fn from_str(text: &str) -> Result<EmptyBoard, StartTextError> {
        if text == "empty" { Ok(EmptyBoard) } else { Err(StartTextError) }
    }
}

impl fmt::Display for StartTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("games start on the empty board; write `empty`")
    }
}

impl std::error::Error for StartTextError {}

impl HiddenGame for Game {
    type Start = EmptyBoard;
    type Setup = NoSetup;
    /// A try to place a mark.
    type Action = Square;
    type Event = Event;
    type Observation = Observation;
    type Outcome = Outcome;

    const NAME: &'static str = "phantom-tic-tac-toe";

    fn setups(_: &EmptyBoard) -> Vec<NoSetup> {
        vec![NoSetup]
    }

    fn begin(_: &EmptyBoard, _: [NoSetup; 2]) -> Game {
        Game::default()
    }

    fn turn(&self) -> Seat {
        self.turn()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome()
    }

    fn legal_actions(&self) -> Vec<Square> {
        if self.outcome().is_some() { Vec::new() } else { self.empty().iter().collect() }
    }

    fn apply(&mut self, square: Square) -> Result<Step<Event>, ActionError> {
        self.place(square)
    }

    fn observe(&self, seat: Seat) -> Observation {
        self.observe(seat)
    }

    fn candidates(information: &InformationState<Game>) -> Vec<Square> {
        let now = information.now();
        if now.to_move { now.untried().iter().collect() } else { Vec::new() }
    }
}
