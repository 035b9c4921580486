//! A two-player game seen as one question: can the OR side force a win?

use std::fmt::Debug;

/// The side that tries to prove (OR) or to refute (AND).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// Needs one winning move.
    Or,
    /// Needs one move that denies the win.
    And,
}

/// A two-player game seen as one question: can the OR side force a win?
///
/// The players need not alternate. A position without moves must be decided.
pub trait AndOr: Clone {
    /// A move, meaningful in the position it was generated for.
    type Move: Copy + Eq + Debug;

    /// The side to move. Not asked in decided positions.
    fn to_move(&self) -> Player;

    /// `Some(true)`: won for OR by the rules; `Some(false)`: lost for OR, or drawn.
    ///
    /// Decided positions have no moves.
    fn decided(&self) -> Option<bool>;

    /// Appends the legal moves to `out`, in a fixed order.
    fn moves(&self, out: &mut Vec<Self::Move>);

    /// The position after `m`. The caller guarantees that `m` is legal.
    #[must_use]
    fn play(&self, m: Self::Move) -> Self;

    /// Equal positions (the player to move included) have equal keys; different ones have
    /// different keys except by accident.
    fn key(&self) -> u64;

    /// Knowledge before moving: what can be said of the next `remaining` plies without search.
    ///
    /// `Some(true)`: OR wins within `remaining` plies for sure. `Some(false)`: OR certainly cannot
    /// win within `remaining` plies. `None`: it takes search. Asked only of undecided positions
    /// and with `remaining >= 1`. The searches believe the answer; a wrong one makes them wrong.
    fn foresee(&self, remaining: u32) -> Option<bool> {
        let _ = remaining;
        None
    }
}

/// Whether OR wins within `remaining` plies, where no move need be made to say so.
pub(crate) fn known<P: AndOr>(position: &P, remaining: u32) -> Option<bool> {
    match position.decided() {
        Some(won) => Some(won),
        None if remaining == 0 => Some(false),
        None => position.foresee(remaining),
    }
}

/// The legal moves as a fresh list.
pub(crate) fn moves_of<P: AndOr>(position: &P) -> Vec<P::Move> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves
}
