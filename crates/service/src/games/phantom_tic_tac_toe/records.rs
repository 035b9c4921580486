//! Records of phantom tic-tac-toe: our JSON.

use crate::games::site_game::RecordedGame;
use games::phantom_tic_tac_toe::Game;
use play::record::{Json, RecordFormat};

impl RecordedGame for Game {
    const FORMATS: &'static [&'static dyn RecordFormat<Game>] = &[&Json];
}
