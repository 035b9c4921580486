//! The last move of the own side, after which leaves are counted.
//!
//! Most nodes of a tree are of this kind, and many differ only in where the opponent stands. What does
//! not depend on that is computed once for all of them.

use super::probability_cache::Ghosts;
use super::{EQUAL, Leaving, NodeValue, Own, Search};
use crate::style::side_belief::MAX_GHOSTS;
use games::Seat;
use games::geister::{Bitboard, Board, Square};
use std::cmp::Ordering::{self, Equal, Greater, Less};
use std::ops::BitOr;

/// Values further apart than this are not equal, however their sums are rounded.
const CLEAR: f64 = 2.0 * EQUAL;

/// Values closer to each other than this are equal, however their sums are rounded, and so are those
/// at the two ends of a chain of them.
const TIE: f64 = 0.01 * EQUAL;

/// How MAX compares these values with the best, if it does so however sums are rounded and whatever
/// else they are compared with.
#[inline]
fn clearly(values: NodeValue, best: NodeValue) -> Option<Ordering> {
    let clearly = |more: f64| match more.abs() {
        apart if apart > CLEAR => Some(if more > 0.0 { Greater } else { Less }),
        apart if apart < TIE => Some(Equal),
        _ => None,
    };
    match clearly(values.real - best.real)? {
        Equal => clearly(values.pretense - best.pretense),
        apart => Some(apart),
    }
}

/// A step that ends the tree.
#[derive(Clone, Copy)]
pub(super) struct Step {
    ghost: usize,
    pub(super) from: Square,
    pub(super) to: Square,
}

/// The own side before its last move, which leads to leaves.
pub(super) struct LastMove<'a, B> {
    search: &'a Search<B>,
    own: Own<'a>,
    count: usize,
    /// The value of each ghost where it stands.
    here: [NodeValue; MAX_GHOSTS],
    /// Where each can go.
    paths: [Bitboard; MAX_GHOSTS],
    leaving: Leaving,
}

impl<'a, B: Board> LastMove<'a, B> {
    #[inline]
    pub(super) fn new(search: &'a Search<B>, own: Own<'a>) -> LastMove<'a, B> {
        let (mut here, mut paths) =
            ([NodeValue::both(0.0); MAX_GHOSTS], [Bitboard::EMPTY; MAX_GHOSTS]);
        for ((at, blue), (here, path)) in own.each().zip(here.iter_mut().zip(&mut paths)) {
            *here = search.ghost_value(at, own.how_blue(at, blue));
            *path = at.bit().neighbours::<B>().without(own.pieces.squares());
        }
        let count = own.probabilities.blue().len().min(MAX_GHOSTS);
        LastMove { search, count, here, paths, leaving: Leaving::of::<B>(&own), own }
    }

    /// The sum over both sides, given the value of each own ghost and of the opponent's together.
    #[inline]
    fn sum(&self, own: &[NodeValue; MAX_GHOSTS], opponent_value: f64) -> NodeValue {
        own[..self.count]
            .iter()
            .fold(NodeValue::both(-opponent_value), |sum, value| sum.plus(*value))
    }

    /// The same before a step.
    #[inline]
    fn now(&self, opponent: &Ghosts<'_>) -> NodeValue {
        self.sum(&self.here, self.search.opponent_value(opponent.each()))
    }

    /// The value of the ghost after this step.
    #[inline]
    fn there(&self, step: Step) -> NodeValue {
        let blue = self.own.probabilities.blue()[step.ghost];
        self.search.ghost_value(step.to, self.own.how_blue(step.from, blue))
    }

    /// Every step to these squares.
    #[inline]
    fn each_step_to(&self, squares: Bitboard, mut visit: impl FnMut(Step)) {
        let ghosts = self.paths[..self.count].iter().zip(self.own.pieces.at());
        for (ghost, (&path, &from)) in ghosts.enumerate() {
            for to in path & squares {
                visit(Step { ghost, from, to });
            }
        }
    }

    /// The values of every step at this ply.
    #[inline]
    pub(super) fn each(
        &self,
        opponent: &Ghosts<'_>,
        ply: u32,
        mut visit: impl FnMut(Step, NodeValue),
    ) {
        let now = self.now(opponent);
        self.each_step_to(B::FULL, |step| visit(step, self.values(step, opponent, now, ply)));
    }

    /// Those of a step, from a node with this sum.
    #[inline]
    fn values(&self, step: Step, opponent: &Ghosts<'_>, now: NodeValue, ply: u32) -> NodeValue {
        match opponent.pieces.ghost(step.to) {
            None => self.quiet(step, now),
            Some(ghost) => self.capture(step, opponent, ghost, ply),
        }
    }

    /// A step onto an empty square, from a node with this sum.
    #[inline]
    fn quiet(&self, step: Step, now: NodeValue) -> NodeValue {
        let (here, there) = (self.here[step.ghost], self.there(step));
        let pretense = now.pretense + there.pretense - here.pretense;
        let is_imagined = self.leaving.is_imagined;
        let real = if is_imagined { pretense } else { now.real + (there.real - here.real) };
        NodeValue { real, pretense }
    }

    /// A step that captures: a chance node.
    fn capture(&self, step: Step, opponent: &Ghosts<'_>, ghost: usize, ply: u32) -> NodeValue {
        let (blue, mut own) = (opponent.blue(ghost), self.here);
        let probabilities = opponent.cache.probabilities();
        own[step.ghost] = self.there(step);
        let outcome = |was_blue: bool, probability: f64| {
            if probability <= 0.0 {
                return NodeValue::both(0.0);
            }
            if let Some(end) =
                Search::<B>::end_of_capture(Seat::Second, probabilities, was_blue, ply)
            {
                return NodeValue::both(end);
            }
            self.sum(&own, self.search.opponent_value(opponent.each_without(ghost, was_blue)))
        };
        NodeValue::expectation(blue, outcome(true, blue), outcome(false, 1.0 - blue))
    }

    /// The value of a MAX node with this opponent.
    pub(super) fn max_value(&self, opponent: &Ghosts<'_>, ply: u32) -> NodeValue {
        let mut best = NodeValue::both(f64::NEG_INFINITY);
        self.each(opponent, ply, |_, values| {
            if values.is_greater(best) {
                best = values;
            }
        });
        if best.real == f64::NEG_INFINITY {
            best = self.now(opponent);
        }
        self.leaving.or(best, Search::<B>::win_after(ply))
    }

    /// The step that MAX takes if all these squares are empty and no other is, whatever the
    /// opponent's ghosts are worth. `None` if rounding might decide.
    #[inline]
    fn favourite(&self, empty: Bitboard) -> Option<Step> {
        let mut best: Option<(Step, NodeValue)> = None;
        let mut is_clear = true;
        self.each_step_to(empty, |step| {
            let gain = self.quiet(step, NodeValue::both(0.0));
            let comparison = best.map_or(Some(Greater), |(_, best)| clearly(gain, best));
            is_clear &= comparison.is_some();
            if comparison == Some(Greater) {
                best = Some((step, gain));
            }
        });
        best.filter(|_| is_clear).map(|(step, _)| step)
    }
}

/// The own side before its last move at the many nodes that follow a MIN node.
///
/// Where the opponent stands changes the values of all steps onto empty squares by one sum. So the
/// best of these is chosen once, and at a node only captures are compared with it, and steps onto the
/// square that was left. Where rounding or the order of steps might decide, all are compared.
pub(super) struct CachedLastMove<'a, B> {
    last: LastMove<'a, B>,
    favourite: Option<Step>,
    /// Where steps lead.
    reach: Bitboard,
}

impl<'a, B: Board> CachedLastMove<'a, B> {
    /// With the opponent on these squares, before it moves.
    #[inline]
    pub(super) fn new(
        search: &'a Search<B>,
        own: Own<'a>,
        opponent: Bitboard,
    ) -> CachedLastMove<'a, B> {
        let last = LastMove::new(search, own);
        let reach = last.paths.into_iter().fold(Bitboard::EMPTY, BitOr::bitor);
        CachedLastMove { favourite: last.favourite(B::FULL.without(opponent)), last, reach }
    }

    /// The value of a MAX node with this opponent, which has just left this square.
    #[inline]
    pub(super) fn max_value(&self, opponent: &Ghosts<'_>, left: Square, ply: u32) -> NodeValue {
        match self.clearly_best(opponent, left, ply) {
            Some(best) => self.last.leaving.or(best, Search::<B>::win_after(ply)),
            None => self.last.max_value(opponent, ply),
        }
    }

    /// The values of the best step, if it is clearly so.
    #[inline]
    fn clearly_best(&self, opponent: &Ghosts<'_>, left: Square, ply: u32) -> Option<NodeValue> {
        let (last, favourite) = (&self.last, self.favourite?);
        if opponent.pieces.squares().has(favourite.to) {
            return None;
        }
        let now = last.now(opponent);
        let mut best = last.quiet(favourite, now);
        let changed = (opponent.pieces.squares() | left.bit()) & self.reach;
        if changed.is_empty() {
            return Some(best);
        }
        let mut is_clear = true;
        last.each_step_to(changed, |step| {
            let values = last.values(step, opponent, now, ply);
            match clearly(values, best) {
                Some(Greater) => best = values,
                Some(Less) => {}
                Some(Equal) | None => is_clear = false,
            }
        });
        is_clear.then_some(best)
    }
}
