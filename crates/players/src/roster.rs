//! Players by name.

use crate::careful::Careful;
use crate::champion::Champion;
use crate::player::Player;
use crate::random::Random;
use crate::rush::Rush;
use games::geister::{Small, Standard};
use std::fmt;

/// A name that nobody has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchPlayer {
    /// The name.
    pub name: String,
    /// Those there are.
    pub known: Vec<&'static str>,
}

impl fmt::Display for NoSuchPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = self.known.join(", ");
        write!(f, "there is no player {:?} on this board; players are {known}", self.name)
    }
}

impl std::error::Error for NoSuchPlayer {}

/// Boards with players.
pub trait Roster: crate::record::NamedBoard {
    /// The names of its players.
    const NAMES: &'static [&'static str];

    /// The player of this name.
    ///
    /// # Errors
    /// If nobody has it.
    fn player(name: &str) -> Result<Box<dyn Player<Self>>, NoSuchPlayer>;
}

fn nobody(name: &str, known: &[&'static str]) -> NoSuchPlayer {
    NoSuchPlayer { name: name.to_owned(), known: known.to_vec() }
}

impl Roster for Standard {
    const NAMES: &'static [&'static str] = &["random", "rush", "careful", "champion"];

    fn player(name: &str) -> Result<Box<dyn Player<Standard>>, NoSuchPlayer> {
        match name {
            "random" => Ok(Box::new(Random)),
            "rush" => Ok(Box::new(Rush)),
            "careful" => Ok(Box::new(Careful::default())),
            "champion" => Ok(Box::new(Champion::default())),
            _ => Err(nobody(name, Self::NAMES)),
        }
    }
}

impl Roster for Small {
    const NAMES: &'static [&'static str] = &["random", "rush"];

    fn player(name: &str) -> Result<Box<dyn Player<Small>>, NoSuchPlayer> {
        match name {
            "random" => Ok(Box::new(Random)),
            "rush" => Ok(Box::new(Rush)),
            _ => Err(nobody(name, Self::NAMES)),
        }
    }
}
