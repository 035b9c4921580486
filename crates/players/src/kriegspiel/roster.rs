//! Players of Kriegspiel by name.

use super::darkboard::Darkboard;
use super::greedy::Greedy;
use games::kriegspiel::Game;
use play::{NoSuchPlayer, Player, Random, Roster};

/// The roster of Kriegspiel.
pub fn roster() -> Roster<Game> {
    Roster::default()
        .with("random", "any try", |_, ()| Ok(Box::new(|| Box::new(Random))))
        .with("greedy", "captures where it can", |_, ()| Ok(Box::new(|| Box::new(Greedy))))
        .with("darkboard", "weighted maximax over metapositions", |_, ()| {
            Ok(Box::new(|| Box::new(Darkboard::default())))
        })
        .with("darkboard:OPTIONS", "the same with other options", |options, ()| {
            let options = options.parse().map_err(|error| format!("{error}"))?;
            Ok(Box::new(move || Box::new(Darkboard::new(options))))
        })
}

/// Creates the player with this name.
///
/// # Errors
/// If no player has the name, or its options are refused.
pub fn player(name: &str) -> Result<Box<dyn Player<Game>>, NoSuchPlayer> {
    roster().player(name, &())
}
