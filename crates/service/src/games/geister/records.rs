//! Records of Geister: our JSON, and the log of tournaments.

use super::{DRAW_LIMIT, placement};
use crate::error::ServiceError;
use crate::games::played_game::PlayedGame;
use crate::games::records::{FormatInfo, ReadGame, RecordFormat, RecordHeader, not_a_record};
use crate::games::site_game::{RecordedGame, SiteGame};
use games::Seat;
use games::geister::{Game, Move, Standard};
use games::hidden::HiddenGame;
use gat::log::{GameLog, read_logs};
use players::GameRecord;

impl RecordedGame for Game {
    const FORMATS: &'static [RecordFormat<Game>] = &[
        RecordFormat {
            info: FormatInfo { name: "json", media_type: "application/json", prefix: Some("{") },
            write: write_json,
            read: read_json,
        },
        RecordFormat {
            info: FormatInfo {
                name: "log",
                media_type: "text/plain; charset=utf-8",
                prefix: Some("player="),
            },
            write: write_log,
            read: read_log,
        },
    ];
}

fn write_json(game: &PlayedGame<Game>, header: &RecordHeader) -> Option<String> {
    serde_json::to_string(&record(game, header)?).ok()
}

fn write_log(game: &PlayedGame<Game>, header: &RecordHeader) -> Option<String> {
    GameLog::of_record(&record(game, header)?).map(|log| log.to_string()).ok()
}

/// The game before the first move; `None` unless both have set up.
pub(super) fn start_of(game: &PlayedGame<Game>) -> Option<Game> {
    let [first, second] = game.setups();
    Some(Game::begin(&Game::start(), [first?, second?]))
}

fn record(game: &PlayedGame<Game>, header: &RecordHeader) -> Option<GameRecord> {
    let moves: Vec<Move> = game.actions().collect();
    // The seed means nothing: people play.
    let record = GameRecord::new(header.names.clone(), &start_of(game)?, &moves, 0);
    Some(match header.resigned {
        Some(seat) => record.resigned_by(seat.index() as u8),
        None => record,
    })
}

fn read_json(text: &str) -> Result<ReadGame<Game>, ServiceError> {
    game_of(&GameRecord::from_json(text).map_err(|error| not_a_record(&error))?)
}

fn read_log(text: &str) -> Result<ReadGame<Game>, ServiceError> {
    let games = read_logs(text).map_err(|error| not_a_record(&error))?;
    let [game] = games.as_slice() else { return Err(ServiceError::bad("one-record")) };
    let replayed = game.replay(DRAW_LIMIT, 0).map_err(|error| not_a_record(&error))?;
    game_of(&match replayed.forfeited_by {
        Some(loser) => replayed.record.resigned_by(loser as u8),
        None => replayed.record,
    })
}

fn game_of(record: &GameRecord) -> Result<ReadGame<Game>, ServiceError> {
    let (start, moves) = record.replay::<Standard>().map_err(|error| not_a_record(&error))?;
    let drawn_otherwise = record.end == "draw" && start.draw_limit() != DRAW_LIMIT;
    if drawn_otherwise || moves.len() as u32 > DRAW_LIMIT {
        return Err(not_a_record(&"the game was drawn by another limit than here"));
    }
    let setups = [placement(&record.red[0]), placement(&record.red[1])];
    let game = PlayedGame::new(setups, moves).ok_or(ServiceError::bad("not-a-record"))?;
    let resigned = record.end == players::record::RESIGNED;
    let winner = record.winner.filter(|_| resigned);
    Ok(ReadGame { game, resigned: winner.map(|winner| Seat::ALL[usize::from(winner == 0)]) })
}
