//! Records of Kriegspiel as PGN.

use games::hidden::NoSetup;
use games::kriegspiel::{Game, color, pgn};
use play::Record;
use play::record::{FormatError, FormatInfo, Recognition, RecordFormat, game_of_json};

/// PGN with the refused tries as comments. It does not contain the seed, which is read as 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pgn;

impl RecordFormat<Game> for Pgn {
    fn info(&self) -> FormatInfo {
        FormatInfo { name: "pgn", media_type: "application/vnd.chess-pgn" }
    }

    /// A PGN without tags begins with any move or comment.
    fn recognizes(&self, text: &str) -> Recognition {
        if game_of_json(text).is_some() { Recognition::No } else { Recognition::Possible }
    }

    /// The empty line between two games.
    fn separator(&self) -> &'static str {
        "\n"
    }

    fn write(&self, record: &Record<Game>) -> Result<String, String> {
        let game = record.replay().map_err(|error| error.to_string())?;
        let [white, black] = record.players.clone();
        Ok(pgn::Record { game, white, black, resigned: record.resigned.map(color) }.to_string())
    }

    fn read(&self, text: &str) -> Result<Record<Game>, FormatError> {
        let record = text.parse().map_err(|error: pgn::PgnError| FormatError::invalid(&error))?;
        let pgn::Record { game, white, black, resigned } = record;
        Ok(Record {
            start: game.start().clone(),
            setups: [NoSetup; 2],
            actions: game.attempts().collect(),
            players: [white, black],
            seed: 0,
            resigned: resigned.map(Into::into),
        })
    }
}
