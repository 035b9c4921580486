//! Players by name.

use crate::careful::Careful;
use crate::champion::Champion;
use crate::player::Player;
use crate::random::Random;
use crate::rush::Rush;
use crate::style;
use games::geister::{Small, Standard};
use std::fmt;

/// A name that nobody has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchPlayer {
    /// The name.
    pub name: String,
    /// Those there are.
    pub known: Vec<&'static str>,
    /// Why it is none, where the list of all does not say it.
    pub reason: Option<String>,
}

impl fmt::Display for NoSuchPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(reason) = &self.reason {
            return write!(f, "{:?} is no player: {reason}", self.name);
        }
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
    NoSuchPlayer { name: name.to_owned(), known: known.to_vec(), reason: None }
}

/// The player of a style: one that comes with the program, or a file.
fn styled<B: games::geister::Board>(
    name: &str,
    style: &str,
    known: &[&'static str],
) -> Result<Box<dyn Player<B>>, NoSuchPlayer> {
    let found = style::load(style);
    let refused = |reason| NoSuchPlayer { reason: Some(reason), ..nobody(name, known) };
    let style = found.map_err(refused)?.style;
    Ok(Box::new(style::StylePlayer::<B>::new(style)))
}

impl Roster for Standard {
    const NAMES: &'static [&'static str] = &["random", "rush", "careful", "champion", "style:NAME"];

    fn player(name: &str) -> Result<Box<dyn Player<Standard>>, NoSuchPlayer> {
        match name {
            "random" => Ok(Box::new(Random)),
            "rush" => Ok(Box::new(Rush)),
            "careful" => Ok(Box::new(Careful::default())),
            "champion" => Ok(Box::new(Champion::default())),
            _ => match name.strip_prefix("style:") {
                Some(style) => styled(name, style, Self::NAMES),
                None => Err(nobody(name, Self::NAMES)),
            },
        }
    }
}

impl Roster for Small {
    const NAMES: &'static [&'static str] = &["random", "rush", "style:NAME"];

    fn player(name: &str) -> Result<Box<dyn Player<Small>>, NoSuchPlayer> {
        match name {
            "random" => Ok(Box::new(Random)),
            "rush" => Ok(Box::new(Rush)),
            _ => match name.strip_prefix("style:") {
                Some(style) => styled(name, style, Self::NAMES),
                None => Err(nobody(name, Self::NAMES)),
            },
        }
    }
}
