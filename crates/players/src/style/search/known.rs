//! What is known of a side, and what captures would show.

use crate::style::beliefs::{Chances, MOST, Stand};
use games::geister::Square;
use std::cell::OnceCell;

/// What is believed of a side in a part of the tree. Steps do not change it, captures do: what each
/// of them shows is worked out once, at the first node that asks.
pub(super) struct Known {
    chances: Chances,
    shown: [[OnceCell<Chances>; 2]; MOST],
}

impl Known {
    pub(super) fn new(chances: Chances) -> Known {
        Known { chances, shown: [const { [const { OnceCell::new() }; 2] }; MOST] }
    }

    /// How likely each ghost is blue.
    #[inline]
    pub(super) fn chances(&self) -> &Chances {
        &self.chances
    }

    /// The same after this ghost was captured and was of this colour.
    #[inline]
    pub(super) fn without(&self, ghost: usize, was_blue: bool) -> &Chances {
        self.shown[ghost][usize::from(was_blue)]
            .get_or_init(|| self.chances.without(ghost, was_blue))
    }
}

/// A side in the tree: where its ghosts stand and what is known of them.
#[derive(Clone, Copy)]
pub(super) struct Ghosts<'a> {
    pub(super) stand: Stand,
    pub(super) known: &'a Known,
}

impl Ghosts<'_> {
    /// Where each stands, and how likely it is blue.
    #[inline]
    pub(super) fn each(&self) -> impl Iterator<Item = (Square, f64)> {
        self.stand.at().iter().copied().zip(self.known.chances().blue().iter().copied())
    }

    /// The same for those that are left after this one was captured and was of this colour.
    #[inline]
    pub(super) fn each_without(
        &self,
        ghost: usize,
        was_blue: bool,
    ) -> impl Iterator<Item = (Square, f64)> {
        let at = self.stand.at();
        let left = self.known.without(ghost, was_blue).blue().iter().enumerate();
        left.map(move |(place, blue)| (at[(place + usize::from(place >= ghost)) % MOST], *blue))
    }

    /// How likely this ghost is blue.
    #[inline]
    pub(super) fn blue(&self, ghost: usize) -> f64 {
        self.known.chances().blue()[ghost]
    }
}
