//! Games in a list.

use super::game_session::{GameResult, GameSession};
use games::Seat;
use serde::Serialize;

/// A game in the list of a player's games.
#[derive(Serialize)]
pub struct Summary {
    /// Its id.
    pub game: String,
    /// Which game.
    pub kind: &'static str,
    /// The stage.
    pub stage: &'static str,
    /// The program on the other seat; `None` for a person.
    pub opponent: Option<String>,
    /// Whether it is the player's turn.
    pub your_turn: bool,
    /// `won`, `lost` or `drawn` once it is over.
    pub result: Option<&'static str>,
    /// Moves so far.
    pub ply: usize,
    /// When this seat last saw it change, in milliseconds since 1970.
    pub changed: i64,
}

impl Summary {
    /// The game as its player on this seat sees it in the list.
    pub fn new(session: &GameSession, seat: Seat) -> Summary {
        let result = |end: GameResult| match end.winner {
            Some(winner) if winner == seat => "won",
            Some(_) => "lost",
            None => "drawn",
        };
        Summary {
            game: session.row.id.clone(),
            kind: session.rules().name(),
            stage: session.stage().name(),
            opponent: session.program(seat.opponent()).map(str::to_owned),
            your_turn: session.turn() == Some(seat),
            result: session.result().map(result),
            ply: session.ply(),
            changed: session.row.changed_for[seat.index()],
        }
    }
}
