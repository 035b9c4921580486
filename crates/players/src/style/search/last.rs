//! The last move of the own side, after which leaves are counted.
//!
//! Most nodes of a tree are of this kind, and many differ only in where the others stand. What does
//! not depend on that is worked out once for all of them.

use super::known::Ghosts;
use super::{EQUAL, Leaving, Own, Search, Values};
use crate::style::beliefs::MOST;
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
fn clearly(values: Values, best: Values) -> Option<Ordering> {
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

/// The own side before its last move.
pub(super) struct Last<'a, B> {
    search: &'a Search<B>,
    own: Own<'a>,
    count: usize,
    /// What each ghost is worth where it stands.
    here: [Values; MOST],
    /// Where each can go.
    paths: [Bitboard; MOST],
    leaving: Leaving,
}

impl<'a, B: Board> Last<'a, B> {
    #[inline]
    pub(super) fn new(search: &'a Search<B>, own: Own<'a>) -> Last<'a, B> {
        let (mut here, mut paths) = ([Values::both(0.0); MOST], [Bitboard::EMPTY; MOST]);
        for ((at, blue), (here, path)) in own.each().zip(here.iter_mut().zip(&mut paths)) {
            *here = search.worth(at, own.how_blue(at, blue));
            *path = at.bit().neighbours::<B>().without(own.stand.squares());
        }
        let count = own.chances.blue().len().min(MOST);
        Last { search, count, here, paths, leaving: Leaving::of::<B>(&own), own }
    }

    /// The sum over both sides, if the own ghosts are worth this each, and the others this together.
    #[inline]
    fn sum(&self, own: &[Values; MOST], theirs: f64) -> Values {
        own[..self.count].iter().fold(Values::both(-theirs), |sum, worth| sum.plus(*worth))
    }

    /// The same before a step.
    #[inline]
    fn now(&self, others: &Ghosts<'_>) -> Values {
        self.sum(&self.here, self.search.theirs(others.each()))
    }

    /// What the ghost is worth that takes this step.
    #[inline]
    fn there(&self, step: Step) -> Values {
        let blue = self.own.chances.blue()[step.ghost];
        self.search.worth(step.to, self.own.how_blue(step.from, blue))
    }

    /// Every step to these squares.
    #[inline]
    fn each_step_to(&self, squares: Bitboard, mut told: impl FnMut(Step)) {
        let ghosts = self.paths[..self.count].iter().zip(self.own.stand.at());
        for (ghost, (&path, &from)) in ghosts.enumerate() {
            for to in path & squares {
                told(Step { ghost, from, to });
            }
        }
    }

    /// The values of every step at this ply.
    #[inline]
    pub(super) fn each(&self, others: &Ghosts<'_>, ply: u32, mut told: impl FnMut(Step, Values)) {
        let now = self.now(others);
        self.each_step_to(B::FULL, |step| told(step, self.values(step, others, now, ply)));
    }

    /// Those of a step, from a node with this sum.
    #[inline]
    fn values(&self, step: Step, others: &Ghosts<'_>, now: Values, ply: u32) -> Values {
        match others.stand.ghost(step.to) {
            None => self.quiet(step, now),
            Some(ghost) => self.capture(step, others, ghost, ply),
        }
    }

    /// A step onto an empty square, from a node with this sum.
    #[inline]
    fn quiet(&self, step: Step, now: Values) -> Values {
        let (here, there) = (self.here[step.ghost], self.there(step));
        let pretense = now.pretense + there.pretense - here.pretense;
        let is_imagined = self.leaving.is_imagined;
        let real = if is_imagined { pretense } else { now.real + (there.real - here.real) };
        Values { real, pretense }
    }

    /// A step that captures one of the others: chance decides.
    fn capture(&self, step: Step, others: &Ghosts<'_>, ghost: usize, ply: u32) -> Values {
        let (blue, mut own) = (others.blue(ghost), self.here);
        let chances = others.known.chances();
        own[step.ghost] = self.there(step);
        let outcome = |was_blue: bool, chance: f64| {
            if chance <= 0.0 {
                return Values::both(0.0);
            }
            if let Some(end) = Search::<B>::end_of_capture(Seat::Second, chances, was_blue, ply) {
                return Values::both(end);
            }
            self.sum(&own, self.search.theirs(others.each_without(ghost, was_blue)))
        };
        Values::mean(blue, outcome(true, blue), outcome(false, 1.0 - blue))
    }

    /// The MAX node with the others there.
    pub(super) fn greatest(&self, others: &Ghosts<'_>, ply: u32) -> Values {
        let mut best = Values::both(f64::NEG_INFINITY);
        self.each(others, ply, |_, values| {
            if values.is_greater(best) {
                best = values;
            }
        });
        if best.real == f64::NEG_INFINITY {
            best = self.now(others);
        }
        self.leaving.or(best, Search::<B>::win_after(ply))
    }

    /// The step that MAX takes if all these squares are empty and no other is, whatever the others
    /// are worth. `None` if rounding might decide.
    #[inline]
    fn favourite(&self, empty: Bitboard) -> Option<Step> {
        let mut best: Option<(Step, Values)> = None;
        let mut is_clear = true;
        self.each_step_to(empty, |step| {
            let gain = self.quiet(step, Values::both(0.0));
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
/// Where the others stand changes the values of all steps onto empty squares by one sum. So the best
/// of these is chosen once, and at a node only captures are compared with it, and steps onto the
/// square that was left. Where rounding might decide, or the order of steps, all are looked at.
pub(super) struct Often<'a, B> {
    last: Last<'a, B>,
    favourite: Option<Step>,
    /// Where steps lead.
    reach: Bitboard,
}

impl<'a, B: Board> Often<'a, B> {
    /// With the others on these squares, before one of them moves.
    #[inline]
    pub(super) fn new(search: &'a Search<B>, own: Own<'a>, others: Bitboard) -> Often<'a, B> {
        let last = Last::new(search, own);
        let reach = last.paths.into_iter().fold(Bitboard::EMPTY, BitOr::bitor);
        Often { favourite: last.favourite(B::FULL.without(others)), last, reach }
    }

    /// The MAX node with the others there, of which one has left this square.
    #[inline]
    pub(super) fn greatest(&self, others: &Ghosts<'_>, left: Square, ply: u32) -> Values {
        match self.clearly_best(others, left, ply) {
            Some(best) => self.last.leaving.or(best, Search::<B>::win_after(ply)),
            None => self.last.greatest(others, ply),
        }
    }

    /// The values of the best step, if it is clearly so.
    #[inline]
    fn clearly_best(&self, others: &Ghosts<'_>, left: Square, ply: u32) -> Option<Values> {
        let (last, favourite) = (&self.last, self.favourite?);
        if others.stand.squares().has(favourite.to) {
            return None;
        }
        let now = last.now(others);
        let mut best = last.quiet(favourite, now);
        let changed = (others.stand.squares() | left.bit()) & self.reach;
        if changed.is_empty() {
            return Some(best);
        }
        let mut is_clear = true;
        last.each_step_to(changed, |step| {
            let values = last.values(step, others, now, ply);
            match clearly(values, best) {
                Some(Greater) => best = values,
                Some(Less) => {}
                Some(Equal) | None => is_clear = false,
            }
        });
        is_clear.then_some(best)
    }
}
