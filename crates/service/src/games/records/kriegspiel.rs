//! Records of Kriegspiel: PGN.

use super::{names, not_a_record, resigned};
use crate::error::{ErrorKind, ServiceError};
use crate::games::game_service::GAME_DIGITS;
use crate::games::game_session::{GameKind, GameSession, seat_index};
use crate::games::kriegspiel_game;
use crate::games::limits::{KRIEGSPIEL_PLIES, REFUSED_TRIES};
use crate::secrets::random_text;
use crate::store::GameRow;
use games::kriegspiel::pgn::Record;
use games::kriegspiel::{Color, Game, Position};

/// The game as PGN.
pub(super) fn pgn(session: &GameSession, game: &Game) -> String {
    let [white, black] = names(session);
    let record = Record::new(game.clone(), &white, &black);
    match resigned(session) {
        Some(seat) => record.resigned_by(kriegspiel_game::side(seat)).to_string(),
        None => record.to_string(),
    }
}

pub(super) fn read_pgn(text: &str) -> Result<GameRow, ServiceError> {
    let record: Record = text.parse().map_err(|error| not_a_record(&error))?;
    let game = &record.game;
    if *game.start() != Position::start() {
        return Err(not_a_record(&"the game does not start from the usual position"));
    }
    let refused =
        [Color::White, Color::Black].map(|side| kriegspiel_game::refused_tries(game, side));
    if game.turns().len() > KRIEGSPIEL_PLIES || refused.iter().any(|&tries| tries > REFUSED_TRIES) {
        return Err(ServiceError::new(ErrorKind::TooLarge, "long-record"));
    }
    let mut row = GameRow::new(random_text(GAME_DIGITS), GameKind::Kriegspiel.name(), 0);
    row.moves = kriegspiel_game::text(game);
    row.given_up = record.resigned.map(|side| seat_index(kriegspiel_game::seat(side)) as i64);
    Ok(row)
}
