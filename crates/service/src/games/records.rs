//! Exporting and importing games.

use super::game_session::{GameKind, GameSession, GameState, SEATS, Stage, seat_index};
use super::geister_game::{self, GeisterGame};
use super::{game_service, kriegspiel_game, limits};
use crate::caller::Caller;
use crate::error::{ErrorKind, ServiceError};
use crate::quota;
use crate::rate_limit::RateLimit;
use crate::scheduler::{JobContext, Lane};
use crate::secrets::random_text;
use crate::service::SharedService;
use crate::store::GameRow;
use games::Seat;
use games::geister::{Bitboard, Placement, Square, Standard};
use games::kriegspiel::Color;
use games::kriegspiel::pgn::Record;
use gat::log::{GameLog, read_logs};
use players::GameRecord;

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

/// The name of a player: a program's id, or `person`.
fn name(session: &GameSession, seat: Seat) -> String {
    session.program(seat).unwrap_or("person").to_owned()
}

/// The record of a finished game.
///
/// # Errors
/// If it is not over, or has no such format.
pub fn write(session: &GameSession, form: RecordFormat) -> Result<String, ServiceError> {
    if session.stage() != Stage::Over {
        return Err(ServiceError::conflict("not-over"));
    }
    let other = || ServiceError::bad("no-such-form");
    match (&session.state, form) {
        (GameState::Geister(game), RecordFormat::Json) => {
            let record = record(session, game).ok_or_else(other)?;
            serde_json::to_string(&record).map_err(|_| other())
        }
        (GameState::Geister(game), RecordFormat::Log) => {
            let record = record(session, game).ok_or_else(other)?;
            GameLog::of_record(&record).map(|log| log.to_string()).map_err(|_| other())
        }
        (GameState::Kriegspiel(game), RecordFormat::Pgn) => {
            let [white, black] = SEATS.map(|seat| name(session, seat));
            let record = Record::new((**game).clone(), &white, &black);
            Ok(match given_up(session) {
                Some(seat) => record.resigned_by(kriegspiel_game::side(seat)).to_string(),
                None => record.to_string(),
            })
        }
        _ => Err(other()),
    }
}

/// Who resigned.
fn given_up(session: &GameSession) -> Option<Seat> {
    session.row.given_up.map(|loser| SEATS[usize::from(loser != 0)])
}

/// The record of a game in which both have set up.
fn record(session: &GameSession, game: &GeisterGame) -> Option<GameRecord> {
    let names = SEATS.map(|seat| name(session, seat));
    // The seed means nothing: people play.
    let record = GameRecord::new(names, &game.start()?, game.moves(), 0);
    Some(match given_up(session) {
        Some(seat) => record.resigned_by(seat_index(seat) as u8),
        None => record,
    })
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

fn read(text: &str) -> Result<GameRow, ServiceError> {
    let bad = |why: String| ServiceError::bad("not-a-record").technical(why);
    if text.starts_with('{') {
        let record = GameRecord::from_json(text).map_err(|error| bad(error.to_string()))?;
        of_record(&record)
    } else if text.starts_with("player=") {
        let games = read_logs(text).map_err(|error| bad(error.to_string()))?;
        let [game] = games.as_slice() else { return Err(ServiceError::bad("one-record")) };
        let replayed =
            game.replay(geister_game::DRAW_LIMIT, 0).map_err(|error| bad(error.to_string()))?;
        let record = match replayed.forfeited_by {
            Some(loser) => replayed.record.resigned_by(loser as u8),
            None => replayed.record,
        };
        of_record(&record)
    } else {
        let record: Record = text.parse().map_err(|error| bad(format!("{error}")))?;
        if *record.game.start() != games::kriegspiel::Position::start() {
            return Err(bad("the game does not start from the usual position".into()));
        }
        let game = &record.game;
        let refused =
            [Color::White, Color::Black].map(|side| kriegspiel_game::refused_tries(game, side));
        if game.turns().len() > limits::KRIEGSPIEL_PLIES
            || refused.iter().any(|&tries| tries > limits::REFUSED_TRIES)
        {
            return Err(ServiceError::new(ErrorKind::TooLarge, "long-record"));
        }
        let mut row =
            GameRow::new(random_text(game_service::GAME_DIGITS), GameKind::Kriegspiel.name(), 0);
        row.moves = kriegspiel_game::text(&record.game);
        row.given_up = record.resigned.map(|side| seat_index(kriegspiel_game::seat(side)) as i64);
        Ok(row)
    }
}

fn of_record(record: &GameRecord) -> Result<GameRow, ServiceError> {
    let bad = |why: String| ServiceError::bad("not-a-record").technical(why);
    let (start, moves) = record.replay::<Standard>().map_err(|error| bad(error.to_string()))?;
    let set_up = |seat: usize| -> Option<Placement<Standard>> {
        let squares: Option<Vec<Square>> =
            record.red[seat].iter().map(|name| Square::from_name(name)).collect();
        Placement::with_red(squares?.into_iter().collect::<Bitboard>()).ok()
    };
    let drawn_otherwise = record.end == "draw" && start.draw_limit() != geister_game::DRAW_LIMIT;
    if drawn_otherwise || moves.len() as u32 > geister_game::DRAW_LIMIT {
        return Err(bad("the game was drawn by another limit than here".into()));
    }
    let mut row = GameRow::new(random_text(game_service::GAME_DIGITS), GameKind::Geister.name(), 0);
    let game = GeisterGame::new([set_up(0), set_up(1)], moves);
    let game = game.ok_or(ServiceError::bad("not-a-record"))?;
    (row.setup, row.moves) = (game.setup_text(), game.moves_text());
    if record.end == players::record::RESIGNED {
        row.given_up = record.winner.map(|winner| i64::from(1 - winner));
    }
    Ok(row)
}
