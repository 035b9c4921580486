//! The computer opponents in Kriegspiel.

use crate::games::opponents::Opponent;
use crate::games::player::PlayerResources;
use crate::games::site_game::ProgramGame;
use games::kriegspiel::Game;
use play::Player;

impl ProgramGame for Game {
    const OPPONENTS: &'static [Opponent] = &[
        Opponent::new("greedy", "greedy", 0),
        Opponent::new("darkboard-glance", "darkboard:depth=1", 100),
        Opponent::new("darkboard-quick", "darkboard", 100),
        Opponent::new("darkboard", "darkboard:depth=3", 1000),
    ];

    fn player(name: &str, _: &PlayerResources) -> Option<Box<dyn Player<Game>>> {
        players::kriegspiel::roster::player(name).ok()
    }
}
