//! Records of Kriegspiel: PGN.

use crate::error::ServiceError;
use crate::games::played_game::PlayedGame;
use crate::games::records::{FormatInfo, ReadGame, RecordFormat, RecordHeader, not_a_record};
use crate::games::site_game::RecordedGame;
use games::Seat;
use games::kriegspiel::pgn::Record;
use games::kriegspiel::{Game, Position, color};

impl RecordedGame for Game {
    const FORMATS: &'static [RecordFormat<Game>] = &[RecordFormat {
        // A PGN without tags begins with any move.
        info: FormatInfo { name: "pgn", media_type: "application/vnd.chess-pgn", prefix: None },
        write: write_pgn,
        read: read_pgn,
    }];
}

fn write_pgn(game: &PlayedGame<Game>, header: &RecordHeader) -> Option<String> {
    let [white, black] = &header.names;
    let record = Record::new(game.state()?.clone(), white, black);
    Some(match header.resigned {
        Some(seat) => record.resigned_by(color(seat)).to_string(),
        None => record.to_string(),
    })
}

fn read_pgn(text: &str) -> Result<ReadGame<Game>, ServiceError> {
    let record: Record = text.parse().map_err(|error| not_a_record(&error))?;
    if *record.game.start() != Position::start() {
        return Err(not_a_record(&"the game does not start from the usual position"));
    }
    let game = PlayedGame::new([None, None], record.game.attempts());
    let game = game.ok_or(ServiceError::bad("not-a-record"))?;
    Ok(ReadGame { game, resigned: record.resigned.map(Seat::from) })
}
