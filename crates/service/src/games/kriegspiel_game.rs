//! A game of Kriegspiel as it is stored: every try in its order. The umpire decides again which of them
//! were legal.

use super::game_session::GameResult;
use super::limits::{KRIEGSPIEL_PLIES, REFUSED_TRIES};
use crate::error::ServiceError;
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
fn is_too_long(game: &Game) -> bool {
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

/// Plays a try of the side to move. One that was refused in this turn already is not repeated.
pub(super) fn play_text(game: &mut Game, text: &str) -> Result<(), ServiceError> {
    let attempt: Try = text.parse().map_err(|_| ServiceError::bad("bad-move"))?;
    if game.refused().contains(&attempt) {
        return Ok(());
    }
    if !game.candidates().contains(&attempt) {
        return Err(ServiceError::conflict("no-try"));
    }
    match try_move(game, attempt) {
        Ok(Tried::Played | Tried::Refused) => Ok(()),
        Ok(Tried::TooMany) => Err(ServiceError::conflict("too-many-tries")),
        Err(_) => Err(ServiceError::conflict("game-over")),
    }
}

/// Whether this try was the move at this ply.
pub(super) fn was_played(game: &Game, text: &str, ply: usize) -> bool {
    let played = game.turns().get(ply).map(|turn| turn.played);
    played.is_some() && text.parse().ok() == played
}

/// The result by the rules and the limit of plies; `None` while the game is not over.
pub(super) fn result(game: &Game) -> Option<GameResult> {
    if let Some(end) = game.end() {
        return Some(GameResult { how: end.id(), winner: game.winner().map(seat) });
    }
    // The same word as for the draw limit of Geister.
    is_too_long(game).then_some(GameResult { how: "draw", winner: None })
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
