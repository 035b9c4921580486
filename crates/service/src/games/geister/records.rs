//! Records of Geister: our JSON, and the log of tournaments.

use super::DRAW_LIMIT;
use crate::games::site_game::{RecordedGame, SiteGame};
use games::geister::{Game, Outcome};
use gat::record::LogFormat;
use play::Record;
use play::record::RecordFormat;
use players::record::GeisterJson;

impl RecordedGame for Game {
    const FORMATS: &'static [&'static dyn RecordFormat<Game>] = &[&GeisterJson, &LogFormat];

    /// A game with another draw limit could have been played here, unless it was drawn by it.
    fn import_refusal(record: &Record<Game>) -> Option<&'static str> {
        let is_drawn = record.replay().is_ok_and(|game| game.outcome() == Some(Outcome::Draw));
        let other_draw = is_drawn && record.start != Game::start();
        (other_draw || record.actions.len() as u32 > DRAW_LIMIT)
            .then_some("the game was drawn by another limit than here")
    }
}
