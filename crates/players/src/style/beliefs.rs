//! What is believed of the ghosts of one side: a probability of being blue for each.

use games::geister::{Bitboard, Square};

/// No side of any board has more ghosts.
const MOST: usize = 8;

/// What is believed of one ghost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Believed {
    /// Where it stands.
    pub square: Square,
    /// How likely it is blue.
    pub blue: f64,
    /// It gave itself away at an exit: the belief does not change any more.
    pub settled: bool,
}

/// What is believed of the ghosts of one side that are on the board.
///
/// How many of them are blue is public, and the probabilities sum up to it, as far as settled ones
/// allow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beliefs {
    ghosts: [Believed; MOST],
    count: usize,
    squares: Bitboard,
    blues: u32,
}

impl Beliefs {
    /// Of the ghosts on these squares, of which so many are blue, each as likely.
    pub fn even(squares: Bitboard, blues: u32) -> Beliefs {
        let unknown = Believed { square: Square::FIRST, blue: 0.0, settled: false };
        let count = (squares.count() as usize).min(MOST);
        let mut ghosts = [unknown; MOST];
        let blue = f64::from(blues) / count.max(1) as f64;
        for (ghost, square) in ghosts.iter_mut().zip(squares) {
            *ghost = Believed { square, blue, settled: false };
        }
        Beliefs { ghosts, count, squares, blues }
    }

    /// The ghosts.
    #[inline]
    pub fn ghosts(&self) -> &[Believed] {
        &self.ghosts[..self.count]
    }

    /// Where they stand.
    #[inline]
    pub fn squares(&self) -> Bitboard {
        self.squares
    }

    /// How many of them are blue: this much is public.
    #[inline]
    pub fn blues(&self) -> u32 {
        self.blues
    }

    /// How many of them are red.
    #[inline]
    pub fn reds(&self) -> u32 {
        (self.count as u32).saturating_sub(self.blues)
    }

    /// How likely the ghost on this square is blue; `None` if there is none.
    pub fn blue_at(&self, square: Square) -> Option<f64> {
        self.place(square).map(|at| self.ghosts[at].blue)
    }

    /// How likely some ghost on these squares is blue, each by itself.
    pub(super) fn any_blue(&self, squares: Bitboard) -> f64 {
        if !self.squares.meets(squares) {
            return 0.0;
        }
        let there = self.ghosts().iter().filter(|ghost| squares.has(ghost.square));
        1.0 - there.map(|ghost| 1.0 - ghost.blue).product::<f64>()
    }

    /// Sets the belief in a ghost and nothing else.
    #[cfg(test)]
    pub(super) fn set_for_test(&mut self, square: Square, blue: f64) {
        if let Some(at) = self.place(square) {
            self.ghosts[at].blue = blue;
        }
    }

    #[inline]
    fn place(&self, square: Square) -> Option<usize> {
        self.ghosts().iter().position(|ghost| ghost.square == square)
    }

    /// The ghost on `from` goes to `to`.
    pub(super) fn step(&mut self, from: Square, to: Square) {
        if let Some(at) = self.place(from) {
            self.ghosts[at].square = to;
            self.squares = self.squares.without(from.bit()) | to.bit();
        }
    }

    /// The ghost on this square is captured and was of this colour; the others are adjusted.
    pub(super) fn capture(&mut self, square: Square, was_blue: bool) {
        let Some(at) = self.place(square) else { return };
        self.ghosts.copy_within(at + 1..self.count, at);
        self.count -= 1;
        self.squares = self.squares.without(square.bit());
        self.blues = self.blues.saturating_sub(u32::from(was_blue));
        self.adjust();
    }

    /// Adds to the belief in the ghost on this square, unless it is settled; the others are
    /// adjusted.
    pub(super) fn add(&mut self, square: Square, change: f64) {
        let Some(at) = self.place(square) else { return };
        if !self.ghosts[at].settled && change != 0.0 {
            self.ghosts[at].blue += change;
            self.adjust();
        }
    }

    /// The ghosts on these squares are red and stay so; the others are adjusted.
    pub(super) fn settle_red(&mut self, squares: Bitboard) {
        if !self.squares.meets(squares) {
            return;
        }
        for ghost in self.ghosts[..self.count].iter_mut().filter(|g| squares.has(g.square)) {
            (ghost.blue, ghost.settled) = (0.0, true);
        }
        self.adjust();
    }

    /// Makes the beliefs probabilities again that sum up to the number of blues: they are cut to
    /// between 0 and 1, and what is missing or too much is spread evenly over all that can take it.
    fn adjust(&mut self) {
        let ghosts = &mut self.ghosts[..self.count];
        for ghost in ghosts.iter_mut() {
            ghost.blue = ghost.blue.clamp(0.0, 1.0);
        }
        // Each round is the last one or fills or empties a ghost.
        for _ in 0..=MOST {
            let missing = f64::from(self.blues) - ghosts.iter().map(|g| g.blue).sum::<f64>();
            let can_take = |ghost: &Believed| {
                !ghost.settled && if missing > 0.0 { ghost.blue < 1.0 } else { ghost.blue > 0.0 }
            };
            let takers = ghosts.iter().filter(|ghost| can_take(ghost)).count();
            if takers == 0 || missing.abs() < 1e-12 {
                return;
            }
            let each = missing / takers as f64;
            for ghost in ghosts.iter_mut().filter(|ghost| can_take(ghost)) {
                ghost.blue = (ghost.blue + each).clamp(0.0, 1.0);
            }
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

    fn values(beliefs: &Beliefs) -> Vec<f64> {
        let rounded = |ghost: &Believed| (ghost.blue * 1e9).round() / 1e9;
        beliefs.ghosts().iter().map(rounded).collect()
    }

    #[test]
    fn a_change_is_spread_over_all() {
        let mut beliefs = Beliefs::even(Small::HOME, 2);
        beliefs.add(at("b1"), 0.4);
        assert_eq!(values(&beliefs), [0.8, 0.4, 0.4, 0.4]);
        // 1.2 is cut to 1, the 0.2 too much is taken from all four alike.
        beliefs.add(at("b1"), 0.4);
        assert_eq!(values(&beliefs), [0.95, 0.35, 0.35, 0.35]);
        beliefs.add(at("c2"), -0.5);
        assert_eq!(values(&beliefs), [1.0, 0.45, 0.45, 0.1]);
    }

    #[test]
    fn captures_show_colours_and_settled_ones_stay() {
        let mut beliefs = Beliefs::even(Small::HOME, 2);
        beliefs.capture(at("c1"), true);
        assert_eq!(
            values(&beliefs),
            [1.0, 1.0, 1.0].map(|one: f64| (one / 3.0 * 1e9).round() / 1e9)
        );
        assert_eq!((beliefs.blues(), beliefs.reds()), (1, 2));
        beliefs.settle_red(at("b1").bit());
        assert_eq!(values(&beliefs), [0.0, 0.5, 0.5]);
        beliefs.add(at("b1"), 0.5);
        assert_eq!(values(&beliefs), [0.0, 0.5, 0.5]);
        // More settled than there can be red: the sum falls short.
        beliefs.settle_red(Small::HOME);
        assert_eq!(values(&beliefs), [0.0; 3]);
    }

    proptest! {
        #[test]
        fn sums_are_kept(changes in proptest::collection::vec((0usize..8, -0.5f64..0.5), 0..40)) {
            let mut beliefs = Beliefs::even(games::geister::Standard::HOME, 4);
            for (ghost, change) in changes {
                let square = beliefs.ghosts()[ghost].square;
                beliefs.add(square, change);
                let sum: f64 = beliefs.ghosts().iter().map(|ghost| ghost.blue).sum();
                prop_assert!((sum - 4.0).abs() < 1e-9);
                prop_assert!(beliefs.ghosts().iter().all(|g| (0.0..=1.0).contains(&g.blue)));
            }
        }
    }
}
