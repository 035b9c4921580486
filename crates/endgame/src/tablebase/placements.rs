//! All placements of the top side's ghosts as the bits of one long word.
//!
//! The ghosts are put in a row and each gets a digit to the base 36, its square: `k` ghosts make
//! `36^k` bits. A step of one ghost by one square is then a shift of the whole set by a fixed number
//! of bits, whatever the other ghosts do:
//!
//! ```text
//!   bit  =  square of ghost 0  +  36 * square of ghost 1  +  36^2 * square of ghost 2  + ...
//!   ghost 1 goes east: + 36        ghost 0 goes up: + 6
//! ```
//!
//! Ghosts of one kind are told apart here, so a placement stands in as many bits as it has orders;
//! where one bit is enough, the one with ascending squares speaks for all.

use super::class::{Captured, Class};
use super::sets;
use games::geister::{Bitboard, Board, Ghost, Square, Standard};

/// The kinds of the top side's ghosts, in the order of their digits.
const KINDS: [Ghost; 3] = [Ghost::ShownBlue, Ghost::ShownRed, Ghost::Hidden];

const SQUARES: usize = Square::COUNT;

/// How far a step up, down, right or left moves in the numbering of squares.
const STEPS: [isize; 4] = [6, -6, 1, -1];

/// No placement: squares collide, or the order is not the ascending one.
const NONE: u32 = u32::MAX;

/// A set of placements.
pub(super) type Bits = Vec<u64>;

/// The placements of one class's top ghosts, and the sets of them that the retrograde analysis
/// combines.
pub(super) struct Placements {
    /// The kind of each ghost.
    kinds: Vec<Ghost>,
    /// How many words a set takes.
    pub(super) words: usize,
    /// How many placements there are, orders not counted.
    pub(super) count: usize,
    /// By square: some ghost stands there.
    pub(super) on: Vec<Bits>,
    /// By ghost and square: this ghost stands there.
    ghost_on: Vec<Bits>,
    /// No two ghosts share a square.
    pub(super) distinct: Bits,
    /// Distinct, and ghosts of one kind in ascending order.
    pub(super) ascending: Bits,
    /// A ghost that may leave stands on its exit.
    pub(super) leaving: Bits,
    /// By ghost and direction: the step leads off the board.
    off: Vec<Bits>,
    /// The number of each placement in ascending order.
    number: Vec<u32>,
    /// The bits of each numbered placement, one for each order.
    orders: Vec<Vec<u32>>,
}

fn digits(mut bit: usize, ghosts: usize) -> Vec<usize> {
    let mut digits = Vec::with_capacity(ghosts);
    for _ in 0..ghosts {
        digits.push(bit % SQUARES);
        bit /= SQUARES;
    }
    digits
}

fn put(bits: &mut [u64], bit: usize) {
    bits[bit / 64] |= 1 << (bit % 64);
}

/// Calls `act` with each bit that is set.
pub(super) fn for_each_bit(bits: &[u64], mut act: impl FnMut(usize)) {
    for (index, &word) in bits.iter().enumerate() {
        let mut word = word;
        while word != 0 {
            act(64 * index + word.trailing_zeros() as usize);
            word &= word - 1;
        }
    }
}

impl Placements {
    pub(super) fn new(class: Class) -> Placements {
        let kinds: Vec<Ghost> = KINDS
            .into_iter()
            .flat_map(|kind| std::iter::repeat_n(kind, class.ghosts(kind) as usize))
            .collect();
        let bits = SQUARES.pow(kinds.len() as u32);
        let words = bits.div_ceil(64);
        let empty = || vec![0u64; words];
        let count = KINDS.iter().map(|&kind| sets::sets_of(class.ghosts(kind) as usize)).product();
        let mut placements = Placements {
            words,
            count,
            on: vec![empty(); SQUARES],
            ghost_on: vec![empty(); SQUARES * kinds.len()],
            distinct: empty(),
            ascending: empty(),
            leaving: empty(),
            off: vec![empty(); STEPS.len() * kinds.len()],
            number: vec![NONE; bits],
            orders: vec![Vec::new(); count],
            kinds,
        };
        (0..bits).for_each(|bit| placements.describe(bit));
        placements
    }

    /// Bytes that [`Placements::new`] takes for this class.
    pub(super) fn memory(class: Class) -> u64 {
        let ghosts: u32 = KINDS.iter().map(|&kind| class.ghosts(kind)).sum();
        let bits = (SQUARES as u64).pow(ghosts);
        let sets = SQUARES as u64 * (1 + u64::from(ghosts)) + 4 * u64::from(ghosts) + 3;
        bits / 8 * sets + 12 * bits
    }

    /// Enters everything there is to know about one bit.
    fn describe(&mut self, bit: usize) {
        let squares = digits(bit, self.kinds.len());
        for (ghost, &square) in squares.iter().enumerate() {
            put(&mut self.on[square], bit);
            put(&mut self.ghost_on[ghost * SQUARES + square], bit);
            for (direction, leads_off) in leads_off(square).into_iter().enumerate() {
                if leads_off {
                    put(&mut self.off[ghost * STEPS.len() + direction], bit);
                }
            }
            let may_leave = self.kinds[ghost] != Ghost::ShownRed;
            if may_leave && Standard::TOP_EXITS.0 >> square & 1 == 1 {
                put(&mut self.leaving, bit);
            }
        }
        let Some(number) = self.number_of_squares(&squares) else { return };
        put(&mut self.distinct, bit);
        self.orders[number].push(bit as u32);
        let ascending = (1..squares.len())
            .all(|i| self.kinds[i - 1] != self.kinds[i] || squares[i - 1] < squares[i]);
        if ascending {
            put(&mut self.ascending, bit);
            self.number[bit] = number as u32;
        }
    }

    /// The number of the placement with these squares in any order; `None` if they collide.
    fn number_of_squares(&self, squares: &[usize]) -> Option<usize> {
        let all = squares.iter().fold(0u64, |set, &square| set | 1 << square);
        if all.count_ones() as usize != squares.len() {
            return None;
        }
        let of_kind = |kind| {
            let mine = squares.iter().zip(&self.kinds).filter(move |&(_, &k)| k == kind);
            mine.fold(Bitboard::EMPTY, |set, (&square, _)| set | Bitboard(1 << square))
        };
        Some(KINDS.iter().fold(0, |number, &kind| {
            let set = of_kind(kind);
            number * sets::sets_of(set.count() as usize) + sets::rank(set)
        }))
    }

    /// The number of the placement with these squares.
    pub(super) fn number_of(&self, ghosts: &[Bitboard; 5]) -> usize {
        KINDS.iter().fold(0, |number, &kind| {
            let set = ghosts[kind as usize];
            number * sets::sets_of(set.count() as usize) + sets::rank(set)
        })
    }

    /// The number of the placement of an ascending bit.
    pub(super) fn number(&self, bit: usize) -> usize {
        self.number[bit] as usize
    }

    /// Adds every order of a numbered placement to the set.
    pub(super) fn put(&self, bits: &mut [u64], number: usize) {
        for &bit in &self.orders[number] {
            put(bits, bit as usize);
        }
    }

    /// The placements in which a ghost of `kind` stands on `square`.
    pub(super) fn kind_on(&self, kind: Ghost, square: Square) -> impl Iterator<Item = &Bits> {
        let ghosts = self.kinds.iter().enumerate().filter(move |&(_, &k)| k == kind);
        ghosts.map(move |(ghost, _)| &self.ghost_on[ghost * SQUARES + square.index()])
    }

    /// Keeps in `kept` the placements from which every step of every ghost leads into `good` or off
    /// the board.
    pub(super) fn keep_if_all_steps_lead_into(&self, kept: &mut [u64], good: &[u64]) {
        let mut unit = 1;
        for ghost in 0..self.kinds.len() {
            for (direction, step) in STEPS.into_iter().enumerate() {
                keep_shifted(kept, good, step * unit, &self.off[ghost * STEPS.len() + direction]);
            }
            unit *= SQUARES as isize;
        }
    }

    /// For each square and each placement of `fewer`: the number of the placement that has a ghost
    /// of `kind` on that square too, or `None` if the square is taken.
    pub(super) fn joined(&self, fewer: &Placements, kind: Ghost) -> Vec<Vec<Option<u32>>> {
        let at = self.kinds.iter().position(|&k| k == kind).unwrap_or(0);
        let join = |square: usize, orders: &Vec<u32>| {
            let mut squares = digits(*orders.first()? as usize, fewer.kinds.len());
            squares.insert(at, square);
            self.number_of_squares(&squares).map(|number| number as u32)
        };
        (0..SQUARES)
            .map(|square| fewer.orders.iter().map(|orders| join(square, orders)).collect())
            .collect()
    }
}

/// Whether a step up, down, right or left from `square` leads off the board.
fn leads_off(square: usize) -> [bool; 4] {
    [square / 6 == 5, square / 6 == 0, square % 6 == 5, square % 6 == 0]
}

/// `kept[i] &= good[i + shift] | off[i]`, bit by bit; outside of `good` there is nothing.
fn keep_shifted(kept: &mut [u64], good: &[u64], shift: isize, off: &[u64]) {
    let words = kept.len() as isize;
    let (whole, part) = (shift.div_euclid(64), shift.rem_euclid(64) as u32);
    let word = |index: isize| if (0..words).contains(&index) { good[index as usize] } else { 0 };
    let shifted = |index: isize| match part {
        0 => word(index + whole),
        _ => word(index + whole) >> part | word(index + whole + 1) << (64 - part),
    };
    // In the middle, all words are there and the loop is plain.
    let start = (-whole).clamp(0, words);
    let end = (words - whole - 1).clamp(start, words);
    for index in (0..start).chain(end..words) {
        kept[index as usize] &= shifted(index) | off[index as usize];
    }
    let (first, len) = ((start + whole) as usize, (end - start) as usize);
    let (start, end) = (start as usize, end as usize);
    if len == 0 {
        return;
    }
    let (kept, off) = (&mut kept[start..end], &off[start..end]);
    let (low, high) = (&good[first..first + len], &good[first + 1..first + 1 + len]);
    if part == 0 {
        for i in 0..len {
            kept[i] &= low[i] | off[i];
        }
    } else {
        for i in 0..len {
            kept[i] &= low[i] >> part | high[i] << (64 - part) | off[i];
        }
    }
}

/// What capturing a ghost of each kind leads to, for the kinds there are.
pub(super) fn captures(class: Class) -> Vec<(Ghost, Captured)> {
    let outcomes = [
        (Ghost::ShownBlue, Class::without_shown_blue as fn(Class) -> Captured),
        (Ghost::ShownRed, Class::without_shown_red),
        (Ghost::Hidden, Class::without_hidden),
    ];
    let present = outcomes.into_iter().filter(|&(kind, _)| class.ghosts(kind) > 0);
    present.map(|(kind, without)| (kind, without(class))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slow twin of [`keep_shifted`].
    fn keep_shifted_slowly(kept: &[u64], good: &[u64], shift: isize, off: &[u64]) -> Bits {
        let bits = 64 * kept.len() as isize;
        let has = |set: &[u64], i: isize| {
            (0..bits).contains(&i) && set[i as usize / 64] >> (i % 64) & 1 == 1
        };
        let mut result = vec![0; kept.len()];
        for i in 0..bits {
            if has(kept, i) && (has(good, i + shift) || has(off, i)) {
                put(&mut result, i as usize);
            }
        }
        result
    }

    #[test]
    fn shifting_is_shifting_bit_by_bit() {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state ^ state >> 29
        };
        for words in [1, 2, 3, 21] {
            for shift in [1, -1, 6, -6, 36, -36, 63, 64, -64, 128, 216, -216, 1296, -7776] {
                let mut make = || (0..words).map(|_| random()).collect::<Bits>();
                let (kept, good, off) = (make(), make(), make());
                let mut fast = kept.clone();
                keep_shifted(&mut fast, &good, shift, &off);
                assert_eq!(fast, keep_shifted_slowly(&kept, &good, shift, &off), "{shift}");
            }
        }
    }

    #[test]
    fn placements_are_counted() {
        let placements = Placements::new("BRruu:1".parse().unwrap());
        assert_eq!(placements.count, 36 * 630);
        let ones = |bits: &Bits| bits.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        assert_eq!(ones(&placements.distinct), 36 * 35 * 34);
        assert_eq!(ones(&placements.ascending), 36 * 35 * 34 / 2);
        assert_eq!(ones(&placements.on[0]), 36u64.pow(3) - 35u64.pow(3));
    }
}
