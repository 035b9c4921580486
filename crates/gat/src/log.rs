//! Records of games in the form of the protocol:
//!
//! ```text
//! player=0,SET:ABCD
//! player=1,SET:ABEF
//! player=0,MOV:D,NORTH
//! ...
//! winner=0
//! ```
//!
//! Player 0 moves first; `winner=2` is a draw. A file contains any number of games, one after the
//! other. In a forfeited game the winner does not follow from the board.

use super::pieces::{Pieces, index, placement, red_of_names};
use super::text::{FromClient, MoveCommand, SetCommand};
use games::geister::{Game, Move, Standard};
use players::record::{GameRecord, RecordError};
use std::fmt;

/// The number of the winner of a drawn game.
const DRAW: &str = "2";

/// The log of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameLog {
    /// The set-ups of both players, the first player first.
    pub sets: [SetCommand; 2],
    /// The moves of both players, alternating.
    pub moves: Vec<MoveCommand>,
    /// The winner, 0 or 1; none for a draw.
    pub winner: Option<usize>,
}

/// The error for a text that is not a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogError {
    /// The line, from 1.
    pub line: usize,
    /// What was expected there.
    pub expected: &'static str,
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.expected)
    }
}

impl std::error::Error for LogError {}

/// A replayed game; all moves are legal.
#[derive(Clone, Debug, PartialEq)]
pub struct Replayed {
    /// The game. It is `open` if it was forfeited.
    pub record: GameRecord,
    /// The player who forfeited it, 0 or 1.
    pub forfeited_by: Option<usize>,
}

/// The error of a conversion between log and record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConversionError {
    /// The set-up of this player is invalid.
    Set(usize),
    /// The move at this index is illegal.
    Move(usize),
    /// The board shows another winner.
    Winner,
    /// A record of a game that is not over has no log.
    Open,
    /// The record is inconsistent.
    Record(RecordError),
}

impl fmt::Display for ConversionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConversionError::Set(player) => write!(f, "player {player} has no set-up"),
            ConversionError::Move(place) => write!(f, "move {} cannot be played", place + 1),
            ConversionError::Winner => f.write_str("the board shows another winner"),
            ConversionError::Open => f.write_str("the game is not over"),
            ConversionError::Record(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ConversionError {}

impl fmt::Display for GameLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (player, set) in self.sets.iter().enumerate() {
            writeln!(f, "player={player},{set}")?;
        }
        for (ply, mv) in self.moves.iter().enumerate() {
            writeln!(f, "player={},{mv}", ply % 2)?;
        }
        match self.winner {
            Some(winner) => writeln!(f, "winner={winner}"),
            None => writeln!(f, "winner={DRAW}"),
        }
    }
}

/// A partially read game.
#[derive(Default)]
struct Reading {
    sets: [Option<SetCommand>; 2],
    moves: Vec<MoveCommand>,
}

impl Reading {
    fn is_empty(&self) -> bool {
        self.sets.iter().all(Option::is_none) && self.moves.is_empty()
    }

    fn take(&mut self, player: usize, command: FromClient) -> Result<(), &'static str> {
        match command {
            FromClient::Set(_) if self.sets[player].is_some() || !self.moves.is_empty() => {
                Err("winner= has to end a game before another begins")
            }
            FromClient::Set(set) => {
                self.sets[player] = Some(set);
                Ok(())
            }
            FromClient::Move(_) if self.sets.iter().any(Option::is_none) => {
                Err("both players set up before they move")
            }
            FromClient::Move(_) if self.moves.len() % 2 != player => {
                Err("players move by turns, player 0 first")
            }
            FromClient::Move(mv) => {
                self.moves.push(mv);
                Ok(())
            }
        }
    }

    fn finish(self, winner: Option<usize>) -> Result<GameLog, &'static str> {
        match self.sets {
            [Some(first), Some(second)] => {
                Ok(GameLog { sets: [first, second], moves: self.moves, winner })
            }
            _ => Err("a game needs the set-ups of both players"),
        }
    }
}

fn player_line(line: &str) -> Option<(usize, FromClient)> {
    let (player, command) = line.strip_prefix("player=")?.split_once(',')?;
    let player = match player {
        "0" => 0,
        "1" => 1,
        _ => return None,
    };
    Some((player, FromClient::parse(command).ok()?))
}

fn winner_line(line: &str) -> Option<Option<usize>> {
    match line.strip_prefix("winner=")? {
        "0" => Some(Some(0)),
        "1" => Some(Some(1)),
        DRAW => Some(None),
        _ => None,
    }
}

/// Reads the games of a file. Empty lines are ignored.
///
/// # Errors
/// If a line is out of place, or the last game has no end.
pub fn read_logs(text: &str) -> Result<Vec<GameLog>, LogError> {
    let (mut games, mut reading, mut last) = (Vec::new(), Reading::default(), 0);
    for (number, line) in text.lines().enumerate() {
        last = number + 1;
        let at = |expected| LogError { line: number + 1, expected };
        let line = line.trim_end();
        if line.is_empty() {
            continue;
        }
        if let Some((player, command)) = player_line(line) {
            reading.take(player, command).map_err(at)?;
        } else if let Some(winner) = winner_line(line) {
            games.push(std::mem::take(&mut reading).finish(winner).map_err(at)?);
        } else {
            return Err(at("a line is player=0,SET:ABCD or player=0,MOV:D,NORTH or winner=0"));
        }
    }
    if reading.is_empty() {
        Ok(games)
    } else {
        Err(LogError { line: last, expected: "a game ends with winner=0, 1 or 2" })
    }
}

impl GameLog {
    /// Replays the game and checks every move and the winner. A log does not contain the draw
    /// limit: it is the number of plies of a drawn game, else `draw_limit`, or more if the game was
    /// longer.
    ///
    /// The last command may be illegal, if its player lost by it.
    ///
    /// # Errors
    /// If the log is inconsistent.
    pub fn replay(&self, draw_limit: u32, seed: u64) -> Result<Replayed, ConversionError> {
        let plies = u32::try_from(self.moves.len()).unwrap_or(u32::MAX);
        let limit =
            if self.winner.is_none() { plies } else { draw_limit.max(plies.saturating_add(1)) };
        let set =
            |player: usize| placement(&self.sets[player].red).ok_or(ConversionError::Set(player));
        let start = Game::new(set(0)?, set(1)?, limit);
        let (moves, fault) = self.moves_of(&start)?;
        let last = moves.iter().fold(start, |game, &mv| game.play_unchecked(mv));
        let shown = last.outcome().map(|outcome| outcome.winner().map(index));
        let forfeited_by = match (shown, self.winner) {
            (Some(shown), winner) if shown == winner && fault.is_none() => None,
            (None, Some(winner)) if fault.is_none_or(|player| player != winner) => Some(1 - winner),
            _ => return Err(ConversionError::Winner),
        };
        let names = [0, 1].map(|player| self.player_name(player));
        Ok(Replayed { record: GameRecord::new(names, &start, &moves, seed), forfeited_by })
    }

    /// The moves in the view of the first player, and the player who made an illegal last move, if
    /// any.
    fn moves_of(&self, start: &Game) -> Result<(Vec<Move>, Option<usize>), ConversionError> {
        let mut pieces = Pieces::new([self.sets[0].red, self.sets[1].red]);
        let (mut game, mut moves) = (*start, Vec::with_capacity(self.moves.len()));
        for (place, &command) in self.moves.iter().enumerate() {
            let side = game.turn();
            let played =
                pieces.requested_move(side, command).and_then(|mv| Some((mv, game.play(mv).ok()?)));
            let Some((mv, after)) = played else {
                let is_last = place + 1 == self.moves.len() && game.outcome().is_none();
                let fault = is_last && self.winner == Some(index(side.opponent()));
                let fault = fault.then_some(index(side));
                return fault
                    .map(|player| (moves, Some(player)))
                    .ok_or(ConversionError::Move(place));
            };
            pieces.play(side, mv);
            game = after;
            moves.push(mv);
        }
        Ok((moves, None))
    }

    fn player_name(&self, player: usize) -> String {
        let order = ["first", "second"][player];
        self.sets[player].name.clone().unwrap_or_else(|| order.to_owned())
    }

    /// The log of a record, which is replayed and checked.
    ///
    /// # Errors
    /// If the record is inconsistent, or its game is not over.
    pub fn of_record(record: &GameRecord) -> Result<GameLog, ConversionError> {
        let (start, moves) = record.replay::<Standard>().map_err(ConversionError::Record)?;
        let set = |player: usize| {
            let red = red_of_names(&record.red[player]).ok_or(ConversionError::Set(player))?;
            Ok(SetCommand { red, name: None })
        };
        let sets = [set(0)?, set(1)?];
        let mut pieces = Pieces::new([sets[0].red, sets[1].red]);
        let (mut side, mut commands) = (start.turn(), Vec::with_capacity(moves.len()));
        for (place, &mv) in moves.iter().enumerate() {
            commands.push(pieces.command(side, mv).ok_or(ConversionError::Move(place))?);
            pieces.play(side, mv);
            side = side.opponent();
        }
        if record.end == "open" {
            return Err(ConversionError::Open);
        }
        Ok(GameLog { sets, moves: commands, winner: record.winner.map(usize::from) })
    }
}
