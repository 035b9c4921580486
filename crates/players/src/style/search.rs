//! Expectimax with two values for each node (P5 4.3): the real one, by what the player knows, and
//! the pretense, by what the opponent can know.
//!
//! MAX takes the greatest real value, MIN the least pretense. Where MAX captures, chance decides by
//! the player's guess, in both values. Where MIN captures, the pretense is a mean by what the
//! opponent thinks of the ghost, and the real value is that of the colour it truly has.

use super::beliefs::Beliefs;
use super::guess::Guesses;
use super::tables::Tables;
use games::geister::{Bitboard, Board, Move, Observation, Square};
use std::marker::PhantomData;

/// The two values of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Values {
    /// By what the player knows.
    pub real: f64,
    /// By what the opponent can know.
    pub pretense: f64,
}

impl Values {
    const fn both(value: f64) -> Values {
        Values { real: value, pretense: value }
    }

    /// With probability `chance` the game has the value `end`, otherwise these.
    fn unless(self, chance: f64, end: f64) -> Values {
        let mean = |value: f64| chance * end + (1.0 - chance) * value;
        Values { real: mean(self.real), pretense: mean(self.pretense) }
    }

    /// A chance node: blue with this probability, or red.
    pub(super) fn mean(blue: f64, if_blue: Values, if_red: Values) -> Values {
        let mean = |blue_value: f64, red_value: f64| blue * blue_value + (1.0 - blue) * red_value;
        Values {
            real: mean(if_blue.real, if_red.real),
            pretense: mean(if_blue.pretense, if_red.pretense),
        }
    }

    /// A chance node whose outcome the player knows.
    pub(super) fn known(blue: f64, is_blue: bool, if_blue: Values, if_red: Values) -> Values {
        let real = if is_blue { if_blue.real } else { if_red.real };
        Values { real, ..Values::mean(blue, if_blue, if_red) }
    }
}

/// Values closer to each other than this are equal: sums may be rounded in different orders.
pub(super) const EQUAL: f64 = 1e-9;

/// A position in the tree.
#[derive(Clone, Copy)]
struct Node {
    own: Beliefs,
    others: Beliefs,
    /// The true colours of the own ghosts.
    blue: Bitboard,
    /// An own ghost was captured here with a colour that it has not. Only the opponent can think
    /// that, so there is no real value, and the pretense stands for it.
    is_imagined: bool,
}

/// The search of a board.
#[derive(Clone, Debug)]
pub struct Search<B> {
    own: Tables,
    others: Tables,
    board: PhantomData<B>,
}

impl<B: Board> Default for Search<B> {
    fn default() -> Search<B> {
        let (own, others) = (Tables::of_bottom::<B>(), Tables::of_top::<B>());
        Search { own, others, board: PhantomData }
    }
}

impl<B: Board> Search<B> {
    /// What a win is worth on this board: more than any sum of the tables.
    pub const WIN: f64 = 25.0 * B::GHOSTS_OF_A_COLOUR as f64;

    /// A win at the end of so many plies; the sooner of two is a little better.
    fn win_after(plies: u32) -> f64 {
        Self::WIN - 0.01 * f64::from(plies)
    }

    /// Every legal move of the viewer with its real value, looking `depth` moves ahead.
    pub fn moves(&self, now: &Observation<B>, guesses: &Guesses, depth: u32) -> Vec<(Move, f64)> {
        let blue = now.own().blue;
        let node = Node { own: guesses.own, others: guesses.others, blue, is_imagined: false };
        let mut found = Vec::with_capacity(24);
        self.each_own_step(&node, depth, 1, |from, to, values| {
            found.push((Move::Step { from, to }, values.real));
        });
        let leaving = blue & B::BOTTOM_EXITS;
        found.extend(leaving.map(|from| (Move::Escape { from }, Self::win_after(1))));
        found
    }

    /// The sum of the tables.
    fn evaluate(&self, node: &Node) -> Values {
        let others = node.others.ghosts().iter();
        let theirs: f64 = others.map(|ghost| self.others.mixed(ghost.square, ghost.blue)).sum();
        let (mut real, mut pretense) = (-theirs, -theirs);
        for ghost in node.own.ghosts() {
            pretense += self.own.mixed(ghost.square, ghost.blue);
            real += self.own.of(ghost.square, node.blue.has(ghost.square));
        }
        Values { real: if node.is_imagined { pretense } else { real }, pretense }
    }

    /// The values of every own step from a node at ply `ply - 1`. `depth` moves are left, this one
    /// among them.
    fn each_own_step(
        &self,
        node: &Node,
        depth: u32,
        ply: u32,
        mut told: impl FnMut(Square, Square, Values),
    ) {
        let now = if depth == 1 { self.evaluate(node) } else { Values::both(0.0) };
        let others = node.others.squares();
        for ghost in node.own.ghosts() {
            let from = ghost.square;
            let is_blue = node.blue.has(from);
            for to in from.bit().neighbours::<B>().without(node.own.squares()) {
                if !others.has(to) && depth == 1 {
                    let worth = |square| self.own.mixed(square, ghost.blue);
                    let pretense = now.pretense + worth(to) - worth(from);
                    let gain = self.own.of(to, is_blue) - self.own.of(from, is_blue);
                    let real = if node.is_imagined { pretense } else { now.real + gain };
                    told(from, to, Values { real, pretense });
                    continue;
                }
                let mut after = *node;
                after.own.step(from, to);
                if is_blue {
                    after.blue = node.blue.without(from.bit()) | to.bit();
                }
                let values = match node.others.blue_at(to) {
                    None => self.least(&after, depth - 1, ply + 1),
                    Some(blue) => self.capture_by_own(&after, to, blue, depth - 1, ply),
                };
                told(from, to, values);
            }
        }
    }

    /// The chance node after the own side captured on `square` a ghost that is blue with this
    /// probability.
    fn capture_by_own(
        &self,
        node: &Node,
        square: Square,
        blue: f64,
        depth: u32,
        ply: u32,
    ) -> Values {
        let outcome = |was_blue: bool, chance: f64| {
            if chance <= 0.0 {
                return Values::both(0.0);
            }
            match (was_blue, node.others.blues(), node.others.reds()) {
                (true, 0..=1, _) => return Values::both(Self::win_after(ply)),
                (false, _, 0..=1) => return Values::both(-Self::win_after(ply)),
                _ => {}
            }
            let mut after = *node;
            after.others.capture(square, was_blue);
            self.least(&after, depth, ply + 1)
        };
        Values::mean(blue, outcome(true, blue), outcome(false, 1.0 - blue))
    }

    /// A MAX node.
    fn greatest(&self, node: &Node, depth: u32, ply: u32) -> Values {
        if depth == 0 {
            return self.evaluate(node);
        }
        let mut best: Option<Values> = None;
        self.each_own_step(node, depth, ply, |_, _, values| {
            let is_better = |best: Values| {
                let more = values.real - best.real;
                more > EQUAL || more > -EQUAL && values.pretense > best.pretense + EQUAL
            };
            if best.is_none_or(is_better) {
                best = Some(values);
            }
        });
        let best = best.unwrap_or_else(|| self.evaluate(node));
        // The opponent reckons with a ghost that leaves as far as it thinks it blue.
        let leaving = node.own.any_blue(B::BOTTOM_EXITS);
        let won = Self::win_after(ply);
        let thought = best.unless(leaving, won).pretense;
        let real = match node.is_imagined {
            true => thought,
            false if node.blue.meets(B::BOTTOM_EXITS) => won,
            false => best.real,
        };
        Values { real, pretense: thought }
    }

    /// A MIN node.
    fn least(&self, node: &Node, depth: u32, ply: u32) -> Values {
        if depth == 0 {
            return self.evaluate(node);
        }
        let mut best: Option<Values> = None;
        self.each_step_of_others(node, depth, ply, |values| {
            let is_better = |best: Values| {
                let less = best.pretense - values.pretense;
                less > EQUAL || less > -EQUAL && values.real < best.real - EQUAL
            };
            if best.is_none_or(is_better) {
                best = Some(values);
            }
        });
        let best = best.unwrap_or_else(|| self.evaluate(node));
        best.unless(node.others.any_blue(B::TOP_EXITS), -Self::win_after(ply))
    }

    fn each_step_of_others(&self, node: &Node, depth: u32, ply: u32, mut told: impl FnMut(Values)) {
        for ghost in node.others.ghosts() {
            let from = ghost.square;
            for to in from.bit().neighbours::<B>().without(node.others.squares()) {
                let mut after = *node;
                after.others.step(from, to);
                told(match node.own.blue_at(to) {
                    None => self.greatest(&after, depth - 1, ply + 1),
                    Some(blue) => self.capture_by_others(&after, to, blue, depth - 1, ply),
                });
            }
        }
    }

    /// The chance node after the other side captured on `square` a ghost that it thinks blue with
    /// this probability.
    fn capture_by_others(
        &self,
        node: &Node,
        square: Square,
        blue: f64,
        depth: u32,
        ply: u32,
    ) -> Values {
        let is_blue = node.blue.has(square);
        let outcome = |was_blue: bool, chance: f64| {
            let is_true = !node.is_imagined && was_blue == is_blue;
            if chance <= 0.0 && !is_true {
                return Values::both(0.0);
            }
            match (was_blue, node.own.blues(), node.own.reds()) {
                (true, 0..=1, _) => return Values::both(-Self::win_after(ply)),
                (false, _, 0..=1) => return Values::both(Self::win_after(ply)),
                _ => {}
            }
            let mut after = *node;
            after.own.capture(square, was_blue);
            after.blue = node.blue.without(square.bit());
            after.is_imagined = !is_true;
            self.greatest(&after, depth, ply + 1)
        };
        let (if_blue, if_red) = (outcome(true, blue), outcome(false, 1.0 - blue));
        if node.is_imagined {
            return Values::mean(blue, if_blue, if_red);
        }
        Values::known(blue, is_blue, if_blue, if_red)
    }
}

#[cfg(test)]
mod tests;
