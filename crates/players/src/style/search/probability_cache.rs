//! The probabilities of one side in a part of the tree, and those after each possible capture.

use crate::style::side_belief::{MAX_GHOSTS, PieceList, Probabilities};
use games::geister::Square;
use std::cell::OnceCell;

/// The probabilities of a side in a part of the tree. Steps do not change them, captures do: the
/// probabilities after each capture are computed once, at the first node that needs them.
pub(super) struct ProbabilityCache {
    probabilities: Probabilities,
    after_capture: [[OnceCell<Probabilities>; 2]; MAX_GHOSTS],
}

impl ProbabilityCache {
    pub(super) fn new(probabilities: Probabilities) -> ProbabilityCache {
        ProbabilityCache {
            probabilities,
            after_capture: [const { [const { OnceCell::new() }; 2] }; MAX_GHOSTS],
        }
    }

    /// How likely each ghost is blue.
    #[inline]
    pub(super) fn probabilities(&self) -> &Probabilities {
        &self.probabilities
    }

    /// The same after this ghost was captured and was of this colour.
    #[inline]
    pub(super) fn without(&self, ghost: usize, was_blue: bool) -> &Probabilities {
        self.after_capture[ghost][usize::from(was_blue)]
            .get_or_init(|| self.probabilities.without(ghost, was_blue))
    }
}

/// A side in the tree: where its ghosts stand and how likely each is blue.
#[derive(Clone, Copy)]
pub(super) struct Ghosts<'a> {
    pub(super) pieces: PieceList,
    pub(super) cache: &'a ProbabilityCache,
}

impl Ghosts<'_> {
    /// Where each stands, and how likely it is blue.
    #[inline]
    pub(super) fn each(&self) -> impl Iterator<Item = (Square, f64)> {
        self.pieces.at().iter().copied().zip(self.cache.probabilities().blue().iter().copied())
    }

    /// The same for those that are left after this one was captured and was of this colour.
    #[inline]
    pub(super) fn each_without(
        &self,
        ghost: usize,
        was_blue: bool,
    ) -> impl Iterator<Item = (Square, f64)> {
        let at = self.pieces.at();
        let left = self.cache.without(ghost, was_blue).blue().iter().enumerate();
        left.map(move |(place, blue)| {
            (at[(place + usize::from(place >= ghost)) % MAX_GHOSTS], *blue)
        })
    }

    /// How likely this ghost is blue.
    #[inline]
    pub(super) fn blue(&self, ghost: usize) -> f64 {
        self.cache.probabilities().blue()[ghost]
    }
}
