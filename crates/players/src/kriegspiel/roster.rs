//! Players of Kriegspiel by name.

use super::darkboard::Darkboard;
use super::greedy::Greedy;
use super::player::Player;
use super::random::Random;
use crate::roster::NoSuchPlayer;

/// The names of the players.
pub const NAMES: &[&str] = &["random", "greedy", "darkboard", "darkboard:OPTIONS"];

/// The player of this name.
///
/// # Errors
/// If nobody has it, or its options are none.
pub fn player(name: &str) -> Result<Box<dyn Player>, NoSuchPlayer> {
    let nobody = |reason| NoSuchPlayer { name: name.to_owned(), known: NAMES.to_vec(), reason };
    match name {
        "random" => Ok(Box::new(Random)),
        "greedy" => Ok(Box::new(Greedy)),
        "darkboard" => Ok(Box::new(Darkboard::default())),
        _ => {
            let options = name.strip_prefix("darkboard:").ok_or_else(|| nobody(None))?;
            let options = options.parse().map_err(|error| nobody(Some(format!("{error}"))))?;
            Ok(Box::new(Darkboard::new(options)))
        }
    }
}
