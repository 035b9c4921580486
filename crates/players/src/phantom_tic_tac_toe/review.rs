//! What a review of a game of phantom tic-tac-toe looks for: lines that were not completed.

use games::hidden::HiddenGame;
use games::phantom_tic_tac_toe::{Game, Square};
use play::review::{MissedWin, Opportunity, OwnTurn, Reviewer};

/// Reviews a game of phantom tic-tac-toe.
#[derive(Clone, Copy, Debug, Default)]
pub struct PhantomReviewer;

impl Reviewer<Game> for PhantomReviewer {
    type Position = Game;
    type Knowledge = ();

    /// A line that the seat could have completed. It could not know for certain that the square is
    /// empty.
    fn opportunity(&mut self, turn: &OwnTurn<'_, Game>) -> Opportunity<Square, Game> {
        let own = turn.state.marks(turn.information.seat());
        let wins = |&square: &Square| own.with(square).has_line();
        let best =
            turn.state.legal_actions().into_iter().find(wins).filter(|_| !wins(&turn.played));
        best.map_or(Opportunity::None, |best| {
            Opportunity::Missed(MissedWin { plies: 1, best, position: turn.state.clone() })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Seat;
    use games::hidden::NoSetup;
    use games::phantom_tic_tac_toe::EmptyBoard;
    use play::review::review;

    #[test]
    fn a_line_that_was_not_completed_is_a_missed_win() {
        // X leaves c1 out, then O leaves c3 out, and then X wins.
        let tries: Vec<Square> =
            ["a1", "a3", "b1", "b3", "b2", "a2", "c1"].map(|one| one.parse().unwrap()).into();
        let found = Seat::ALL.map(|seat| {
            let reviewer = &mut PhantomReviewer;
            let missed =
                review::<Game, _>(&EmptyBoard, [NoSetup; 2], &tries, seat, reviewer).missed;
            assert_eq!(missed.len(), 1, "{missed:?}");
            (missed[0].ply, missed[0].win.best.to_string(), missed[0].win.position.to_string())
        });
        let [first, second] = &found;
        assert_eq!(*first, (4, "c1".to_owned(), "OO./.../XX.".to_owned()));
        assert_eq!((second.0, second.1.as_str()), (5, "c3"));
    }
}
