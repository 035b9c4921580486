//! Reviews of games of phantom tic-tac-toe.

use crate::games::played_game::PlayedGame;
use crate::games::review::SeatReview;
use crate::games::site_game::ReviewedGame;
use games::Seat;
use games::phantom_tic_tac_toe::Game;
use players::phantom_tic_tac_toe::review::PhantomReviewer;

impl ReviewedGame for Game {
    fn review(game: &PlayedGame<Game>, _: [Option<&str>; 2]) -> [SeatReview; 2] {
        Seat::ALL.map(|seat| SeatReview::of(game, seat, &mut PhantomReviewer).0)
    }
}
