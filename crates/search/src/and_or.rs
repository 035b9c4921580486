//! The AND/OR view of a two-player game: can the OR side force a win?

use std::fmt::Debug;

/// The side that tries to prove (OR) or to refute (AND).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// Needs one winning move.
    Or,
    /// Needs one move that denies the win.
    And,
}

/// A position of a two-player game, seen as an AND/OR tree: can the OR side force a win?
///
/// The players need not alternate. A position without moves must be decided.
pub trait AndOr: Clone {
    /// A move, meaningful in the position it was generated for.
    type Move: Copy + Eq + Debug;

    /// The side to move. Not asked in decided positions.
    fn to_move(&self) -> Player;

    /// The result by the rules: `Some(true)` if OR has won, `Some(false)` if OR has lost or the
    /// game is drawn. Decided positions have no moves.
    fn decided(&self) -> Option<bool>;

    /// Appends the legal moves to `out`, in a fixed order.
    fn moves(&self, out: &mut Vec<Self::Move>);

    /// The position after `m`. The caller guarantees that `m` is legal.
    #[must_use]
    fn play(&self, m: Self::Move) -> Self;

    /// The hash key of the position and its side to move, such as a Zobrist key. Equal positions
    /// have equal keys; different positions have different keys except for hash collisions.
    fn key(&self) -> u64;

    /// The result that static knowledge proves without search (an interior-node recognizer).
    ///
    /// `Some(true)`: OR wins within `remaining` plies. `Some(false)`: OR cannot win within
    /// `remaining` plies. `None`: unknown without search. Called only for undecided positions with
    /// `remaining >= 1`. This is not a heuristic: the searches trust it, so it must be exact.
    fn static_result(&self, remaining: u32) -> Option<bool> {
        let _ = remaining;
        None
    }
}

/// Whether OR wins within `remaining` plies, if that is known without generating moves.
pub(crate) fn result_without_search<P: AndOr>(position: &P, remaining: u32) -> Option<bool> {
    match position.decided() {
        Some(won) => Some(won),
        None if remaining == 0 => Some(false),
        None => position.static_result(remaining),
    }
}

/// The legal moves as a new vector.
pub(crate) fn moves_of<P: AndOr>(position: &P) -> Vec<P::Move> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves
}
