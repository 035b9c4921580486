//! The programs that people play against, each with its strength.

use super::Kind;
use games::geister::Standard;
use geister::tablebase::Tables;
use players::kriegspiel::player::Player as DarkPlayer;
use players::roster::Roster;
use std::time::Duration;

/// A program with the time it takes.
pub struct Opponent {
    /// Its id; `opponent.ID` are its name and `opponent.ID.text` its character in the words.
    pub id: &'static str,
    /// What it plays.
    pub kind: Kind,
    /// The name of the player.
    player: &'static str,
    /// For a move, all its tries together.
    pub time: Duration,
}

const fn one(id: &'static str, kind: Kind, player: &'static str, millis: u64) -> Opponent {
    Opponent { id, kind, player, time: Duration::from_millis(millis) }
}

/// All of them, for each game from easy to hard.
pub static ALL: [Opponent; 14] = [
    one("random", Kind::Geister, "random", 0),
    one("rush", Kind::Geister, "rush", 0),
    one("style-a", Kind::Geister, "style:p5-a", 50),
    one("style-b", Kind::Geister, "style:p5-b", 50),
    one("style-c", Kind::Geister, "style:p5-c", 50),
    one("style-d", Kind::Geister, "style:p5-d", 50),
    one("style-e", Kind::Geister, "style:p5-e", 50),
    one("careful", Kind::Geister, "careful", 50),
    one("champion-quick", Kind::Geister, "champion", 50),
    one("champion", Kind::Geister, "champion", 1000),
    one("greedy", Kind::Kriegspiel, "greedy", 0),
    one("darkboard-glance", Kind::Kriegspiel, "darkboard:depth=1", 100),
    one("darkboard-quick", Kind::Kriegspiel, "darkboard", 100),
    one("darkboard", Kind::Kriegspiel, "darkboard:depth=3", 1000),
];

/// The opponent of this id in this game.
pub fn named(kind: Kind, id: &str) -> Option<&'static Opponent> {
    ALL.iter().find(|one| one.kind == kind && one.id == id)
}

/// The program that takes over where another one fails: the first one of its game.
pub fn simplest(kind: Kind) -> &'static Opponent {
    // Every game has one, as a test says.
    ALL.iter().find(|one| one.kind == kind).unwrap_or(&ALL[0])
}

impl Opponent {
    /// A player of Geister with these tables of small endings; `None` if it plays another game.
    pub fn geister(&self, tables: &Tables) -> Option<Box<dyn players::Player<Standard>>> {
        // A test makes every one of them.
        (self.kind == Kind::Geister)
            .then(|| Standard::maker(self.player, tables).ok())?
            .map(|make| make())
    }

    /// A player of Kriegspiel; `None` if it plays another game.
    pub fn kriegspiel(&self) -> Option<Box<dyn DarkPlayer>> {
        (self.kind == Kind::Kriegspiel)
            .then(|| players::kriegspiel::roster::player(self.player).ok())?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opponent_has_its_player() {
        for kind in Kind::ALL {
            assert_eq!(simplest(kind).kind, kind);
        }
        for one in &ALL {
            assert_eq!(
                one.geister(&Tables::default()).is_some(),
                one.kind == Kind::Geister,
                "{}",
                one.id
            );
            assert_eq!(one.kriegspiel().is_some(), one.kind == Kind::Kriegspiel, "{}", one.id);
        }
    }
}
