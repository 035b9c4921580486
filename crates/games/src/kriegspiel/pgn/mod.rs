//! Game records: PGN that every chess program reads, with the illegal tries and the announcements
//! as comments.
//!
//! A comment before a move, `{Illegal: e2e5 d2d6.}`, lists the refused tries; a comment after it is
//! the announcement. A record is replayed when it is read, and refused if anything differs.

mod read;
mod write;

pub use read::PgnError;

use super::{Color, Game};

/// A recorded game with the names of its players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The game, up to its last try.
    pub game: Game,
    /// The name of the player of White.
    pub white: String,
    /// The name of the player of Black.
    pub black: String,
    /// The side that resigned, if the rules had not ended the game.
    pub resigned: Option<Color>,
}

/// The prefix of comments with illegal tries.
const ILLEGAL_PREFIX: &str = "Illegal: ";

/// The PGN result.
fn result(game: &Game, resigned: Option<Color>) -> &'static str {
    let winner = game.winner().or(resigned.map(|color| !color));
    match (game.termination().is_some() || resigned.is_some(), winner) {
        (false, _) => "*",
        (true, None) => "1/2-1/2",
        (true, Some(Color::White)) => "1-0",
        (true, Some(Color::Black)) => "0-1",
    }
}
