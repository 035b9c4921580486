//! Games with chance nodes, seen from the maximising side.

use std::fmt::Debug;

/// The type of a node: who moves next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// The maximising side.
    Max,
    /// The minimising side.
    Min,
    /// A chance node: a random event follows.
    Chance,
}

/// A position of a game for one or two players, with or without chance.
///
/// Turns may come in any order. Without [`Turn::Chance`] the tree is a minimax tree, without
/// [`Turn::Min`] it is that of a one-player game.
pub trait Stochastic: Clone {
    /// A move, meaningful in the position it was generated for.
    type Move: Copy + Eq + Debug;

    /// Who moves next; none if the game has ended.
    fn turn(&self) -> Option<Turn>;

    /// Appends the legal moves to `out`, in a fixed order; at least one. Not called at chance nodes
    /// or when the game has ended.
    fn moves(&self, out: &mut Vec<Self::Move>);

    /// The position after `m`. The caller guarantees that `m` is legal.
    #[must_use]
    fn play(&self, m: Self::Move) -> Self;

    /// Appends the outcomes of a chance node with their probabilities, which are above 0 and sum to
    /// 1, in a fixed order. Called only at chance nodes; games without chance keep the default.
    fn outcomes(&self, out: &mut Vec<(f64, Self)>) {
        let _ = out;
    }
}

/// The legal moves as a new vector.
pub(crate) fn moves_of<P: Stochastic>(position: &P) -> Vec<P::Move> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves
}

/// The outcomes of a chance node as a new vector.
pub(crate) fn outcomes_of<P: Stochastic>(position: &P) -> Vec<(f64, P)> {
    let mut outcomes = Vec::new();
    position.outcomes(&mut outcomes);
    outcomes
}
