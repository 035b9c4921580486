//! Records of Geister: our JSON, and the log of tournaments.

use super::{names, not_a_record, resigned};
use crate::error::ServiceError;
use crate::games::game_service::GAME_DIGITS;
use crate::games::game_session::{GameKind, GameSession, seat_index};
use crate::games::geister_game::{DRAW_LIMIT, GeisterGame, placement};
use crate::secrets::random_text;
use crate::store::GameRow;
use games::geister::Standard;
use gat::log::{GameLog, read_logs};
use players::GameRecord;

/// The game as JSON; `None` unless both have set up.
pub(super) fn json(session: &GameSession, game: &GeisterGame) -> Option<String> {
    serde_json::to_string(&record(session, game)?).ok()
}

/// The game as a tournament log; `None` unless both have set up.
pub(super) fn log(session: &GameSession, game: &GeisterGame) -> Option<String> {
    GameLog::of_record(&record(session, game)?).map(|log| log.to_string()).ok()
}

fn record(session: &GameSession, game: &GeisterGame) -> Option<GameRecord> {
    // The seed means nothing: people play.
    let record = GameRecord::new(names(session), &game.start()?, game.moves(), 0);
    Some(match resigned(session) {
        Some(seat) => record.resigned_by(seat_index(seat) as u8),
        None => record,
    })
}

pub(super) fn read_json(text: &str) -> Result<GameRow, ServiceError> {
    row_of(&GameRecord::from_json(text).map_err(|error| not_a_record(&error))?)
}

pub(super) fn read_log(text: &str) -> Result<GameRow, ServiceError> {
    let games = read_logs(text).map_err(|error| not_a_record(&error))?;
    let [game] = games.as_slice() else { return Err(ServiceError::bad("one-record")) };
    let replayed = game.replay(DRAW_LIMIT, 0).map_err(|error| not_a_record(&error))?;
    row_of(&match replayed.forfeited_by {
        Some(loser) => replayed.record.resigned_by(loser as u8),
        None => replayed.record,
    })
}

fn row_of(record: &GameRecord) -> Result<GameRow, ServiceError> {
    let (start, moves) = record.replay::<Standard>().map_err(|error| not_a_record(&error))?;
    let drawn_otherwise = record.end == "draw" && start.draw_limit() != DRAW_LIMIT;
    if drawn_otherwise || moves.len() as u32 > DRAW_LIMIT {
        return Err(not_a_record(&"the game was drawn by another limit than here"));
    }
    let placements = [placement(&record.red[0]), placement(&record.red[1])];
    let game = GeisterGame::new(placements, moves).ok_or(ServiceError::bad("not-a-record"))?;
    let mut row = GameRow::new(random_text(GAME_DIGITS), GameKind::Geister.name(), 0);
    (row.setup, row.moves) = (game.setup_text(), game.moves_text());
    if record.end == players::record::RESIGNED {
        row.given_up = record.winner.map(|winner| i64::from(1 - winner));
    }
    Ok(row)
}
