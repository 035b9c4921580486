//! Exporting and importing games.

mod geister;
mod kriegspiel;

use super::game_session::{GameSession, GameState, SEATS, Stage};
use super::{game_service, limits};
use crate::caller::Caller;
use crate::error::{ErrorKind, ServiceError};
use crate::quota;
use crate::rate_limit::RateLimit;
use crate::scheduler::{JobContext, Lane};
use crate::service::SharedService;
use crate::store::GameRow;
use games::Seat;
use std::fmt::Display;

/// The format of a game record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordFormat {
    /// Our own JSON, of Geister.
    Json,
    /// The log of tournaments, of Geister.
    Log,
    /// PGN, of Kriegspiel.
    Pgn,
}

impl RecordFormat {
    /// The format of this name.
    pub fn named(name: &str) -> Option<RecordFormat> {
        match name {
            "json" => Some(RecordFormat::Json),
            "log" => Some(RecordFormat::Log),
            "pgn" => Some(RecordFormat::Pgn),
            _ => None,
        }
    }

    /// Its media type and file extension.
    pub const fn kind(self) -> (&'static str, &'static str) {
        match self {
            RecordFormat::Json => ("application/json", "json"),
            RecordFormat::Log => ("text/plain; charset=utf-8", "log"),
            RecordFormat::Pgn => ("application/vnd.chess-pgn", "pgn"),
        }
    }
}

/// The names of both players: a program's id, or `person`.
fn names(session: &GameSession) -> [String; 2] {
    SEATS.map(|seat| session.program(seat).unwrap_or("person").to_owned())
}

/// The record of a finished game.
///
/// # Errors
/// If it is not over, or has no such format.
pub fn write(session: &GameSession, format: RecordFormat) -> Result<String, ServiceError> {
    if session.stage() != Stage::Over {
        return Err(ServiceError::conflict("not-over"));
    }
    let text = match (&session.state, format) {
        (GameState::Geister(game), RecordFormat::Json) => geister::json(session, game),
        (GameState::Geister(game), RecordFormat::Log) => geister::log(session, game),
        (GameState::Kriegspiel(game), RecordFormat::Pgn) => Some(kriegspiel::pgn(session, game)),
        _ => None,
    };
    text.ok_or(ServiceError::bad("no-such-form"))
}

/// The seat that resigned.
fn resigned(session: &GameSession) -> Option<Seat> {
    session.row.given_up.map(|loser| SEATS[usize::from(loser != 0)])
}

/// Imports the record of a finished game. It has no owner, and everybody may see it.
///
/// # Errors
/// If it is not the record of a finished game.
pub async fn import(
    service: &SharedService,
    caller: &Caller,
    text: &str,
) -> Result<GameSession, ServiceError> {
    service.check_rate(caller, RateLimit::Write)?;
    if text.len() > limits::RECORD_BYTES {
        return Err(ServiceError::new(ErrorKind::TooLarge, "long-record"));
    }
    let text = text.to_owned();
    let parse = move |_: &JobContext| finished(&text);
    let row = service.scheduler.run(Lane::Interactive, &caller.client, parse).await??;
    service.store.begin_game(&row, service.charge(caller, quota::imported(&row.moves))).await?;
    game_service::open(service, caller.person(), &row.id).await.map(|(session, _)| session)
}

/// A record as a row, if its game is over.
fn finished(text: &str) -> Result<GameRow, ServiceError> {
    let row = read(text.trim_start_matches('\u{feff}').trim())?;
    let session = GameSession::open(row).filter(|session| session.stage() == Stage::Over);
    let mut session = session.ok_or(ServiceError::bad("not-a-record"))?;
    session.update_row();
    Ok(session.row)
}

/// Reads a record in any of the formats.
fn read(text: &str) -> Result<GameRow, ServiceError> {
    if text.starts_with('{') {
        geister::read_json(text)
    } else if text.starts_with("player=") {
        geister::read_log(text)
    } else {
        kriegspiel::read_pgn(text)
    }
}

/// The error of a text that is not a record, with the reason for programmers.
fn not_a_record(why: &dyn Display) -> ServiceError {
    ServiceError::bad("not-a-record").technical(why.to_string())
}
