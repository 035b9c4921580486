//! The computer opponents in phantom tic-tac-toe.

use crate::games::opponents::Opponent;
use crate::games::player::PlayerResources;
use crate::games::site_game::ProgramGame;
use games::phantom_tic_tac_toe::Game;
use play::Player;

impl ProgramGame for Game {
    const OPPONENTS: &'static [Opponent] = &[
        Opponent::new("phantom-random", "random", 0),
        Opponent::new("phantom-maximax", "maximax", 100),
        Opponent::new("phantom-determinized", "determinized", 300),
    ];

    fn player(name: &str, _: &PlayerResources) -> Option<Box<dyn Player<Game>>> {
        players::phantom_tic_tac_toe::roster::player(name).ok()
    }
}
