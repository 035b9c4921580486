//! Expectimax with two values for each node (P5 4.3): the real one, by what the player knows, and
//! the pretense, by what the opponent can know.
//!
//! MAX takes the greatest real value, MIN the least pretense. Where MAX captures, chance decides by
//! the player's guess, in both values. Where MIN captures, the pretense is a mean by what the
//! opponent thinks of the ghost, and the real value is that of the colour it truly has.

mod known;
mod last;

use super::beliefs::{Chances, Stand};
use super::guess::Guesses;
use super::tables::Tables;
use games::Seat;
use games::geister::{Bitboard, Board, Move, Observation, Outcome, Square};
use known::{Ghosts, Known};
use last::{Last, Often};
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

    #[inline]
    fn plus(self, other: Values) -> Values {
        Values { real: self.real + other.real, pretense: self.pretense + other.pretense }
    }

    /// Whether MAX takes these rather than the best before them.
    #[inline]
    fn is_greater(self, best: Values) -> bool {
        let more = self.real - best.real;
        more > EQUAL || more > -EQUAL && self.pretense > best.pretense + EQUAL
    }

    /// Whether MIN takes these rather than the best before them.
    #[inline]
    fn is_less(self, best: Values) -> bool {
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
    others: Ghosts<'a>,
    /// The true colours of the own ghosts.
    blue: Bitboard,
    /// An own ghost was captured here with a colour that it has not. Only the opponent can think
    /// that, so there is no real value, and the pretense stands for it.
    is_imagined: bool,
}

impl<'a> Node<'a> {
    #[inline]
    fn own(&self) -> Own<'a> {
        let Ghosts { stand, known } = self.own;
        Own { stand, chances: known.chances(), blue: self.blue, is_imagined: self.is_imagined }
    }
}

/// The own side of a node.
struct Own<'a> {
    stand: Stand,
    chances: &'a Chances,
    blue: Bitboard,
    is_imagined: bool,
}

impl Own<'_> {
    /// Where each ghost stands, and how likely the opponent thinks it blue.
    #[inline]
    fn each(&self) -> impl Iterator<Item = (Square, f64)> {
        self.stand.at().iter().copied().zip(self.chances.blue().iter().copied())
    }

    /// How blue the ghost on this square is, truly and if the opponent thinks so of it. The truth is
    /// a chance of 0 or 1: tables are whole numbers, so that mixing by it rounds nothing.
    #[inline]
    fn how_blue(&self, square: Square, thought: f64) -> Values {
        let truth = f64::from(u8::from(self.blue.has(square)));
        Values { real: if self.is_imagined { thought } else { truth }, pretense: thought }
    }
}

/// What a MAX node is worth besides its steps: an own ghost may leave.
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
            thought: own.chances.any_blue(&own.stand, B::BOTTOM_EXITS),
            is_real: own.blue.meets(B::BOTTOM_EXITS),
            is_imagined: own.is_imagined,
        }
    }

    /// The values of the node whose best step has these, if leaving is worth `won`. The opponent
    /// reckons with a ghost that leaves as far as it thinks it blue.
    #[inline]
    fn or(&self, best: Values, won: f64) -> Values {
        let thought = best.unless(self.thought, won).pretense;
        let real = match self.is_imagined {
            true => thought,
            false if self.is_real => won,
            false => best.real,
        };
        Values { real, pretense: thought }
    }
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
        let known = [guesses.own.chances, guesses.others.chances].map(Known::new);
        let blue = now.own().blue;
        let node = Node {
            own: Ghosts { stand: guesses.own.stand, known: &known[0] },
            others: Ghosts { stand: guesses.others.stand, known: &known[1] },
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

    /// What an own ghost that is so blue is worth on a square.
    #[inline]
    fn worth(&self, square: Square, blue: Values) -> Values {
        let worth = |blue: f64| self.own.mixed(square, blue);
        Values { real: worth(blue.real), pretense: worth(blue.pretense) }
    }

    /// What the others are worth.
    #[inline]
    fn theirs(&self, others: impl Iterator<Item = (Square, f64)>) -> f64 {
        others.map(|(square, blue)| self.others.mixed(square, blue)).sum()
    }

    /// The sum of the tables.
    fn evaluate(&self, node: &Node<'_>) -> Values {
        let own = node.own();
        let worth = own.each().map(|(at, blue)| self.worth(at, own.how_blue(at, blue)));
        worth.fold(Values::both(-self.theirs(node.others.each())), Values::plus)
    }

    /// The values of every own step from a node at ply `ply - 1`. `depth` moves are left, this one
    /// among them.
    fn each_own_step(
        &self,
        node: &Node<'_>,
        depth: u32,
        ply: u32,
        mut told: impl FnMut(Square, Square, Values),
    ) {
        if depth == 1 {
            let told = |step: last::Step, values| told(step.from, step.to, values);
            return Last::new(self, node.own()).each(&node.others, ply, told);
        }
        for (ghost, (from, _)) in node.own.each().enumerate() {
            for to in from.bit().neighbours::<B>().without(node.own.stand.squares()) {
                let mut after = *node;
                after.own.stand.step(ghost, to);
                if node.blue.has(from) {
                    after.blue = node.blue.without(from.bit()) | to.bit();
                }
                let values = match node.others.stand.ghost(to) {
                    None => self.least(&after, depth - 1, ply + 1),
                    Some(captured) => self.capture_by_own(&after, captured, depth - 1, ply),
                };
                told(from, to, values);
            }
        }
    }

    /// The value of a capture that ends the game: a piece of `owner`, of which this is known, turns
    /// out to be blue or red. The own side is [`Seat::First`].
    #[inline]
    fn end_of_capture(owner: Seat, chances: &Chances, was_blue: bool, ply: u32) -> Option<f64> {
        let left = |count: u32, is_captured: bool| {
            if is_captured { count.saturating_sub(1) } else { count.max(1) }
        };
        let (blue, red) = (left(chances.blues(), was_blue), left(chances.reds(), !was_blue));
        let winner = Outcome::by_captures(owner, blue, red)?.winner()?;
        let value = Self::win_after(ply);
        Some(if winner == Seat::First { value } else { -value })
    }

    /// The chance node after the own side captured this ghost.
    fn capture_by_own(&self, node: &Node<'_>, ghost: usize, depth: u32, ply: u32) -> Values {
        let outcome = |was_blue: bool, chance: f64| {
            if chance <= 0.0 {
                return Values::both(0.0);
            }
            if let Some(end) =
                Self::end_of_capture(Seat::Second, node.others.known.chances(), was_blue, ply)
            {
                return Values::both(end);
            }
            let known = Known::new(*node.others.known.without(ghost, was_blue));
            let mut after = Node { others: Ghosts { known: &known, ..node.others }, ..*node };
            after.others.stand.remove(ghost);
            self.least(&after, depth, ply + 1)
        };
        let blue = node.others.blue(ghost);
        Values::mean(blue, outcome(true, blue), outcome(false, 1.0 - blue))
    }

    /// A MAX node.
    fn greatest(&self, node: &Node<'_>, depth: u32, ply: u32) -> Values {
        match depth {
            0 => return self.evaluate(node),
            1 => return Last::new(self, node.own()).greatest(&node.others, ply),
            _ => {}
        }
        let mut best: Option<Values> = None;
        self.each_own_step(node, depth, ply, |_, _, values| {
            if best.is_none_or(|best| values.is_greater(best)) {
                best = Some(values);
            }
        });
        let best = best.unwrap_or_else(|| self.evaluate(node));
        Leaving::of::<B>(&node.own()).or(best, Self::win_after(ply))
    }

    /// A MIN node.
    fn least(&self, node: &Node<'_>, depth: u32, ply: u32) -> Values {
        if depth == 0 {
            return self.evaluate(node);
        }
        let mut best: Option<Values> = None;
        self.each_step_of_others(node, depth, ply, |values| {
            if best.is_none_or(|best| values.is_less(best)) {
                best = Some(values);
            }
        });
        let best = best.unwrap_or_else(|| self.evaluate(node));
        let leaving = node.others.known.chances().any_blue(&node.others.stand, B::TOP_EXITS);
        best.unless(leaving, -Self::win_after(ply))
    }

    fn each_step_of_others(
        &self,
        node: &Node<'_>,
        depth: u32,
        ply: u32,
        mut told: impl FnMut(Values),
    ) {
        let squares = node.others.stand.squares();
        let last = (depth == 2).then(|| Often::new(self, node.own(), squares));
        for (ghost, (from, _)) in node.others.each().enumerate() {
            for to in from.bit().neighbours::<B>().without(squares) {
                let mut after = *node;
                after.others.stand.step(ghost, to);
                told(match (node.own.stand.ghost(to), &last) {
                    (Some(captured), _) => self.capture_by_others(&after, captured, depth - 1, ply),
                    (None, Some(last)) => last.greatest(&after.others, from, ply + 1),
                    (None, None) => self.greatest(&after, depth - 1, ply + 1),
                });
            }
        }
    }

    /// The chance node after the other side captured this ghost.
    fn capture_by_others(&self, node: &Node<'_>, ghost: usize, depth: u32, ply: u32) -> Values {
        let square = node.own.stand.at()[ghost];
        let is_blue = node.blue.has(square);
        let chances = node.own.known.chances();
        let outcome = |was_blue: bool, chance: f64| {
            let is_true = !node.is_imagined && was_blue == is_blue;
            if chance <= 0.0 && !is_true {
                return Values::both(0.0);
            }
            if let Some(end) = Self::end_of_capture(Seat::First, chances, was_blue, ply) {
                return Values::both(end);
            }
            let chances = node.own.known.without(ghost, was_blue);
            let mut stand = node.own.stand;
            stand.remove(ghost);
            let (blue, is_imagined) = (node.blue.without(square.bit()), !is_true);
            if depth == 1 {
                let own = Own { stand, chances, blue, is_imagined };
                return Last::new(self, own).greatest(&node.others, ply + 1);
            }
            let own = Ghosts { stand, known: &Known::new(*chances) };
            self.greatest(&Node { own, blue, is_imagined, ..*node }, depth, ply + 1)
        };
        let blue = node.own.blue(ghost);
        let (if_blue, if_red) = (outcome(true, blue), outcome(false, 1.0 - blue));
        if node.is_imagined {
            return Values::mean(blue, if_blue, if_red);
        }
        Values::known(blue, is_blue, if_blue, if_red)
    }
}

#[cfg(test)]
mod tests;
