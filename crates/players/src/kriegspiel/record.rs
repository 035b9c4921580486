//! Records of Kriegspiel as PGN.

use games::hidden::NoSetup;
use games::kriegspiel::{Game, color, pgn};
use play::{Record, RecordFormat};

/// PGN with the refused tries as comments. It has no place for the seed, which reads as 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pgn;

impl RecordFormat<Game> for Pgn {
    type Error = pgn::PgnError;

    /// The empty line between two games.
    const SEPARATOR: &'static str = "\n";

    fn write(&self, record: &Record<Game>) -> String {
        let mut game = Game::new(record.start.clone());
        for &attempt in &record.actions {
            // What comes after the end of a game is left out.
            let _ = game.attempt(attempt);
        }
        let [white, black] = record.players.clone();
        pgn::Record { game, white, black, resigned: record.resigned.map(color) }.to_string()
    }

    fn read(&self, text: &str) -> Result<Record<Game>, pgn::PgnError> {
        let pgn::Record { game, white, black, resigned } = text.parse()?;
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
