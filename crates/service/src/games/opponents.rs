//! The computer opponents.

use super::registry::{GAMES, HostedRules};
use serde::Serialize;
use std::time::Duration;

/// A computer opponent.
#[derive(Debug)]
pub struct Opponent {
    /// Its id; `opponent.ID` are its name and `opponent.ID.text` its character in the words.
    pub id: &'static str,
    /// The name of the player.
    pub player: &'static str,
    /// Its time for a move, all its tries together.
    pub time: Duration,
}

impl Opponent {
    /// An opponent with this many milliseconds for a move.
    pub(super) const fn new(id: &'static str, player: &'static str, millis: u64) -> Opponent {
        Opponent { id, player, time: Duration::from_millis(millis) }
    }
}

/// The opponents of all games, for each game from easy to hard.
pub fn all() -> impl Iterator<Item = &'static Opponent> {
    GAMES.iter().flat_map(|rules| rules.opponents())
}

/// The opponent of this id in this game.
pub fn named(rules: &dyn HostedRules, id: &str) -> Option<&'static Opponent> {
    rules.opponents().iter().find(|one| one.id == id)
}

/// An opponent in JSON.
#[derive(Serialize)]
pub struct OpponentView {
    id: &'static str,
    game: &'static str,
    seconds: f64,
}

/// The opponents of all games in JSON.
pub fn views() -> Vec<OpponentView> {
    let view = |game: &'static str, one: &Opponent| OpponentView {
        id: one.id,
        game,
        seconds: one.time.as_secs_f64(),
    };
    GAMES
        .iter()
        .flat_map(|rules| rules.opponents().iter().map(move |one| view(rules.name(), one)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_game_has_opponents_with_ids_of_their_own() {
        for rules in GAMES {
            assert!(!rules.opponents().is_empty(), "{rules:?}");
        }
        let ids: HashSet<&str> = all().map(|one| one.id).collect();
        assert_eq!(ids.len(), all().count());
    }
}
