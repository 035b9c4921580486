//! Records of phantom tic-tac-toe: our JSON.

use crate::games::records::{RecordFormat, json_format};
use crate::games::site_game::RecordedGame;
use games::phantom_tic_tac_toe::Game;

impl RecordedGame for Game {
    const FORMATS: &'static [RecordFormat<Game>] =
        &[json_format(r#"{"v":1,"game":"phantom-tic-tac-toe""#)];
}
