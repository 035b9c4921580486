//! The belief about the ghosts of one side: for each the probability that it is blue.

use games::geister::{Bitboard, Square};

/// Ghosts of a side on the largest board.
pub(super) const MAX_GHOSTS: usize = 8;

/// Where the pieces of one side stand, each at its own place in the list.
///
/// It is not the shared state of the crate `geister`: the probabilities of the pieces go by their
/// places in this list, which steps do not change, and it works on every board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PieceList {
    at: [Square; MAX_GHOSTS],
    squares: Bitboard,
}

impl PieceList {
    fn new(squares: Bitboard) -> PieceList {
        let mut at = [Square::FIRST; MAX_GHOSTS];
        at.iter_mut().zip(squares).for_each(|(place, square)| *place = square);
        PieceList { at, squares }
    }

    /// All squares.
    #[inline]
    pub(super) fn squares(&self) -> Bitboard {
        self.squares
    }

    /// The square of each ghost. Behind the last one it means nothing.
    #[inline]
    pub(super) fn at(&self) -> &[Square; MAX_GHOSTS] {
        &self.at
    }

    /// Which ghost stands there.
    #[inline]
    pub(super) fn ghost(&self, square: Square) -> Option<usize> {
        // What follows the last ghost is not looked at: one that stands there comes first.
        let is_taken = self.squares.has(square);
        is_taken.then(|| self.at.iter().position(|&at| at == square)).flatten()
    }

    /// This ghost goes there.
    #[inline]
    pub(super) fn step(&mut self, ghost: usize, to: Square) {
        self.squares = self.squares.without(self.at[ghost].bit()) | to.bit();
        self.at[ghost] = to;
    }

    /// This ghost is gone; those after it move up.
    #[inline]
    pub(super) fn remove(&mut self, ghost: usize) {
        self.squares = self.squares.without(self.at[ghost].bit());
        for place in ghost..MAX_GHOSTS - 1 {
            self.at[place] = self.at[place + 1];
        }
    }
}

/// The probability that each ghost of one side is blue, wherever it stands.
///
/// How many of them are blue is public, and the probabilities sum up to it, as far as settled ones
/// allow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Probabilities {
    blue: [f64; MAX_GHOSTS],
    /// Those that gave themselves away at an exit: the belief does not change any more.
    settled: [bool; MAX_GHOSTS],
    count: usize,
    blues: u32,
}

impl Probabilities {
    fn even(count: usize, blues: u32) -> Probabilities {
        let mut blue = [0.0; MAX_GHOSTS];
        blue[..count].fill(f64::from(blues) / count.max(1) as f64);
        Probabilities { blue, settled: [false; MAX_GHOSTS], count, blues }
    }

    /// How likely each ghost is blue.
    #[inline]
    pub(super) fn blue(&self) -> &[f64] {
        &self.blue[..self.count]
    }

    /// How many of them are blue: this much is public.
    #[inline]
    pub(super) fn blues(&self) -> u32 {
        self.blues
    }

    /// How many of them are red.
    #[inline]
    pub(super) fn reds(&self) -> u32 {
        (self.count as u32).saturating_sub(self.blues)
    }

    /// How likely some ghost on these squares is blue, each by itself.
    #[inline]
    pub(super) fn any_blue(&self, pieces: &PieceList, squares: Bitboard) -> f64 {
        if !pieces.squares.meets(squares) {
            return 0.0;
        }
        let ghosts = self.blue().iter().zip(&pieces.at);
        let there = ghosts.filter(|(_, at)| squares.has(**at));
        1.0 - there.map(|(blue, _)| 1.0 - blue).product::<f64>()
    }

    /// With this ghost captured, which was of this colour: the others are adjusted.
    pub(super) fn without(&self, ghost: usize, was_blue: bool) -> Probabilities {
        let mut left = *self;
        left.blue.copy_within(ghost + 1.., ghost);
        left.settled.copy_within(ghost + 1.., ghost);
        left.count -= 1;
        left.blues = left.blues.saturating_sub(u32::from(was_blue));
        left.adjust();
        left
    }

    /// Makes the beliefs probabilities again that sum up to the number of blues: they are cut to
    /// between 0 and 1, and what is missing or too much is spread evenly over all that can take it.
    fn adjust(&mut self) {
        let (blue, settled) = (&mut self.blue[..self.count], &self.settled[..self.count]);
        for one in blue.iter_mut() {
            *one = one.clamp(0.0, 1.0);
        }
        // Each round is the last one or fills or empties a ghost.
        for _ in 0..=MAX_GHOSTS {
            let missing = f64::from(self.blues) - blue.iter().sum::<f64>();
            let can_take = |blue: f64, settled: bool| {
                !settled && if missing > 0.0 { blue < 1.0 } else { blue > 0.0 }
            };
            let ghosts = blue.iter().zip(settled);
            let takers = ghosts.filter(|(blue, settled)| can_take(**blue, **settled)).count();
            if takers == 0 || missing.abs() < 1e-12 {
                return;
            }
            let each = missing / takers as f64;
            for (blue, settled) in blue.iter_mut().zip(settled) {
                if can_take(*blue, *settled) {
                    *blue = (*blue + each).clamp(0.0, 1.0);
                }
            }
        }
    }
}

/// The belief about the ghosts of one side that are on the board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SideBelief {
    pub(super) pieces: PieceList,
    pub(super) probabilities: Probabilities,
}

impl SideBelief {
    /// The prior for ghosts on these squares, `blues` of which are blue.
    pub fn even(squares: Bitboard, blues: u32) -> SideBelief {
        let count = (squares.count() as usize).min(MAX_GHOSTS);
        SideBelief {
            pieces: PieceList::new(squares),
            probabilities: Probabilities::even(count, blues),
        }
    }

    /// The ghosts: where each stands and how likely it is blue.
    pub fn ghosts(&self) -> impl Iterator<Item = (Square, f64)> {
        self.pieces.at.into_iter().zip(self.probabilities.blue().iter().copied())
    }

    /// Where they stand.
    #[inline]
    pub fn squares(&self) -> Bitboard {
        self.pieces.squares
    }

    /// How many of them are blue: this much is public.
    #[inline]
    pub fn blues(&self) -> u32 {
        self.probabilities.blues
    }

    /// How likely the ghost on this square is blue; `None` if there is none.
    pub fn blue_at(&self, square: Square) -> Option<f64> {
        self.pieces.ghost(square).map(|ghost| self.probabilities.blue[ghost])
    }

    /// Sets the belief in a ghost and nothing else.
    #[cfg(test)]
    pub(super) fn set_for_test(&mut self, square: Square, blue: f64) {
        if let Some(ghost) = self.pieces.ghost(square) {
            self.probabilities.blue[ghost] = blue;
        }
    }

    /// The ghost on `from` goes to `to`.
    pub(super) fn step(&mut self, from: Square, to: Square) {
        if let Some(ghost) = self.pieces.ghost(from) {
            self.pieces.step(ghost, to);
        }
    }

    /// The ghost on this square is captured and was of this colour; the others are adjusted.
    pub(super) fn capture(&mut self, square: Square, was_blue: bool) {
        if let Some(ghost) = self.pieces.ghost(square) {
            self.pieces.remove(ghost);
            self.probabilities = self.probabilities.without(ghost, was_blue);
        }
    }

    /// Adds to the belief in the ghost on this square, unless it is settled; the others are
    /// adjusted.
    pub(super) fn add(&mut self, square: Square, change: f64) {
        let Some(ghost) = self.pieces.ghost(square) else { return };
        if !self.probabilities.settled[ghost] && change != 0.0 {
            self.probabilities.blue[ghost] += change;
            self.probabilities.adjust();
        }
    }

    /// The ghosts on these squares are red and stay so; the others are adjusted.
    pub(super) fn settle_red(&mut self, squares: Bitboard) {
        for ghost in (squares & self.pieces.squares).filter_map(|square| self.pieces.ghost(square))
        {
            (self.probabilities.blue[ghost], self.probabilities.settled[ghost]) = (0.0, true);
        }
        if self.pieces.squares.meets(squares) {
            self.probabilities.adjust();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::geister::{Board, Small};
    use proptest::prelude::*;

    fn at(name: &str) -> Square {
        Square::from_name(name).unwrap()
    }

    fn values(belief: &SideBelief) -> Vec<f64> {
        belief.ghosts().map(|(_, blue)| (blue * 1e9).round() / 1e9).collect()
    }

    #[test]
    fn a_change_is_spread_over_all() {
        let mut belief = SideBelief::even(Small::HOME, 2);
        belief.add(at("b1"), 0.4);
        assert_eq!(values(&belief), [0.8, 0.4, 0.4, 0.4]);
        // 1.2 is cut to 1, the 0.2 too much is taken from all four alike.
        belief.add(at("b1"), 0.4);
        assert_eq!(values(&belief), [0.95, 0.35, 0.35, 0.35]);
        belief.add(at("c2"), -0.5);
        assert_eq!(values(&belief), [1.0, 0.45, 0.45, 0.1]);
    }

    #[test]
    fn captures_show_colours_and_settled_ones_stay() {
        let mut belief = SideBelief::even(Small::HOME, 2);
        belief.capture(at("c1"), true);
        assert_eq!(
            values(&belief),
            [1.0, 1.0, 1.0].map(|one: f64| (one / 3.0 * 1e9).round() / 1e9)
        );
        assert_eq!((belief.blues(), belief.probabilities.reds()), (1, 2));
        belief.settle_red(at("b1").bit());
        assert_eq!(values(&belief), [0.0, 0.5, 0.5]);
        belief.add(at("b1"), 0.5);
        assert_eq!(values(&belief), [0.0, 0.5, 0.5]);
        // More settled than there can be red: the sum falls short.
        belief.settle_red(Small::HOME);
        assert_eq!(values(&belief), [0.0; 3]);
    }

    proptest! {
        #[test]
        fn sums_are_kept(changes in proptest::collection::vec((0usize..8, -0.5f64..0.5), 0..40)) {
            let mut belief = SideBelief::even(games::geister::Standard::HOME, 4);
            for (ghost, change) in changes {
                let square = belief.pieces.at()[ghost];
                belief.add(square, change);
                let sum: f64 = belief.ghosts().map(|(_, blue)| blue).sum();
                prop_assert!((sum - 4.0).abs() < 1e-9);
                prop_assert!(belief.ghosts().all(|(_, blue)| (0.0..=1.0).contains(&blue)));
            }
        }
    }
}
