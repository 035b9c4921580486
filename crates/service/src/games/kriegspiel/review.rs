//! Reviews of games of Kriegspiel.

use crate::games::played_game::PlayedGame;
use crate::games::review::{KnownView, SeatReview};
use crate::games::site_game::{ReviewedGame, SiteGame};
use games::Seat;
use games::kriegspiel::{BitBoard, Game, color};
use play::review::Known;
use players::kriegspiel::review::{KnownSquares, KriegspielReviewer};

impl ReviewedGame for Game {
    fn review(game: &PlayedGame<Game>, _: [Option<&str>; 2]) -> [SeatReview; 2] {
        Seat::ALL.map(|seat| {
            let mut reviewer = KriegspielReviewer::new(&<Game as SiteGame>::start(), color(seat));
            let (review, known) = SeatReview::of(game, seat, &mut reviewer);
            SeatReview { knowledge: known.iter().map(known_view).collect(), ..review }
        })
    }
}

fn known_view(known: &Known<KnownSquares>) -> KnownView {
    let hex = |squares: BitBoard| format!("{:016x}", squares.0);
    let KnownSquares { certain, possible } = known.knowledge;
    KnownView { ply: known.ply, sure: hex(certain), possible: hex(possible) }
}
