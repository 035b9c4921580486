//! A game of Kriegspiel as it is kept: every try in its order. Which of them were legal, the umpire
//! says again.

use games::Seat;
use games::kriegspiel::{Game, Side, Try};

/// The side of a seat.
pub(super) const fn side(seat: Seat) -> Side {
    match seat {
        Seat::First => Side::White,
        Seat::Second => Side::Black,
    }
}

/// The seat of a side.
pub(super) const fn seat(side: Side) -> Seat {
    match side {
        Side::White => Seat::First,
        Side::Black => Seat::Second,
    }
}

/// A game out of its tries; `None` if one comes after the end.
pub(super) fn read(tries: &str) -> Option<Game> {
    let mut game = Game::default();
    for text in tries.split_whitespace() {
        let attempt: Try = text.parse().ok()?;
        game.try_move(attempt).ok()?;
    }
    Some(game)
}

/// Every try so far.
pub(super) fn text(game: &Game) -> String {
    let turns = game.turns().iter();
    let tries = turns.flat_map(|turn| turn.refused.iter().chain([&turn.played]));
    tries.chain(game.refused()).map(Try::to_string).collect::<Vec<_>>().join(" ")
}
