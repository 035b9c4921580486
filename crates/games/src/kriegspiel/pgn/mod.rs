//! Records of games: PGN that every chess program reads, with the illegal tries and the umpire's
//! words as comments.
//!
//! A comment before a move, `{Illegal: e2e5 d2d6.}`, names the tries that were refused; one behind
//! it is what was announced. What is read is played again, and refused if anything is otherwise.

mod read;
mod write;

pub use read::PgnError;

use super::{Color, Game};

/// A game with the names that a record gives it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The game, up to its last try.
    pub game: Game,
    /// Who played White.
    pub white: String,
    /// Who played Black.
    pub black: String,
    /// Who gave up a game that the rules had not ended.
    pub resigned: Option<Color>,
}

/// How comments with illegal tries begin.
const ILLEGAL: &str = "Illegal: ";

/// The result as PGN writes it.
fn result(game: &Game, resigned: Option<Color>) -> &'static str {
    let winner = game.winner().or(resigned.map(|side| !side));
    match (game.termination().is_some() || resigned.is_some(), winner) {
        (false, _) => "*",
        (true, None) => "1/2-1/2",
        (true, Some(Color::White)) => "1-0",
        (true, Some(Color::Black)) => "0-1",
    }
}
