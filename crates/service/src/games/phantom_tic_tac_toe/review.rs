//! Reviews of games of phantom tic-tac-toe.

use crate::games::played_game::PlayedGame;
use crate::games::review::{MissedView, SeatReview};
use crate::games::site_game::ReviewedGame;
use games::hidden::HiddenGame;
use games::phantom_tic_tac_toe::{Game, Square};

impl ReviewedGame for Game {
    fn review(game: &PlayedGame<Game>, _: [Option<&str>; 2]) -> [SeatReview; 2] {
        let moves: Vec<Square> = game.state().into_iter().flat_map(Game::moves).collect();
        let mut reviews = [SeatReview::default(), SeatReview::default()];
        let mut state = Game::default();
        for (ply, &played) in moves.iter().enumerate() {
            let seat = state.turn();
            reviews[seat.index()].missed.extend(missed(&state, ply, played));
            // It was played then, and is now.
            let _ = state.apply(played);
        }
        reviews
    }
}

/// A line that the seat to move could have completed and did not.
fn missed(state: &Game, ply: usize, played: Square) -> Option<MissedView> {
    let own = state.marks(state.turn());
    let wins = |&square: &Square| own.with(square).has_line();
    let best = state.legal_actions().into_iter().find(wins).filter(|_| !wins(&played))?;
    Some(MissedView {
        ply,
        plies: 1,
        best: best.to_string(),
        played: played.to_string(),
        position: state.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_was_not_completed_is_a_missed_win() {
        // X leaves c1 out, then O leaves c3 out, and then X wins.
        let tries = ["a1", "a3", "b1", "b3", "b2", "a2", "c1"].map(|one| one.parse().unwrap());
        let game = PlayedGame::<Game>::new([None, None], tries).unwrap();
        let [first, second] = Game::review(&game, [None, None]);
        let found = |review: &SeatReview| -> Vec<(usize, String)> {
            review.missed.iter().map(|one| (one.ply, one.best.clone())).collect()
        };
        assert_eq!(found(&first), [(4, "c1".to_owned())]);
        assert_eq!(found(&second), [(5, "c3".to_owned())]);
        assert_eq!(first.missed[0].position, "OO./.../XX.");
    }
}
