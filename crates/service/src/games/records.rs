//! Games as files, and files as games.

use super::ghosts::{self, Ghosts};
use super::table::{Kind, SEATS, Stage, Table, Truth, number};
use super::{dark, hall, limits};
use crate::caller::Caller;
use crate::error::{ErrorKind, ServiceError};
use crate::quota;
use crate::rate_limit::RateLimit;
use crate::scheduler::{Lane, Turn};
use crate::secrets::random_text;
use crate::service::SharedService;
use crate::store::GameRow;
use games::Seat;
use games::geister::{Bitboard, Placement, Square, Standard};
use games::kriegspiel::Color;
use games::kriegspiel::pgn::Record;
use gat::log::{GameLog, read_logs};
use players::GameRecord;

/// How a game is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Our own JSON, of Geister.
    Json,
    /// The log of tournaments, of Geister.
    Log,
    /// PGN, of Kriegspiel.
    Pgn,
}

impl Form {
    /// The form of this name.
    pub fn named(name: &str) -> Option<Form> {
        match name {
            "json" => Some(Form::Json),
            "log" => Some(Form::Log),
            "pgn" => Some(Form::Pgn),
            _ => None,
        }
    }

    /// What it is for a browser, and the ending of its file.
    pub const fn kind(self) -> (&'static str, &'static str) {
        match self {
            Form::Json => ("application/json", "json"),
            Form::Log => ("text/plain; charset=utf-8", "log"),
            Form::Pgn => ("application/vnd.chess-pgn", "pgn"),
        }
    }
}

/// The name of who sat there: a program's, or `person`.
fn name(table: &Table, seat: Seat) -> String {
    table.program(seat).unwrap_or("person").to_owned()
}

/// A game that is over, as a file.
///
/// # Errors
/// If it is not over, or has no such form.
pub fn write(table: &Table, form: Form) -> Result<String, ServiceError> {
    if table.stage() != Stage::Over {
        return Err(ServiceError::conflict("not-over"));
    }
    let other = || ServiceError::bad("no-such-form");
    match (&table.truth, form) {
        (Truth::Geister(game), Form::Json) => {
            let record = record(table, game).ok_or_else(other)?;
            serde_json::to_string(&record).map_err(|_| other())
        }
        (Truth::Geister(game), Form::Log) => {
            let record = record(table, game).ok_or_else(other)?;
            GameLog::of_record(&record).map(|log| log.to_string()).map_err(|_| other())
        }
        (Truth::Kriegspiel(game), Form::Pgn) => {
            let [white, black] = SEATS.map(|seat| name(table, seat));
            let record = Record::new((**game).clone(), &white, &black);
            Ok(match given_up(table) {
                Some(seat) => record.resigned_by(dark::side(seat)).to_string(),
                None => record.to_string(),
            })
        }
        _ => Err(other()),
    }
}

/// Who resigned.
fn given_up(table: &Table) -> Option<Seat> {
    table.row.given_up.map(|loser| SEATS[usize::from(loser != 0)])
}

/// The record of a game in which both have set up.
fn record(table: &Table, game: &Ghosts) -> Option<GameRecord> {
    let names = SEATS.map(|seat| name(table, seat));
    // The seed would tell nothing: people play.
    let record = GameRecord::new(names, &game.start()?, game.moves(), 0);
    Some(match given_up(table) {
        Some(seat) => record.resigned_by(number(seat) as u8),
        None => record,
    })
}

/// A file as a game that is over, which belongs to nobody and can be looked at by everybody.
///
/// # Errors
/// If it is no record of a game that is over.
pub async fn import(
    service: &SharedService,
    caller: &Caller,
    text: &str,
) -> Result<Table, ServiceError> {
    service.check_rate(caller, RateLimit::Write)?;
    if text.len() > limits::RECORD_BYTES {
        return Err(ServiceError::new(ErrorKind::TooLarge, "long-record"));
    }
    let text = text.to_owned();
    let parse = move |_: &Turn| finished(&text);
    let row = service.scheduler.run(Lane::Interactive, &caller.client, parse).await??;
    service.store.begin_game(&row, service.charge(caller, quota::imported(&row.moves))).await?;
    hall::open(service, caller.person(), &row.id).await.map(|(table, _)| table)
}

/// A record as a row, if its game is over.
fn finished(text: &str) -> Result<GameRow, ServiceError> {
    let row = read(text.trim_start_matches('\u{feff}').trim())?;
    let table = Table::open(row).filter(|table| table.stage() == Stage::Over);
    Ok(table.ok_or(ServiceError::bad("not-a-record"))?.into_row())
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
            game.replay(ghosts::DRAW_LIMIT, 0).map_err(|error| bad(error.to_string()))?;
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
        let refused = [Color::White, Color::Black].map(|side| dark::refused_tries(game, side));
        if game.turns().len() > limits::KRIEGSPIEL_PLIES
            || refused.iter().any(|&tries| tries > limits::REFUSED_TRIES)
        {
            return Err(ServiceError::new(ErrorKind::TooLarge, "long-record"));
        }
        let mut row = GameRow::new(random_text(hall::GAME_DIGITS), Kind::Kriegspiel.name(), 0);
        row.moves = dark::text(&record.game);
        row.given_up = record.resigned.map(|side| number(dark::seat(side)) as i64);
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
    let drawn_otherwise = record.end == "draw" && start.draw_limit() != ghosts::DRAW_LIMIT;
    if drawn_otherwise || moves.len() as u32 > ghosts::DRAW_LIMIT {
        return Err(bad("the game was drawn by another limit than here".into()));
    }
    let mut row = GameRow::new(random_text(hall::GAME_DIGITS), Kind::Geister.name(), 0);
    let ghosts = Ghosts::of([set_up(0), set_up(1)], moves);
    (row.setup, row.moves) = (ghosts.setup_text(), ghosts.moves_text());
    if record.end == players::record::RESIGNED {
        row.given_up = record.winner.map(|winner| i64::from(1 - winner));
    }
    Ok(row)
}
