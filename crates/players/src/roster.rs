//! Players by name.

use crate::careful::Careful;
use crate::champion::{Champion, Plan};
use crate::determinized::Determinized;
use crate::learned::Weights;
use crate::maximax::Maximax;
use crate::player::Player;
use crate::random::Random;
use crate::rush::Rush;
use crate::style;
use games::geister::{Small, Standard};
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::sync::Arc;

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

    /// What makes players of this name, as many as are wanted. A file is read here and not again.
    ///
    /// # Errors
    /// If nobody has it.
    fn maker(name: &str) -> Result<Made<Self>, NoSuchPlayer>;

    /// One player of this name.
    ///
    /// # Errors
    /// If nobody has it.
    fn player(name: &str) -> Result<Box<dyn Player<Self>>, NoSuchPlayer> {
        Self::maker(name).map(|make| make())
    }
}

/// Makes players that are all alike.
pub type Made<B> = Box<dyn Fn() -> Box<dyn Player<B>> + Send + Sync>;

/// A maker of players that need nothing.
fn plain<B: games::geister::Board, P: Player<B> + Default + 'static>() -> Made<B> {
    Box::new(|| Box::new(P::default()))
}

fn nobody(name: &str, known: &[&'static str]) -> NoSuchPlayer {
    NoSuchPlayer { name: name.to_owned(), known: known.to_vec(), reason: None }
}

/// The player of a style: one that comes with the program, or a file.
fn styled<B: games::geister::Board>(
    name: &str,
    style: &str,
    known: &[&'static str],
) -> Result<Made<B>, NoSuchPlayer> {
    let found = style::load(style);
    let refused = |reason| NoSuchPlayer { reason: Some(reason), ..nobody(name, known) };
    let style = found.map_err(refused)?.style;
    Ok(Box::new(move || Box::new(style::StylePlayer::<B>::new(style))))
}

/// More bytes than a file of weights has.
const LONGEST_WEIGHTS: u64 = 1 << 16;

/// The champion with weights of one's own.
fn champion_of(name: &str, file: &str) -> Result<Made<Standard>, NoSuchPlayer> {
    let read = || -> Result<Weights, String> {
        let file = File::open(file).map_err(|error| format!("cannot read it: {error}"))?;
        let mut bytes = Vec::new();
        let told = file.take(LONGEST_WEIGHTS).read_to_end(&mut bytes);
        told.map_err(|error| format!("cannot read it: {error}"))?;
        Weights::from_bytes(&bytes).map_err(|error| error.to_string())
    };
    let refused = |reason| NoSuchPlayer { reason: Some(reason), ..nobody(name, Standard::NAMES) };
    let weights = Arc::new(read().map_err(refused)?);
    Ok(Box::new(move || Box::new(Champion::new(Arc::clone(&weights), Plan::default()))))
}

impl Roster for Standard {
    const NAMES: &'static [&'static str] = &[
        "random",
        "rush",
        "careful",
        "maximax",
        "determinized",
        "champion",
        "champion:FILE",
        "style:NAME",
    ];

    fn maker(name: &str) -> Result<Made<Standard>, NoSuchPlayer> {
        match name {
            "random" => Ok(plain::<Standard, Random>()),
            "rush" => Ok(plain::<Standard, Rush>()),
            "careful" => Ok(plain::<Standard, Careful>()),
            "maximax" => Ok(plain::<Standard, Maximax>()),
            "determinized" => Ok(plain::<Standard, Determinized>()),
            "champion" => Ok(plain::<Standard, Champion>()),
            _ => match name.split_once(':') {
                Some(("style", style)) => styled(name, style, Self::NAMES),
                Some(("champion", file)) => champion_of(name, file),
                _ => Err(nobody(name, Self::NAMES)),
            },
        }
    }
}

impl Roster for Small {
    const NAMES: &'static [&'static str] = &["random", "rush", "style:NAME"];

    fn maker(name: &str) -> Result<Made<Small>, NoSuchPlayer> {
        match name {
            "random" => Ok(plain::<Small, Random>()),
            "rush" => Ok(plain::<Small, Rush>()),
            _ => match name.strip_prefix("style:") {
                Some(style) => styled(name, style, Self::NAMES),
                None => Err(nobody(name, Self::NAMES)),
            },
        }
    }
}
