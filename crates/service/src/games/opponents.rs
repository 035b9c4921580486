//! The computer opponents.

use super::GameKind;
use games::geister::{Game, Standard};
use games::kriegspiel;
use geister::tablebase::Tables;
use play::Player;
use players::roster::BoardRoster;
use serde::Serialize;
use std::time::Duration;

/// A computer opponent.
pub struct Opponent {
    /// Its id; `opponent.ID` are its name and `opponent.ID.text` its character in the words.
    pub id: &'static str,
    /// What it plays.
    pub kind: GameKind,
    /// The name of the player.
    player: &'static str,
    /// Its time for a move, all its tries together.
    pub time: Duration,
}

const fn one(id: &'static str, kind: GameKind, player: &'static str, millis: u64) -> Opponent {
    Opponent { id, kind, player, time: Duration::from_millis(millis) }
}

/// All of them, for each game from easy to hard.
pub static ALL: [Opponent; 14] = [
    one("random", GameKind::Geister, "random", 0),
    one("rush", GameKind::Geister, "rush", 0),
    one("style-a", GameKind::Geister, "style:p5-a", 50),
    one("style-b", GameKind::Geister, "style:p5-b", 50),
    one("style-c", GameKind::Geister, "style:p5-c", 50),
    one("style-d", GameKind::Geister, "style:p5-d", 50),
    one("style-e", GameKind::Geister, "style:p5-e", 50),
    one("careful", GameKind::Geister, "careful", 50),
    one("champion-quick", GameKind::Geister, "champion", 50),
    one("champion", GameKind::Geister, "champion", 1000),
    one("greedy", GameKind::Kriegspiel, "greedy", 0),
    one("darkboard-glance", GameKind::Kriegspiel, "darkboard:depth=1", 100),
    one("darkboard-quick", GameKind::Kriegspiel, "darkboard", 100),
    one("darkboard", GameKind::Kriegspiel, "darkboard:depth=3", 1000),
];

/// The opponent of this id in this game.
pub fn named(kind: GameKind, id: &str) -> Option<&'static Opponent> {
    ALL.iter().find(|one| one.kind == kind && one.id == id)
}

/// The fallback for a program that fails: the first one of its game.
pub fn simplest(kind: GameKind) -> &'static Opponent {
    // Every game has one, as a test says.
    ALL.iter().find(|one| one.kind == kind).unwrap_or(&ALL[0])
}

impl Opponent {
    /// A player of Geister with these tablebases; `None` if it plays another game.
    pub fn geister(&self, tables: &Tables) -> Option<Box<dyn Player<Game>>> {
        // A test makes every one of them.
        (self.kind == GameKind::Geister)
            .then(|| Standard::maker(self.player, tables).ok())?
            .map(|make| make())
    }

    /// A player of Kriegspiel; `None` if it plays another game.
    pub fn kriegspiel(&self) -> Option<Box<dyn Player<kriegspiel::Game>>> {
        (self.kind == GameKind::Kriegspiel)
            .then(|| players::kriegspiel::roster::player(self.player).ok())?
    }
}

/// An opponent in JSON.
#[derive(Serialize)]
pub struct OpponentView {
    id: &'static str,
    game: &'static str,
    seconds: f64,
}

impl From<&Opponent> for OpponentView {
    fn from(one: &Opponent) -> OpponentView {
        OpponentView { id: one.id, game: one.kind.name(), seconds: one.time.as_secs_f64() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opponent_has_its_player() {
        for kind in GameKind::ALL {
            assert_eq!(simplest(kind).kind, kind);
        }
        for one in &ALL {
            assert_eq!(
                one.geister(&Tables::default()).is_some(),
                one.kind == GameKind::Geister,
                "{}",
                one.id
            );
            assert_eq!(one.kriegspiel().is_some(), one.kind == GameKind::Kriegspiel, "{}", one.id);
        }
    }
}
