//! The computer opponents in Geister.

use crate::games::opponents::Opponent;
use crate::games::player::PlayerResources;
use crate::games::site_game::ProgramGame;
use games::geister::{Game, Standard};
use play::Player;
use players::roster::BoardRoster;

impl ProgramGame for Game {
    const OPPONENTS: &'static [Opponent] = &[
        Opponent::new("random", "random", 0),
        Opponent::new("rush", "rush", 0),
        Opponent::new("style-a", "style:p5-a", 50),
        Opponent::new("style-b", "style:p5-b", 50),
        Opponent::new("style-c", "style:p5-c", 50),
        Opponent::new("style-d", "style:p5-d", 50),
        Opponent::new("style-e", "style:p5-e", 50),
        Opponent::new("careful", "careful", 50),
        Opponent::new("champion-quick", "champion", 50),
        Opponent::new("champion", "champion", 1000),
    ];

    fn player(name: &str, resources: &PlayerResources) -> Option<Box<dyn Player<Game>>> {
        Standard::maker(name, &resources.tables).ok().map(|make| make())
    }
}
