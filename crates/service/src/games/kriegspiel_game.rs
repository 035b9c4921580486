//! A game of Kriegspiel as it is stored: every try in its order. The umpire decides again which of them
//! were legal.

use super::limits::{KRIEGSPIEL_PLIES, REFUSED_TRIES};
use games::Seat;
use games::kriegspiel::{Answer, Color, Game, GameOver, Reply, Try, umpire};

/// The side of a seat.
pub(super) const fn side(seat: Seat) -> Color {
    match seat {
        Seat::First => Color::White,
        Seat::Second => Color::Black,
    }
}

/// The seat of a side.
pub(super) const fn seat(side: Color) -> Seat {
    match side {
        Color::White => Seat::First,
        Color::Black => Seat::Second,
    }
}

/// Reads a game from its tries; `None` if one comes after the end.
pub(super) fn read(tries: &str) -> Option<Game> {
    let mut game = Game::default();
    for text in tries.split_whitespace() {
        let attempt: Try = text.parse().ok()?;
        game.attempt(attempt).ok()?;
    }
    Some(game)
}

/// Every try so far.
pub(super) fn text(game: &Game) -> String {
    let turns = game.turns().iter();
    let tries = turns.flat_map(|turn| turn.refused.iter().chain([&turn.played]));
    tries.chain(game.refused()).map(Try::to_string).collect::<Vec<_>>().join(" ")
}

/// The outcome of a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tried {
    /// It was played.
    Played,
    /// It was refused, and the record says so.
    Refused,
    /// It was refused, and the game already has the maximum of refused tries.
    TooMany,
}

/// Whether the site ends a game that the rules have not ended.
pub(super) fn is_too_long(game: &Game) -> bool {
    game.turns().len() >= KRIEGSPIEL_PLIES
}

/// The refused tries of a side that a game from the usual start holds.
pub(super) fn refused_tries(game: &Game, side: Color) -> usize {
    let own = game.turns().iter().skip(side as usize).step_by(2);
    let now = if game.turn() == side { game.refused().len() } else { 0 };
    own.map(|turn| turn.refused.len()).sum::<usize>() + now
}

/// Plays a try, or records that it was refused if there is room for that.
pub(super) fn try_move(game: &mut Game, attempt: Try) -> Result<Tried, GameOver> {
    if refused_tries(game, game.turn()) >= REFUSED_TRIES && !is_legal(game, attempt) {
        return Ok(Tried::TooMany);
    }
    Ok(match game.attempt(attempt)? {
        Reply::Legal(_) => Tried::Played,
        Reply::Illegal => Tried::Refused,
    })
}

/// Plays the first try of the side to move that is legal, for a program whose choice cannot be refused
/// any more.
pub(super) fn play_any(game: &mut Game) {
    let tries = game.candidates();
    if let Some(&legal) = tries.iter().find(|&&attempt| is_legal(game, attempt)) {
        // The game is not over while there is a legal move.
        let _ = game.attempt(legal);
    }
}

fn is_legal(game: &Game, attempt: Try) -> bool {
    matches!(umpire(game.position(), attempt), Answer::Legal { .. })
}
