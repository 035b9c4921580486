//! Players by name.

use crate::Player;
use std::fmt;

/// Makes players that are all alike; each game has its own.
pub type Maker<G> = Box<dyn Fn() -> Box<dyn Player<G>> + Send + Sync>;

/// One kind of player.
pub struct Entry<G, C> {
    /// Its name; `name:OPTIONS` has options behind a colon.
    pub name: &'static str,
    /// What it is, in one line.
    pub help: &'static str,
    /// Makes it from its options, empty if it has none, and the resources of the roster.
    make: Make<G, C>,
}

type Make<G, C> = fn(&str, &C) -> Result<Maker<G>, String>;

/// The players of a game by name. `C` is what some of them need, such as tablebases.
pub struct Roster<G, C = ()> {
    entries: Vec<Entry<G, C>>,
}

/// A name that no player has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchPlayer {
    /// The name.
    pub name: String,
    /// The names there are.
    pub known: Vec<&'static str>,
    /// Why the options were refused, if the name itself is known.
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

impl<G, C> Default for Roster<G, C> {
    fn default() -> Roster<G, C> {
        Roster { entries: Vec::new() }
    }
}

impl<G, C> Roster<G, C> {
    /// The roster with one more player. `make` gets what stands behind the colon of the name; it
    /// reads files, so that the players it makes need not.
    #[must_use]
    pub fn with(
        mut self,
        name: &'static str,
        help: &'static str,
        make: fn(&str, &C) -> Result<Maker<G>, String>,
    ) -> Roster<G, C> {
        self.entries.push(Entry { name, help, make });
        self
    }

    /// Its players, in the order of registration.
    pub fn entries(&self) -> &[Entry<G, C>] {
        &self.entries
    }

    /// The names of its players.
    pub fn names(&self) -> Vec<&'static str> {
        self.entries.iter().map(|entry| entry.name).collect()
    }

    /// A maker of players of this name.
    ///
    /// # Errors
    /// If no player has the name, or its options are refused.
    pub fn maker(&self, name: &str, resources: &C) -> Result<Maker<G>, NoSuchPlayer> {
        let refused = |reason| NoSuchPlayer { name: name.to_owned(), known: self.names(), reason };
        let split = |text: &str| text.split_once(':').map(|(head, _)| head.to_owned());
        let fits = |entry: &&Entry<G, C>| {
            entry.name == name && !name.contains(':')
                || split(name).is_some() && split(entry.name) == split(name)
        };
        let entry = self.entries.iter().find(fits).ok_or_else(|| refused(None))?;
        let options = name.split_once(':').map_or("", |(_, options)| options);
        (entry.make)(options, resources).map_err(|reason| refused(Some(reason)))
    }

    /// One player of this name.
    ///
    /// # Errors
    /// As [`Roster::maker`].
    pub fn player(&self, name: &str, resources: &C) -> Result<Box<dyn Player<G>>, NoSuchPlayer> {
        self.maker(name, resources).map(|make| make())
    }
}
