//! Reviews of games of Kriegspiel.

use crate::games::played_game::PlayedGame;
use crate::games::review::{KnownView, MissedView, SeatReview};
use crate::games::site_game::ReviewedGame;
use games::Seat;
use games::kriegspiel::{BitBoard, Game, color};
use players::review::kriegspiel::{self as reviews, Review};

impl ReviewedGame for Game {
    fn review(game: &PlayedGame<Game>, _: [Option<&str>; 2]) -> [SeatReview; 2] {
        Seat::ALL.map(|seat| {
            let found = game.state().map(|game| reviews::review(game, color(seat)));
            found.as_ref().map_or_else(SeatReview::default, seat_review)
        })
    }
}

fn seat_review(found: &Review) -> SeatReview {
    let missed = found.missed.iter().map(|one| MissedView {
        ply: one.ply,
        plies: 1,
        best: one.best.to_string(),
        played: one.played.to_string(),
        position: one.position.to_string(),
    });
    let hex = |squares: BitBoard| format!("{:016x}", squares.0);
    let knowledge = found.knowledge.iter().map(|one| KnownView {
        ply: one.ply,
        sure: hex(one.sure),
        possible: hex(one.possible),
    });
    SeatReview {
        missed: missed.collect(),
        knowledge: knowledge.collect(),
        ..SeatReview::with_feel(&found.feel)
    }
}
