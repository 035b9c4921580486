//! Records of Kriegspiel: PGN.

use crate::games::site_game::RecordedGame;
use games::kriegspiel::Game;
use play::record::RecordFormat;
use players::kriegspiel::record::Pgn;

impl RecordedGame for Game {
    const FORMATS: &'static [&'static dyn RecordFormat<Game>] = &[&Pgn];
}
