//! Toy games: random trees, random graphs with cycles, and taking counters from heaps.

use search::{AndOr, Player, Stochastic, Turn};

/// A pseudo-random word for each word.
pub(crate) fn scatter(word: u64) -> u64 {
    let word = (word ^ (word >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    let word = (word ^ (word >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    word ^ (word >> 32)
}

/// What the dice say a position is.
fn throw(dice: u64, decided_percent: u64) -> Option<bool> {
    (dice % 100 < decided_percent).then_some(dice >> 32 & 1 == 0)
}

fn player(bit: u64) -> Player {
    if bit & 1 == 0 { Player::Or } else { Player::And }
}

/// A tree without transpositions, infinite unless the dice end it. Sides move in random order.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) node: u64,
    pub(crate) width: u64,
    pub(crate) decided_percent: u64,
}

impl AndOr for Tree {
    type Move = u64;

    fn to_move(&self) -> Player {
        player(scatter(self.node ^ 1))
    }

    fn decided(&self) -> Option<bool> {
        throw(scatter(self.node ^ 2), self.decided_percent)
    }

    fn moves(&self, out: &mut Vec<u64>) {
        if self.decided().is_none() {
            out.extend(0..1 + scatter(self.node ^ 3) % self.width);
        }
    }

    fn play(&self, m: u64) -> Self {
        Self { node: scatter(self.node.wrapping_mul(31).wrapping_add(m + 1)), ..*self }
    }

    fn key(&self) -> u64 {
        self.node
    }
}

/// A walk on a random graph with transpositions and cycles; the sides move in turn.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    pub(crate) seed: u64,
    pub(crate) size: u64,
    pub(crate) width: u64,
    pub(crate) decided_percent: u64,
    pub(crate) place: u64,
    pub(crate) turn: u64,
}

impl Walk {
    fn dice(&self, salt: u64) -> u64 {
        scatter(self.seed ^ scatter(self.place * 1000 + salt))
    }
}

impl AndOr for Walk {
    type Move = u64;

    fn to_move(&self) -> Player {
        player(self.turn)
    }

    fn decided(&self) -> Option<bool> {
        throw(self.dice(0), self.decided_percent)
    }

    fn moves(&self, out: &mut Vec<u64>) {
        if self.decided().is_none() {
            out.extend((0..1 + self.dice(1) % self.width).map(|i| self.dice(2 + i) % self.size));
        }
    }

    fn play(&self, place: u64) -> Self {
        Self { place, turn: 1 - self.turn, ..*self }
    }

    fn key(&self) -> u64 {
        self.place * 2 + self.turn
    }
}

/// Take one to three counters from one of the heaps; who takes the last one wins.
#[derive(Clone, Debug)]
pub(crate) struct Heaps {
    pub(crate) heaps: Vec<u8>,
    pub(crate) to_move: Player,
}

impl Heaps {
    pub(crate) fn new(heaps: &[u8]) -> Self {
        Self { heaps: heaps.to_vec(), to_move: Player::Or }
    }
}

impl AndOr for Heaps {
    type Move = (usize, u8);

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn decided(&self) -> Option<bool> {
        self.heaps.iter().all(|&heap| heap == 0).then_some(self.to_move == Player::And)
    }

    fn moves(&self, out: &mut Vec<(usize, u8)>) {
        for (index, &heap) in self.heaps.iter().enumerate() {
            out.extend((1..=heap.min(3)).map(|take| (index, take)));
        }
    }

    fn play(&self, (index, take): (usize, u8)) -> Self {
        let mut heaps = self.heaps.clone();
        heaps[index] -= take;
        let to_move = if self.to_move == Player::Or { Player::And } else { Player::Or };
        Self { heaps, to_move }
    }

    fn key(&self) -> u64 {
        let heaps = self.heaps.iter().fold(0, |key, &heap| key << 8 | u64::from(heap));
        heaps << 1 | u64::from(self.to_move == Player::And)
    }
}

/// A P-game (Kocsis & Szepesvári 2006): layers of moves, each with a value up to 127 for the side
/// that makes it; OR wins if the sum is above 0.
#[derive(Clone, Debug)]
pub(crate) struct PGame {
    pub(crate) node: u64,
    pub(crate) width: u64,
    pub(crate) layers: u32,
    pub(crate) sum: i64,
    /// Whether the sides move in turn; if not, the dice say who moves.
    pub(crate) alternating: bool,
}

impl PGame {
    pub(crate) fn new(node: u64, width: u64, layers: u32, alternating: bool) -> Self {
        Self { node, width, layers, sum: 0, alternating }
    }
}

impl AndOr for PGame {
    type Move = u64;

    fn to_move(&self) -> Player {
        player(if self.alternating { self.layers.into() } else { scatter(self.node ^ 1) })
    }

    fn decided(&self) -> Option<bool> {
        (self.layers == 0).then_some(self.sum > 0)
    }

    fn moves(&self, out: &mut Vec<u64>) {
        if self.decided().is_none() {
            out.extend(0..self.width);
        }
    }

    fn play(&self, m: u64) -> Self {
        let node = scatter(self.node.wrapping_mul(31).wrapping_add(m + 1));
        let value = (scatter(node ^ 2) % 128) as i64;
        let value = if self.to_move() == Player::Or { value } else { -value };
        Self { node, layers: self.layers - 1, sum: self.sum + value, ..*self }
    }

    fn key(&self) -> u64 {
        self.node
    }
}

/// A tree of hashes in which each of MAX, MIN and chance may be next.
#[derive(Clone, Debug)]
pub(crate) struct Fortune {
    pub(crate) node: u64,
    pub(crate) width: u64,
    pub(crate) ended_percent: u64,
    /// Who may be next.
    pub(crate) turns: &'static [Turn],
}

impl Fortune {
    /// A value from 0 to 9.
    pub(crate) fn value(&self) -> f64 {
        (scatter(self.node ^ 4) % 10) as f64
    }

    fn width(&self) -> u64 {
        1 + scatter(self.node ^ 3) % self.width
    }
}

impl Stochastic for Fortune {
    type Move = u64;

    fn turn(&self) -> Option<Turn> {
        let dice = scatter(self.node ^ 2);
        let turn = self.turns[(dice >> 32) as usize % self.turns.len()];
        (dice % 100 >= self.ended_percent).then_some(turn)
    }

    fn moves(&self, out: &mut Vec<u64>) {
        out.extend(0..self.width());
    }

    fn play(&self, m: u64) -> Self {
        Self { node: scatter(self.node.wrapping_mul(31).wrapping_add(m + 1)), ..*self }
    }

    fn outcomes(&self, out: &mut Vec<(f64, Self)>) {
        let weight = |m| (1 + scatter(self.node ^ m ^ 5) % 9) as f64;
        let whole: f64 = (0..self.width()).map(weight).sum();
        out.extend((0..self.width()).map(|m| (weight(m) / whole, self.play(m))));
    }
}
