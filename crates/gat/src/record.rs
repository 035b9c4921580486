//! The log of a game as a format of records.

use super::log::{GameLog, read_logs};
use games::geister::{DrawLimit, Game};
use play::Record;
use play::record::{FormatError, FormatInfo, Recognition, RecordFormat};
use players::GameRecord;

/// Records of Geister as logs of the protocol. They have no place for the draw limit and the seed,
/// which read as the usual limit and 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct LogFormat;

impl RecordFormat<Game> for LogFormat {
    fn info(&self) -> FormatInfo {
        FormatInfo { name: "log", media_type: "text/plain; charset=utf-8" }
    }

    fn recognizes(&self, text: &str) -> Recognition {
        if text.starts_with("player=") { Recognition::Certain } else { Recognition::No }
    }

    fn write(&self, record: &Record<Game>) -> Result<String, String> {
        let log = GameLog::of_record(&GameRecord::of(record));
        log.map(|log| log.to_string()).map_err(|error| error.to_string())
    }

    fn read(&self, text: &str) -> Result<Record<Game>, FormatError> {
        let logs = read_logs(text).map_err(|error| FormatError::invalid(&error))?;
        let [log] = logs.as_slice() else { return Err(FormatError::NotOneGame(logs.len())) };
        let replayed = log.replay(DrawLimit::default().0, 0);
        let replayed = replayed.map_err(|error| FormatError::invalid(&error))?;
        let record = match replayed.forfeited_by {
            Some(loser) => replayed.record.resigned_by(loser as u8),
            None => replayed.record,
        };
        record.record().map_err(|error| FormatError::invalid(&error))
    }
}
