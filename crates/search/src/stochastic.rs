//! A game in which chance may play a part, seen from the side that maximises.

use std::fmt::Debug;

/// Who is next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// The side that wants a great value.
    Max,
    /// The side that wants a small value.
    Min,
    /// Nobody: the dice fall.
    Chance,
}

/// A game of one or two players, with or without chance.
///
/// The turns may come in any order. Without [`Turn::Chance`] its tree is a minimax tree, without
/// [`Turn::Min`] that of a game for one.
pub trait Stochastic: Clone {
    /// A move, meaningful in the position it was generated for.
    type Move: Copy + Eq + Debug;

    /// Who is next; none if the game has ended.
    fn turn(&self) -> Option<Turn>;

    /// Appends the legal moves to `out`, in a fixed order; at least one. Not asked when the dice
    /// fall or the game has ended.
    fn moves(&self, out: &mut Vec<Self::Move>);

    /// The position after `m`. The caller guarantees that `m` is legal.
    #[must_use]
    fn play(&self, m: Self::Move) -> Self;

    /// Appends what the dice may lead to, with probabilities that are above 0 and sum up to 1, in
    /// a fixed order. Asked only when the dice fall; games without chance need not care.
    fn outcomes(&self, out: &mut Vec<(f64, Self)>) {
        let _ = out;
    }
}

/// The legal moves as a fresh list.
pub(crate) fn moves_of<P: Stochastic>(position: &P) -> Vec<P::Move> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves
}

/// The outcomes of chance as a fresh list.
pub(crate) fn outcomes_of<P: Stochastic>(position: &P) -> Vec<(f64, P)> {
    let mut outcomes = Vec::new();
    position.outcomes(&mut outcomes);
    outcomes
}
