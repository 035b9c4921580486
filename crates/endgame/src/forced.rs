//! Any game of two players in front of the generic search algorithms: can one of them force a win?

use games::{Keyed, Seat, TwoPlayer};
use search::{AndOr, Player};
use std::fmt::Debug;

/// The question whether `side` can force a win; a draw is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForcedWin<G> {
    /// The position.
    pub position: G,
    /// Who has to win.
    pub side: Seat,
}

impl<G: TwoPlayer> ForcedWin<G> {
    /// The question for the player to move.
    pub fn of_mover(position: G) -> ForcedWin<G> {
        ForcedWin { side: position.seat(), position }
    }
}

impl<G> AndOr for ForcedWin<G>
where
    G: TwoPlayer<Move: Eq + Debug> + Keyed,
{
    type Move = G::Move;

    fn to_move(&self) -> Player {
        if self.position.seat() == self.side { Player::Or } else { Player::And }
    }

    fn decided(&self) -> Option<bool> {
        self.position.ending().map(|ending| ending.winner() == Some(self.side))
    }

    fn moves(&self, out: &mut Vec<G::Move>) {
        out.extend(self.position.legal_moves());
    }

    fn play(&self, mv: G::Move) -> ForcedWin<G> {
        ForcedWin { position: self.position.after(mv), side: self.side }
    }

    fn key(&self) -> u64 {
        self.position.key()
    }
}
