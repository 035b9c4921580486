//! Expectimax with two values for each node (P5 4.3): the real one, by what the player knows, and
//! the pretense, by what the opponent can know.
//!
//! MAX takes the greatest real value, MIN the least pretense. Where MAX captures, chance decides by
//! the player's guess, in both values. Where MIN captures, the pretense is a mean by what the
//! opponent thinks of the ghost, and the real value is that of the colour it truly has.

mod last_move;
mod probability_cache;

use super::beliefs::Beliefs;
use super::piece_square::PieceSquareTables;
use super::side_belief::{PieceList, Probabilities};
use games::Seat;
use games::geister::{Bitboard, Board, Move, Observation, Outcome, Square};
use last_move::{CachedLastMove, LastMove};
use probability_cache::{Ghosts, ProbabilityCache};
use std::marker::PhantomData;

/// The two values of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeValue {
    /// By what the player knows.
    pub real: f64,
    /// By what the opponent can know.
    pub pretense: f64,
}

impl NodeValue {
    const fn both(value: f64) -> NodeValue {
        NodeValue { real: value, pretense: value }
    }

    /// With probability `probability` the game has the value `end`, otherwise this one.
    fn unless(self, probability: f64, end: f64) -> NodeValue {
        let mean = |value: f64| probability * end + (1.0 - probability) * value;
        NodeValue { real: mean(self.real), pretense: mean(self.pretense) }
    }

    /// A chance node: blue with this probability, or red.
    pub(super) fn expectation(blue: f64, if_blue: NodeValue, if_red: NodeValue) -> NodeValue {
        let mean = |blue_value: f64, red_value: f64| blue * blue_value + (1.0 - blue) * red_value;
        NodeValue {
            real: mean(if_blue.real, if_red.real),
            pretense: mean(if_blue.pretense, if_red.pretense),
        }
    }

    /// A chance node whose outcome the player knows.
    pub(super) fn known_outcome(
        blue: f64,
        is_blue: bool,
        if_blue: NodeValue,
        if_red: NodeValue,
    ) -> NodeValue {
        let real = if is_blue { if_blue.real } else { if_red.real };
        NodeValue { real, ..NodeValue::expectation(blue, if_blue, if_red) }
    }

    #[inline]
    fn plus(self, other: NodeValue) -> NodeValue {
        NodeValue { real: self.real + other.real, pretense: self.pretense + other.pretense }
    }

    /// Whether MAX takes these rather than the best before them.
    #[inline]
    fn is_greater(self, best: NodeValue) -> bool {
        let more = self.real - best.real;
        more > EQUAL || more > -EQUAL && self.pretense > best.pretense + EQUAL
    }

    /// Whether MIN takes these rather than the best before them.
    #[inline]
    fn is_less(self, best: NodeValue) -> bool {
        let less = best.pretense - self.pretense;
        less > EQUAL || less > -EQUAL && self.real < best.real - EQUAL
    }
}

/// Values closer to each other than this are equal: sums may be rounded in different orders.
pub(super) const EQUAL: f64 = 1e-9;

/// A position in the tree.
#[derive(Clone, Copy)]
struct Node<'a> {
    own: Ghosts<'a>,
    opponent: Ghosts<'a>,
    /// The true colours of the own ghosts.
    blue: Bitboard,
    /// An own ghost was captured here with a colour that it has not. Only the opponent can think
    /// that, so there is no real value, and the pretense stands for it.
    is_imagined: bool,
}

impl<'a> Node<'a> {
    #[inline]
    fn own(&self) -> Own<'a> {
        let Ghosts { pieces, cache } = self.own;
        Own {
            pieces,
            probabilities: cache.probabilities(),
            blue: self.blue,
            is_imagined: self.is_imagined,
        }
    }
}

/// The own side of a node.
struct Own<'a> {
    pieces: PieceList,
    probabilities: &'a Probabilities,
    blue: Bitboard,
    is_imagined: bool,
}

impl Own<'_> {
    /// Where each ghost stands, and how likely the opponent thinks it blue.
    #[inline]
    fn each(&self) -> impl Iterator<Item = (Square, f64)> {
        self.pieces.at().iter().copied().zip(self.probabilities.blue().iter().copied())
    }

    /// The probability that the ghost on this square is blue, truly and as the opponent thinks. The
    /// truth is 0 or 1: tables are whole numbers, so that mixing by it rounds nothing.
    #[inline]
    fn how_blue(&self, square: Square, thought: f64) -> NodeValue {
        let truth = f64::from(u8::from(self.blue.has(square)));
        NodeValue { real: if self.is_imagined { thought } else { truth }, pretense: thought }
    }
}

/// What a MAX node adds to its steps: an own ghost may leave.
struct Leaving {
    /// How likely the opponent thinks that one can.
    thought: f64,
    /// Whether one can.
    is_real: bool,
    is_imagined: bool,
}

impl Leaving {
    #[inline]
    fn of<B: Board>(own: &Own<'_>) -> Leaving {
        Leaving {
            thought: own.probabilities.any_blue(&own.pieces, B::BOTTOM_EXITS),
            is_real: own.blue.meets(B::BOTTOM_EXITS),
            is_imagined: own.is_imagined,
        }
    }

    /// The values of the node whose best step has these, if leaving is worth `won`. The opponent
    /// reckons with a ghost that leaves as far as it thinks it blue.
    #[inline]
    fn or(&self, best: NodeValue, won: f64) -> NodeValue {
        let thought = best.unless(self.thought, won).pretense;
        let real = match self.is_imagined {
            true => thought,
            false if self.is_real => won,
            false => best.real,
        };
        NodeValue { real, pretense: thought }
    }
}

/// The search of a board.
#[derive(Clone, Debug)]
pub struct Search<B> {
    own: PieceSquareTables,
    opponent: PieceSquareTables,
    board: PhantomData<B>,
}

impl<B: Board> Default for Search<B> {
    fn default() -> Search<B> {
        let (own, opponent) =
            (PieceSquareTables::of_bottom::<B>(), PieceSquareTables::of_top::<B>());
        Search { own, opponent, board: PhantomData }
    }
}

impl<B: Board> Search<B> {
    /// The value of a win on this board: more than any evaluation.
    pub const WIN: f64 = 25.0 * B::GHOSTS_OF_A_COLOUR as f64;

    /// The value of a win after `plies` plies; the sooner of two is a little better.
    fn win_after(plies: u32) -> f64 {
        Self::WIN - 0.01 * f64::from(plies)
    }

    /// Every legal move of the viewer with its real value, looking `depth` moves ahead.
    pub fn moves(&self, now: &Observation<B>, beliefs: &Beliefs, depth: u32) -> Vec<(Move, f64)> {
        let caches =
            [beliefs.own.probabilities, beliefs.opponent.probabilities].map(ProbabilityCache::new);
        let blue = now.own().blue;
        let node = Node {
            own: Ghosts { pieces: beliefs.own.pieces, cache: &caches[0] },
            opponent: Ghosts { pieces: beliefs.opponent.pieces, cache: &caches[1] },
            blue,
            is_imagined: false,
        };
        let mut found = Vec::with_capacity(24);
        self.each_own_step(&node, depth, 1, |from, to, values| {
            found.push((Move::Step { from, to }, values.real));
        });
        let leaving = blue & B::BOTTOM_EXITS;
        found.extend(leaving.map(|from| (Move::Escape { from }, Self::win_after(1))));
        found
    }

    /// The value of an own ghost on a square, blue with this probability.
    #[inline]
    fn ghost_value(&self, square: Square, blue: NodeValue) -> NodeValue {
        let value = |blue: f64| self.own.mixed(square, blue);
        NodeValue { real: value(blue.real), pretense: value(blue.pretense) }
    }

    /// The value of the opponent's ghosts.
    #[inline]
    fn opponent_value(&self, opponent: impl Iterator<Item = (Square, f64)>) -> f64 {
        opponent.map(|(square, blue)| self.opponent.mixed(square, blue)).sum()
    }

    /// The evaluation: the sum of the piece-square tables.
    fn evaluate(&self, node: &Node<'_>) -> NodeValue {
        let own = node.own();
        let value = own.each().map(|(at, blue)| self.ghost_value(at, own.how_blue(at, blue)));
        value.fold(NodeValue::both(-self.opponent_value(node.opponent.each())), NodeValue::plus)
    }

    /// The values of every own step from a node at ply `ply - 1`. `depth` moves are left, this one
    /// among them.
    fn each_own_step(
        &self,
        node: &Node<'_>,
        depth: u32,
        ply: u32,
        mut visit: impl FnMut(Square, Square, NodeValue),
    ) {
        if depth == 1 {
            let visit = |step: last_move::Step, values| visit(step.from, step.to, values);
            return LastMove::new(self, node.own()).each(&node.opponent, ply, visit);
        }
        for (ghost, (from, _)) in node.own.each().enumerate() {
            for to in from.bit().neighbours::<B>().without(node.own.pieces.squares()) {
                let mut after = *node;
                after.own.pieces.step(ghost, to);
                if node.blue.has(from) {
                    after.blue = node.blue.without(from.bit()) | to.bit();
                }
                let values = match node.opponent.pieces.ghost(to) {
                    None => self.min_value(&after, depth - 1, ply + 1),
                    Some(captured) => self.capture_by_own(&after, captured, depth - 1, ply),
                };
                visit(from, to, values);
            }
        }
    }

    /// The value of a capture that ends the game: a piece of `owner`, of which this is known, turns
    /// out to be blue or red. The own side is [`Seat::First`].
    #[inline]
    fn end_of_capture(
        owner: Seat,
        probabilities: &Probabilities,
        was_blue: bool,
        ply: u32,
    ) -> Option<f64> {
        let left = |count: u32, is_captured: bool| {
            if is_captured { count.saturating_sub(1) } else { count.max(1) }
        };
        let (blue, red) =
            (left(probabilities.blues(), was_blue), left(probabilities.reds(), !was_blue));
        let winner = Outcome::by_captures(owner, blue, red)?.winner()?;
        let value = Self::win_after(ply);
        Some(if winner == Seat::First { value } else { -value })
    }

    /// The chance node after the own side captured this ghost.
    fn capture_by_own(&self, node: &Node<'_>, ghost: usize, depth: u32, ply: u32) -> NodeValue {
        let outcome = |was_blue: bool, probability: f64| {
            if probability <= 0.0 {
                return NodeValue::both(0.0);
            }
            if let Some(end) = Self::end_of_capture(
                Seat::Second,
                node.opponent.cache.probabilities(),
                was_blue,
                ply,
            ) {
                return NodeValue::both(end);
            }
            let cache = ProbabilityCache::new(*node.opponent.cache.without(ghost, was_blue));
            let mut after = Node { opponent: Ghosts { cache: &cache, ..node.opponent }, ..*node };
            after.opponent.pieces.remove(ghost);
            self.min_value(&after, depth, ply + 1)
        };
        let blue = node.opponent.blue(ghost);
        NodeValue::expectation(blue, outcome(true, blue), outcome(false, 1.0 - blue))
    }

    /// A MAX node.
    fn max_value(&self, node: &Node<'_>, depth: u32, ply: u32) -> NodeValue {
        match depth {
            0 => return self.evaluate(node),
            1 => return LastMove::new(self, node.own()).max_value(&node.opponent, ply),
            _ => {}
        }
        let mut best: Option<NodeValue> = None;
        self.each_own_step(node, depth, ply, |_, _, values| {
            if best.is_none_or(|best| values.is_greater(best)) {
                best = Some(values);
            }
        });
        let best = best.unwrap_or_else(|| self.evaluate(node));
        Leaving::of::<B>(&node.own()).or(best, Self::win_after(ply))
    }

    /// A MIN node.
    fn min_value(&self, node: &Node<'_>, depth: u32, ply: u32) -> NodeValue {
        if depth == 0 {
            return self.evaluate(node);
        }
        let mut best: Option<NodeValue> = None;
        self.each_step_of_opponent(node, depth, ply, |values| {
            if best.is_none_or(|best| values.is_less(best)) {
                best = Some(values);
            }
        });
        let best = best.unwrap_or_else(|| self.evaluate(node));
        let leaving =
            node.opponent.cache.probabilities().any_blue(&node.opponent.pieces, B::TOP_EXITS);
        best.unless(leaving, -Self::win_after(ply))
    }

    fn each_step_of_opponent(
        &self,
        node: &Node<'_>,
        depth: u32,
        ply: u32,
        mut visit: impl FnMut(NodeValue),
    ) {
        let squares = node.opponent.pieces.squares();
        let last = (depth == 2).then(|| CachedLastMove::new(self, node.own(), squares));
        for (ghost, (from, _)) in node.opponent.each().enumerate() {
            for to in from.bit().neighbours::<B>().without(squares) {
                let mut after = *node;
                after.opponent.pieces.step(ghost, to);
                visit(match (node.own.pieces.ghost(to), &last) {
                    (Some(captured), _) => {
                        self.capture_by_opponent(&after, captured, depth - 1, ply)
                    }
                    (None, Some(last)) => last.max_value(&after.opponent, from, ply + 1),
                    (None, None) => self.max_value(&after, depth - 1, ply + 1),
                });
            }
        }
    }

    /// The chance node after the other side captured this ghost.
    fn capture_by_opponent(
        &self,
        node: &Node<'_>,
        ghost: usize,
        depth: u32,
        ply: u32,
    ) -> NodeValue {
        let square = node.own.pieces.at()[ghost];
        let is_blue = node.blue.has(square);
        let probabilities = node.own.cache.probabilities();
        let outcome = |was_blue: bool, probability: f64| {
            let is_true = !node.is_imagined && was_blue == is_blue;
            if probability <= 0.0 && !is_true {
                return NodeValue::both(0.0);
            }
            if let Some(end) = Self::end_of_capture(Seat::First, probabilities, was_blue, ply) {
                return NodeValue::both(end);
            }
            let probabilities = node.own.cache.without(ghost, was_blue);
            let mut pieces = node.own.pieces;
            pieces.remove(ghost);
            let (blue, is_imagined) = (node.blue.without(square.bit()), !is_true);
            if depth == 1 {
                let own = Own { pieces, probabilities, blue, is_imagined };
                return LastMove::new(self, own).max_value(&node.opponent, ply + 1);
            }
            let own = Ghosts { pieces, cache: &ProbabilityCache::new(*probabilities) };
            self.max_value(&Node { own, blue, is_imagined, ..*node }, depth, ply + 1)
        };
        let blue = node.own.blue(ghost);
        let (if_blue, if_red) = (outcome(true, blue), outcome(false, 1.0 - blue));
        if node.is_imagined {
            return NodeValue::expectation(blue, if_blue, if_red);
        }
        NodeValue::known_outcome(blue, is_blue, if_blue, if_red)
    }
}

#[cfg(test)]
mod tests;
