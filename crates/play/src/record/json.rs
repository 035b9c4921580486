//! The format of games that have none of their own: one JSON object a line.

use super::{FormatError, FormatInfo, Recognition, Record, RecordError, RecordFormat};
use common::excerpt;
use games::Seat;
use games::hidden::{GameOutcome, HiddenGame};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// One JSON object a line, every part of the game as its own text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Json;

/// The version of the format.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Line {
    v: u32,
    game: String,
    players: [String; 2],
    start: String,
    setups: [String; 2],
    actions: Vec<String>,
    seed: u64,
    /// The reason of the end, `resigned`, or `open`.
    end: String,
    /// 0 or 1, by seat.
    winner: Option<u8>,
    /// 0 or 1, by seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    resigned: Option<u8>,
}

/// Whether a text is JSON of one object, and the game that it names.
///
/// `None` if it is something else. Text that begins like an object and is damaged counts as one that
/// names no game.
pub fn game_of_json(text: &str) -> Option<Option<String>> {
    #[derive(Deserialize)]
    struct Named {
        game: Option<String>,
    }
    let first_key = text.trim_start().strip_prefix('{')?.trim_start();
    if !first_key.starts_with(['"', '}']) && !first_key.is_empty() {
        return None;
    }
    Some(serde_json::from_str::<Named>(text).ok().and_then(|named| named.game))
}

/// Why a text is not a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JsonError {
    /// It is not JSON of this form.
    Json(String),
    /// It has another version.
    Version(u32),
    /// It is of another game.
    Game(String),
    /// A part cannot be read: its name and why.
    Part(&'static str, String),
    /// It does not hold together.
    Record(RecordError),
    /// It says another end than the rules do.
    End(String),
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JsonError::Json(error) => f.write_str(error),
            JsonError::Version(found) => {
                write!(f, "its version is {found}; this program reads {VERSION}")
            }
            JsonError::Game(name) => write!(f, "it is a game of {name:?}"),
            JsonError::Part(part, error) => write!(f, "its {part} cannot be read: {error}"),
            JsonError::Record(error) => error.fmt(f),
            JsonError::End(end) => write!(f, "the game ends otherwise: {end}"),
        }
    }
}

impl std::error::Error for JsonError {}

fn part<T: FromStr<Err: fmt::Display>>(name: &'static str, text: &str) -> Result<T, JsonError> {
    text.parse().map_err(|error: T::Err| JsonError::Part(name, error.to_string()))
}

fn seat(number: u8) -> Result<Seat, JsonError> {
    let found = Seat::ALL.get(usize::from(number)).copied();
    found.ok_or_else(|| JsonError::Part("resigned", format!("there is no seat {number}")))
}

fn number(seat: Seat) -> u8 {
    seat.index() as u8
}

/// The name of the end and the winner of a record that holds together.
fn end_of<G: HiddenGame>(record: &Record<G>) -> Result<(&'static str, Option<u8>), RecordError> {
    let outcome = record.replay()?.outcome();
    let end = match (record.resigned, outcome) {
        (Some(_), _) => "resigned",
        (None, None) => "open",
        (None, Some(outcome)) => outcome.reason(),
    };
    Ok((end, record.winner()?.map(number)))
}

impl Json {
    /// Reads a record and replays it.
    ///
    /// # Errors
    /// If the text is not a record, or the record is inconsistent.
    pub fn parse<G: HiddenGame>(text: &str) -> Result<Record<G>, JsonError> {
        let line: Line = serde_json::from_str(text)
            .map_err(|error| JsonError::Json(excerpt::json_error(&error)))?;
        if line.v != VERSION {
            return Err(JsonError::Version(line.v));
        }
        if line.game != G::NAME {
            return Err(JsonError::Game(line.game));
        }
        let [first, second] = &line.setups;
        let actions = line.actions.iter().map(|text| part("action", text));
        let record = Record {
            start: part("start", &line.start)?,
            setups: [part("set-up", first)?, part("set-up", second)?],
            actions: actions.collect::<Result<_, _>>()?,
            players: line.players,
            seed: line.seed,
            resigned: line.resigned.map(seat).transpose()?,
        };
        let (end, winner) = end_of(&record).map_err(JsonError::Record)?;
        let fits = (end, winner) == (line.end.as_str(), line.winner);
        if fits { Ok(record) } else { Err(JsonError::End(end.to_owned())) }
    }
}

impl<G: HiddenGame> RecordFormat<G> for Json {
    fn info(&self) -> FormatInfo {
        FormatInfo { name: "json", media_type: "application/json" }
    }

    fn recognizes(&self, text: &str) -> Recognition {
        match game_of_json(text).flatten() {
            Some(game) if game == G::NAME => Recognition::Certain,
            _ => Recognition::No,
        }
    }

    fn write(&self, record: &Record<G>) -> Result<String, String> {
        let (end, winner) = end_of(record).map_err(|error| error.to_string())?;
        let line = Line {
            v: VERSION,
            game: G::NAME.to_owned(),
            players: record.players.clone(),
            start: record.start.to_string(),
            setups: record.setups.map(|setup| setup.to_string()),
            actions: record.actions.iter().map(ToString::to_string).collect(),
            seed: record.seed,
            end: end.to_owned(),
            winner,
            resigned: record.resigned.map(number),
        };
        serde_json::to_string(&line).map(|json| json + "\n").map_err(|error| error.to_string())
    }

    fn read(&self, text: &str) -> Result<Record<G>, FormatError> {
        Json::parse(text).map_err(|error| FormatError::invalid(&error))
    }
}
