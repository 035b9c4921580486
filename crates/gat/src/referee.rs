//! The referee of one game: applies commands and decides the result, independent of sockets.

use super::log::GameLog;
use super::pieces::{Pieces, index, placement};
use super::text::{Colour, Ending, FromServer, MoveCommand, SetCommand};
use games::Seat;
use games::geister::{Game, Move, Outcome, Reason};

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndReason {
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

impl EndReason {
    /// A short name.
    pub const fn name(self) -> &'static str {
        match self {
            EndReason::Rule(Reason::Escape) => "escape",
            EndReason::Rule(Reason::BluesCaptured) => "last-blue",
            EndReason::Rule(Reason::RedsCaptured) => "last-red",
            EndReason::Draw => "draw",
            EndReason::IllegalMove => "illegal-move",
            EndReason::RedEscape => "red-escape",
            EndReason::Closed => "closed",
            EndReason::Time => "time",
        }
    }
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// The winner; none for a draw.
    pub winner: Option<Seat>,
    /// The reason.
    pub why: EndReason,
}

impl GameResult {
    /// `loser` forfeits.
    pub const fn forfeit(loser: Seat, why: EndReason) -> GameResult {
        GameResult { winner: Some(loser.opponent()), why }
    }

    fn of(outcome: Outcome) -> GameResult {
        match outcome {
            Outcome::Win { winner, reason } => {
                GameResult { winner: Some(winner), why: EndReason::Rule(reason) }
            }
            Outcome::Draw => GameResult { winner: None, why: EndReason::Draw },
        }
    }
}

/// The result of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveResult {
    /// The move was played and captured this.
    Played(Option<Colour>),
    /// The move is illegal.
    Illegal,
    /// A red tried to leave, which always loses.
    RedEscape,
}

/// A game with its referee. The bottom side moves first.
#[derive(Clone, Debug)]
pub struct Referee {
    sets: [SetCommand; 2],
    pieces: Pieces,
    game: Game,
    commands: Vec<MoveCommand>,
}

impl Referee {
    /// A game with these set-ups, the first player first; `None` if one of them is invalid.
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
    pub fn finish(&self) -> Option<GameResult> {
        self.game.outcome().map(GameResult::of)
    }

    /// Applies a command of the side to move.
    pub fn play(&mut self, command: MoveCommand) -> MoveResult {
        let side = self.game.turn();
        let Some(mv) = self.pieces.requested_move(side, command) else {
            return MoveResult::Illegal;
        };
        match self.game.play(mv) {
            Ok(after) => {
                self.game = after;
                self.commands.push(command);
                MoveResult::Played(self.pieces.play(side, mv))
            }
            Err(_) if matches!(mv, Move::Escape { .. }) => MoveResult::RedEscape,
            Err(_) => MoveResult::Illegal,
        }
    }

    /// The line that asks the side to move for a move.
    pub fn move_request(&self) -> FromServer {
        FromServer::AskMove(self.pieces.view(self.turn(), false))
    }

    /// The last line for a side.
    pub fn final_line(&self, side: Seat, finish: &GameResult) -> FromServer {
        let ending = match finish.winner {
            None => Ending::Drawn,
            Some(winner) if winner == side => Ending::Won,
            Some(_) => Ending::Lost,
        };
        FromServer::End(ending, self.pieces.view(side, true))
    }

    /// The record of the game.
    pub fn log(&self, finish: &GameResult) -> GameLog {
        GameLog {
            sets: self.sets.clone(),
            moves: self.commands.clone(),
            winner: finish.winner.map(index),
        }
    }
}
