//! A game as it is kept: everything needed to play it again and to check it.

use common::excerpt;
use games::Seat;
use games::geister::{
    Bitboard, Board, DrawLimit, Game, Move, Outcome, Placement, Small, Square, Standard,
};
use games::hidden::{GameOutcome, HiddenGame};
use play::Record;
use play::record::{FormatError, FormatInfo, Recognition, RecordFormat, game_of_json};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The board of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BoardName {
    /// The board of the shop.
    #[serde(rename = "6x6")]
    Standard,
    /// That of Tomoda and Hasebe.
    #[serde(rename = "4x5")]
    Small,
}

/// A record. The first player is the bottom side and begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The version of the form, 1.
    pub v: u32,
    /// The board.
    pub board: BoardName,
    /// Who played, the one who began first.
    pub players: [String; 2],
    /// The squares of each side's reds at the start, in its own view.
    pub red: [Vec<String>; 2],
    /// The moves, in the view of the first player.
    pub moves: Vec<String>,
    /// Plies after which a game is drawn.
    pub draw_limit: u32,
    /// How it ended: `escape`, `last-blue`, `last-red`, `draw`, `resigned`, or `open` if it did not.
    pub end: String,
    /// Who won: 0 or 1.
    pub winner: Option<u8>,
    /// The seed it was played with.
    pub seed: u64,
}

/// Why a record does not hold together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// It is no record as JSON.
    Json(String),
    /// It has another version of the form.
    Version(u32),
    /// It is on another board.
    Board,
    /// The reds of this side are no placement.
    Placement(usize),
    /// The move at this place cannot be played.
    Move(usize),
    /// The game ended another way.
    End(String),
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::Json(reason) => write!(f, "it is not a record of a game: {reason}"),
            RecordError::Version(found) => {
                write!(f, "its version is {found}; this program reads {VERSION}")
            }
            RecordError::Board => f.write_str("the record is of a game on another board"),
            RecordError::Placement(side) => write!(f, "the reds of player {side} are no set-up"),
            RecordError::Move(place) => write!(f, "move {} cannot be played", place + 1),
            RecordError::End(end) => write!(f, "the game ends otherwise: {end}"),
        }
    }
}

impl std::error::Error for RecordError {}

/// The version of the form.
const VERSION: u32 = 1;
/// The end of a game that has none.
const OPEN: &str = "open";
/// The end of a game that somebody gave up.
pub const RESIGNED: &str = "resigned";

/// The name of how a game ended, and who won.
pub fn end_of(outcome: Option<Outcome>) -> (&'static str, Option<u8>) {
    let Some(outcome) = outcome else { return (OPEN, None) };
    (outcome.reason(), outcome.winner().map(|seat| seat.index() as u8))
}

/// Boards that records know.
pub trait NamedBoard: Board {
    /// Its name.
    const NAME: BoardName;
}

impl NamedBoard for Standard {
    const NAME: BoardName = BoardName::Standard;
}

impl NamedBoard for Small {
    const NAME: BoardName = BoardName::Small;
}

/// Records of Geister as one JSON object a line, see [`GameRecord`].
#[derive(Clone, Copy, Debug, Default)]
pub struct GeisterJson;

impl<B: NamedBoard> RecordFormat<Game<B>> for GeisterJson {
    fn info(&self) -> FormatInfo {
        FormatInfo { name: "json", media_type: "application/json" }
    }

    /// Our oldest format: its records name no game.
    fn recognizes(&self, text: &str) -> Recognition {
        match game_of_json(text) {
            Some(None) => Recognition::Certain,
            Some(Some(_)) => Recognition::Possible,
            None => Recognition::No,
        }
    }

    fn write(&self, record: &Record<Game<B>>) -> Result<String, String> {
        let json = serde_json::to_string(&GameRecord::of(record));
        json.map(|json| json + "\n").map_err(|error| error.to_string())
    }

    fn read(&self, text: &str) -> Result<Record<Game<B>>, FormatError> {
        let record = GameRecord::from_json(text).and_then(GameRecord::record);
        record.map_err(|error| FormatError::invalid(&error))
    }
}

impl GameRecord {
    /// The same game as the crate `play` keeps it, checked as by [`GameRecord::replay`].
    ///
    /// # Errors
    /// If the record does not hold together.
    pub fn record<B: NamedBoard>(self) -> Result<Record<Game<B>>, RecordError> {
        let (_, actions) = self.replay::<B>()?;
        let loser = self.winner.filter(|_| self.end == RESIGNED).map(|winner| 1 - winner);
        Ok(Record {
            start: DrawLimit(self.draw_limit),
            setups: [self.placement(0)?, self.placement(1)?],
            actions,
            resigned: loser.and_then(|loser| Seat::ALL.get(usize::from(loser)).copied()),
            players: self.players,
            seed: self.seed,
        })
    }

    /// The record of a game of the crate `play`.
    pub fn of<B: NamedBoard>(record: &Record<Game<B>>) -> GameRecord {
        let start = Game::begin(&record.start, record.setups);
        let written = GameRecord::new(record.players.clone(), &start, &record.actions, record.seed);
        match record.resigned {
            Some(loser) => written.resigned_by(loser.index() as u8),
            None => written,
        }
    }

    /// The set-up of a player, 0 or 1.
    fn placement<B: NamedBoard>(&self, side: usize) -> Result<Placement<B>, RecordError> {
        let squares = self.red[side].iter().map(|name| Square::from_name(name));
        let red: Option<Bitboard> =
            squares.collect::<Option<Vec<_>>>().map(|all| all.into_iter().collect());
        // A square that is named twice is not two ghosts.
        let all_differ = |red: &Bitboard| red.count() as usize == self.red[side].len();
        red.filter(all_differ)
            .and_then(|red| Placement::with_red(red).ok())
            .ok_or(RecordError::Placement(side))
    }

    /// The record of a game.
    pub fn new<B: NamedBoard>(
        players: [String; 2],
        start: &Game<B>,
        moves: &[Move],
        seed: u64,
    ) -> GameRecord {
        let red = [Seat::First, Seat::Second]
            .map(|side| start.observe(side).own().red.map(|square| square.to_string()).collect());
        let last = moves.iter().fold(*start, |game, &mv| game.play_unchecked(mv));
        let (end, winner) = end_of(last.outcome());
        GameRecord {
            v: VERSION,
            board: B::NAME,
            players,
            red,
            moves: moves.iter().map(Move::to_string).collect(),
            draw_limit: start.draw_limit(),
            end: end.to_owned(),
            winner,
            seed,
        }
    }

    /// Reads a record. Whether it holds together is for [`GameRecord::replay`] to find out.
    ///
    /// # Errors
    /// If it is no record.
    pub fn from_json(text: &str) -> Result<GameRecord, RecordError> {
        serde_json::from_str(text).map_err(|error| RecordError::Json(excerpt::json_error(&error)))
    }

    /// The game from its start, move by move, every one of them checked, and the end too.
    ///
    /// # Errors
    /// If the record does not hold together.
    pub fn replay<B: NamedBoard>(&self) -> Result<(Game<B>, Vec<Move>), RecordError> {
        if self.v != VERSION {
            return Err(RecordError::Version(self.v));
        }
        if self.board != B::NAME {
            return Err(RecordError::Board);
        }
        let start = Game::new(self.placement(0)?, self.placement(1)?, self.draw_limit);
        let (mut game, mut moves) = (start, Vec::with_capacity(self.moves.len()));
        for (place, text) in self.moves.iter().enumerate() {
            let mv = text.parse().map_err(|_| RecordError::Move(place))?;
            game = game.play(mv).map_err(|_| RecordError::Move(place))?;
            moves.push(mv);
        }
        let (end, winner) = end_of(game.outcome());
        let given_up = self.end == RESIGNED && game.outcome().is_none();
        let fits = match self.winner {
            Some(0 | 1) if given_up => true,
            told => (end, winner) == (self.end.as_str(), told),
        };
        if fits { Ok((start, moves)) } else { Err(RecordError::End(end.to_owned())) }
    }

    /// The record of the same game, which player `loser`, 0 or 1, gave up; one that the rules have
    /// ended stays as it is.
    #[must_use]
    pub fn resigned_by(mut self, loser: u8) -> GameRecord {
        if self.end == OPEN {
            (self.end, self.winner) = (RESIGNED.to_owned(), Some(1 - loser.min(1)));
        }
        self
    }
}
