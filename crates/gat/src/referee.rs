//! The judge of one game: what a command does, who has won and why. It knows no sockets.

use super::log::GameLog;
use super::pieces::{Pieces, index, placement};
use super::text::{Colour, Ending, FromServer, MoveCommand, SetCommand};
use games::Seat;
use games::geister::{Game, Move, Outcome, Reason, Standard};

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// A rule of the game.
    Rule(Reason),
    /// The draw limit.
    Draw,
    /// The loser's move was illegal or garbled.
    IllegalMove,
    /// The loser's red tried to leave.
    RedEscape,
    /// The loser closed its connection.
    Closed,
    /// The loser's time ran out.
    Time,
}

impl Why {
    /// A short name.
    pub const fn name(self) -> &'static str {
        match self {
            Why::Rule(Reason::Escape) => "escape",
            Why::Rule(Reason::BluesCaptured) => "last-blue",
            Why::Rule(Reason::RedsCaptured) => "last-red",
            Why::Draw => "draw",
            Why::IllegalMove => "illegal-move",
            Why::RedEscape => "red-escape",
            Why::Closed => "closed",
            Why::Time => "time",
        }
    }
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finish {
    /// Who won, if anybody did.
    pub winner: Option<Seat>,
    /// Why.
    pub why: Why,
}

impl Finish {
    /// `loser` has lost without a rule of the game.
    pub const fn forfeit(loser: Seat, why: Why) -> Finish {
        Finish { winner: Some(loser.opponent()), why }
    }

    fn of(outcome: Outcome) -> Finish {
        match outcome {
            Outcome::Win { winner, reason } => {
                Finish { winner: Some(winner), why: Why::Rule(reason) }
            }
            Outcome::Draw => Finish { winner: None, why: Why::Draw },
        }
    }
}

/// What became of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// It was played, and captured this.
    Played(Option<Colour>),
    /// It is no legal move.
    Illegal,
    /// A red tried to leave, which loses in any mode.
    RedEscape,
}

/// A game and its judge. The bottom side begins.
#[derive(Clone, Debug)]
pub struct Referee {
    sets: [SetCommand; 2],
    pieces: Pieces,
    game: Game<Standard>,
    commands: Vec<MoveCommand>,
}

impl Referee {
    /// A game between these, the one who begins first; `None` if one of them is no set-up.
    pub fn new(sets: [SetCommand; 2], draw_limit: u32) -> Option<Referee> {
        let [bottom, top] = [placement(&sets[0].red)?, placement(&sets[1].red)?];
        let pieces = Pieces::new([sets[0].red, sets[1].red]);
        let game = Game::new(bottom, top, draw_limit);
        Some(Referee { sets, pieces, game, commands: Vec::new() })
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Seat {
        self.game.turn()
    }

    /// Plies so far.
    pub fn plies(&self) -> u32 {
        self.game.ply()
    }

    /// How the game ended by its rules, if it did.
    pub fn finish(&self) -> Option<Finish> {
        self.game.outcome().map(Finish::of)
    }

    /// Judges a command of the side to move.
    pub fn play(&mut self, command: MoveCommand) -> Judged {
        let side = self.game.turn();
        let Some(mv) = self.pieces.asked(side, command) else { return Judged::Illegal };
        match self.game.play(mv) {
            Ok(after) => {
                self.game = after;
                self.commands.push(command);
                Judged::Played(self.pieces.play(side, mv))
            }
            Err(_) if matches!(mv, Move::Escape { .. }) => Judged::RedEscape,
            Err(_) => Judged::Illegal,
        }
    }

    /// The line that asks the side to move.
    pub fn question(&self) -> FromServer {
        FromServer::AskMove(self.pieces.view(self.turn(), false))
    }

    /// The last line for a side.
    pub fn farewell(&self, side: Seat, finish: &Finish) -> FromServer {
        let ending = match finish.winner {
            None => Ending::Drawn,
            Some(winner) if winner == side => Ending::Won,
            Some(_) => Ending::Lost,
        };
        FromServer::End(ending, self.pieces.view(side, true))
    }

    /// The record of the game.
    pub fn log(&self, finish: &Finish) -> GameLog {
        GameLog {
            sets: self.sets.clone(),
            moves: self.commands.clone(),
            winner: finish.winner.map(index),
        }
    }
}
