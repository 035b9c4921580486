//! The games that the site offers. A new game is one line here, its folder beside this file, its
//! words, and its module for the browser.

use super::hosted_game::{HostableGame, HostedGame};
use super::opponents::Opponent;
use super::played_game::PlayedGame;
use super::records::{ImportedGame, named_format, read_as};
use crate::error::ServiceError;
use play::record::{FormatInfo, Recognition};
use std::fmt;
use std::marker::PhantomData;

/// Every game of the site, in the order in which pages and JSON list them.
pub static GAMES: &[&dyn HostedRules] = &[
    Registered::<games::geister::Game>::RULES,
    Registered::<games::kriegspiel::Game>::RULES,
    Registered::<games::phantom_tic_tac_toe::Game>::RULES,
];

/// The game of this name.
pub fn named(name: &str) -> Option<&'static dyn HostedRules> {
    GAMES.iter().copied().find(|rules| rules.name() == name)
}

/// What the site knows of a game before it is played.
pub trait HostedRules: Sync {
    /// Its name in URLs, JSON and the database.
    fn name(&self) -> &'static str;

    /// Its computer opponents from easy to hard, at least one.
    fn opponents(&self) -> &'static [Opponent];

    /// The formats of its records.
    fn formats(&self) -> Vec<FormatInfo>;

    /// The format of its records that a text may be in.
    fn recognize(&self, text: &str) -> Option<(Recognition, &'static str)>;

    /// Opens a game from its stored set-ups and actions; `None` if they are damaged.
    fn open(&self, setups: &str, actions: &str) -> Option<Box<dyn HostedGame>>;

    /// Reads a record in the format of this name.
    ///
    /// # Errors
    /// If it is not a record, or longer than the site keeps.
    fn import(&self, format: &str, text: &str) -> Result<ImportedGame, ServiceError>;
}

impl fmt::Debug for dyn HostedRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The rules of the game `G`.
pub(super) struct Registered<G>(PhantomData<fn() -> G>);

impl<G: HostableGame> Registered<G> {
    /// The one instance.
    pub(super) const RULES: &'static dyn HostedRules = &Registered::<G>(PhantomData);
}

impl<G: HostableGame> HostedRules for Registered<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn opponents(&self) -> &'static [Opponent] {
        G::OPPONENTS
    }

    fn formats(&self) -> Vec<FormatInfo> {
        G::FORMATS.iter().map(|format| format.info()).collect()
    }

    fn recognize(&self, text: &str) -> Option<(Recognition, &'static str)> {
        let formats = G::FORMATS.iter();
        let best = formats.map(|format| (format.recognizes(text), format.info().name)).max();
        best.filter(|(recognition, _)| *recognition > Recognition::No)
    }

    fn open(&self, setups: &str, actions: &str) -> Option<Box<dyn HostedGame>> {
        Some(Box::new(PlayedGame::<G>::read(setups, actions)?))
    }

    fn import(&self, format: &str, text: &str) -> Result<ImportedGame, ServiceError> {
        let format = named_format::<G>(format).ok_or(ServiceError::bad("no-such-form"))?;
        read_as(format, text)
    }
}
