//! Players by name.

use crate::careful::Careful;
use crate::champion::{self, Champion};
use crate::determinized::{self, Determinized};
use crate::learned::Weights;
use crate::maximax::{Maximax, Taste};
use crate::player::Player;
use crate::random::Random;
use crate::rush::Rush;
use crate::style;
use games::geister::{Small, Standard};
use geister::tablebase::Tables;
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
    /// Those who prove do so with these tables of small endings.
    ///
    /// # Errors
    /// If nobody has it.
    fn maker(name: &str, tables: &Tables) -> Result<Made<Self>, NoSuchPlayer>;

    /// One player of this name, without tables.
    ///
    /// # Errors
    /// If nobody has it.
    fn player(name: &str) -> Result<Box<dyn Player<Self>>, NoSuchPlayer> {
        Self::maker(name, &Tables::default()).map(|make| make())
    }
}

/// Makes players that are all alike.
pub type Made<B> = Box<dyn Fn() -> Box<dyn Player<B>> + Send + Sync>;

/// A maker of players that need nothing.
fn plain<B: games::geister::Board, P: Player<B> + Default + 'static>() -> Made<B> {
    Box::new(|| Box::new(P::default()))
}

/// A maker of players that are made with tables.
fn proving<P: Player<Standard> + 'static>(
    tables: &Tables,
    make: impl Fn(&Tables) -> P + Send + Sync + 'static,
) -> Made<Standard> {
    let tables = tables.clone();
    Box::new(move || Box::new(make(&tables)))
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

/// Weights of one's own.
fn weights_of(name: &str, file: &str) -> Result<Arc<Weights>, NoSuchPlayer> {
    let read = || -> Result<Weights, String> {
        let file = File::open(file).map_err(|error| format!("cannot read it: {error}"))?;
        let mut bytes = Vec::new();
        let told = file.take(LONGEST_WEIGHTS).read_to_end(&mut bytes);
        told.map_err(|error| format!("cannot read it: {error}"))?;
        Weights::from_bytes(&bytes).map_err(|error| error.to_string())
    };
    let refused = |reason| NoSuchPlayer { reason: Some(reason), ..nobody(name, Standard::NAMES) };
    read().map(Arc::new).map_err(refused)
}

fn champion(weights: Arc<Weights>, tables: &Tables) -> Made<Standard> {
    proving(tables, move |tables| {
        Champion::new(Arc::clone(&weights), champion::Plan::default(), tables)
    })
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

    fn maker(name: &str, tables: &Tables) -> Result<Made<Standard>, NoSuchPlayer> {
        match name {
            "random" => Ok(plain::<Standard, Random>()),
            "rush" => Ok(plain::<Standard, Rush>()),
            "careful" => Ok(proving(tables, Careful::new)),
            "maximax" => Ok(proving(tables, |tables| Maximax::new(Taste::default(), tables))),
            "determinized" => {
                let plan = determinized::Plan::default();
                let make =
                    move |tables: &Tables| Determinized::new(Weights::shipped(), plan, tables);
                Ok(proving(tables, make))
            }
            "champion" => Ok(champion(Weights::shipped(), tables)),
            _ => match name.split_once(':') {
                Some(("style", style)) => styled(name, style, Self::NAMES),
                Some(("champion", file)) => Ok(champion(weights_of(name, file)?, tables)),
                _ => Err(nobody(name, Self::NAMES)),
            },
        }
    }
}

impl Roster for Small {
    const NAMES: &'static [&'static str] = &["random", "rush", "style:NAME"];

    fn maker(name: &str, _tables: &Tables) -> Result<Made<Small>, NoSuchPlayer> {
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
