//! Games that agree with what a seat has observed.

use super::board::Square;
use super::game::{Event, Game};
use crate::Seat;
use crate::hidden::{HiddenGame, InformationState, Resample};
use rand::Rng;

/// All orders in which the opponent can have placed its marks are enumerated, at most 360, and
/// each is equally likely. That is the exact distribution against an opponent that tries squares at
/// random. The opponent's refused tries, which the seat does not hear, are left out.
impl Resample for Game {
    fn resample<R: Rng + ?Sized>(
        information: &InformationState<Game>,
        count: usize,
        rng: &mut R,
    ) -> Vec<Game> {
        let games = agreeing(information);
        if games.is_empty() {
            return Vec::new();
        }
        (0..count).map(|_| games[rng.random_range(0..games.len())].clone()).collect()
    }
}

/// Every game that agrees with the information state; none if the game is over.
fn agreeing(information: &InformationState<Game>) -> Vec<Game> {
    let now = information.now();
    if now.outcome.is_some() {
        return Vec::new();
    }
    let seat = information.seat();
    let mut games = vec![Game::default()];
    for event in information.events() {
        games = games.iter().flat_map(|game| after(game, seat, *event)).collect();
    }
    // A seat that has not seen the game from its start has more marks than its events explain.
    games.retain(|game| game.observe(seat) == *now);
    games
}

/// The games that may follow `game` if `seat` perceives `event`.
fn after(game: &Game, seat: Seat, event: Event) -> Vec<Game> {
    let tries: Vec<Square> = match event {
        Event::Refused(square) | Event::Placed { square, .. } => vec![square],
        Event::OpponentMoved { .. } => game.legal_actions(),
    };
    let applied = |square| {
        let mut after = game.clone();
        let step = after.apply(square).ok()?;
        (step.perceived[seat.index()] == Some(event)).then_some(after)
    };
    tries.into_iter().filter_map(applied).collect()
}
