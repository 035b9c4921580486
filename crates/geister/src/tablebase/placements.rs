//! The placements of the top side's ghosts, and sets of them.
//!
//! The ghosts of a kind stand on a set of squares, which has a rank (`combinations`); the numbers of the
//! kinds are the digits of a placement's number. A set of placements is one bit for each number.
//! Numbers in which kinds collide are numbered too, and are not placements.

use super::class::{Captured, Class};
use super::combinations;
use super::steps::Steps;
use crate::board::{ALL_SQUARES, TOP_EXITS};
use games::geister::{Bitboard, Ghost, Square};

/// The kinds of the top side's ghosts; the number of the last is the highest digit.
const KINDS: [Ghost; 3] = [Ghost::ShownBlue, Ghost::ShownRed, Ghost::Hidden];

/// A set, of placements or of something else that is numbered.
pub(super) type Bits = Vec<u64>;

pub(super) fn put(bits: &mut [u64], bit: usize) {
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

pub(super) fn unite(set: &mut [u64], more: &[u64]) {
    for (set, more) in set.iter_mut().zip(more) {
        *set |= more;
    }
}

/// Takes out of `set` what is in `less`.
pub(super) fn without(set: &mut [u64], less: &[u64]) {
    for (set, less) in set.iter_mut().zip(less) {
        *set &= !less;
    }
}

/// Every set of squares that the ghosts of each kind can have, by number.
pub(super) struct TopSets([Vec<Bitboard>; 3]);

impl TopSets {
    pub(super) fn new(class: Class) -> TopSets {
        TopSets(KINDS.map(|kind| {
            let size = class.ghosts(kind) as usize;
            (0..combinations::count(size))
                .map(|number| combinations::unrank(number, size))
                .collect()
        }))
    }

    /// The sets of the kinds, by kind.
    pub(super) fn kinds(&self) -> &[Vec<Bitboard>; 3] {
        &self.0
    }

    /// How many numbers there are.
    pub(super) fn count(&self) -> usize {
        self.0.iter().map(Vec::len).product()
    }

    /// The sets of each kind, number by number.
    pub(super) fn iter(&self) -> impl Iterator<Item = [Bitboard; 3]> {
        let [blue, red, hidden] = &self.0;
        hidden
            .iter()
            .flat_map(move |&u| red.iter().flat_map(move |&r| blue.iter().map(move |&b| [b, r, u])))
    }
}

/// The number of the placement in which each kind has this set.
fn number(sets: [Bitboard; 3]) -> usize {
    sets.into_iter().rev().fold(0, |number, set| {
        number * combinations::count(set.count() as usize) + combinations::rank(set)
    })
}

fn collide(sets: &[Bitboard; 3]) -> bool {
    let [blue, red, hidden] = *sets;
    blue.meets(red) || (blue | red).meets(hidden)
}

/// The placements of one class's top ghosts, and the sets of them that the retrograde analysis
/// combines.
pub(super) struct Placements {
    tops: TopSets,
    /// How many numbers there are.
    pub(super) count: usize,
    /// How many words a set takes.
    pub(super) words: usize,
    /// By square: some ghost stands there.
    pub(super) on: Vec<Bits>,
    /// No two ghosts share a square.
    pub(super) distinct: Bits,
    /// Distinct, and no ghost can leave the board at once.
    pub(super) staying: Bits,
    /// The steps of the ghosts.
    pub(super) steps: Steps,
}

impl Placements {
    pub(super) fn new(class: Class) -> Placements {
        let tops = TopSets::new(class);
        let count = tops.count();
        let empty = vec![0; count.div_ceil(64)];
        let (mut distinct, mut staying) = (empty.clone(), empty.clone());
        for (number, sets) in tops.iter().enumerate().filter(|(_, sets)| !collide(sets)) {
            put(&mut distinct, number);
            let [blue, _, hidden] = sets;
            if !(blue | hidden).meets(TOP_EXITS) {
                put(&mut staying, number);
            }
        }
        Placements {
            count,
            words: empty.len(),
            on: on(&tops, &KINDS),
            steps: Steps::new(&tops, &distinct),
            distinct,
            staying,
            tops,
        }
    }

    /// The number of the placement with these ghosts.
    pub(super) fn number_of(&self, ghosts: &[Bitboard; 5]) -> usize {
        number(KINDS.map(|kind| ghosts[kind as usize]))
    }

    /// By square: a ghost of one of these kinds stands there.
    pub(super) fn kinds_on(&self, kinds: &[Ghost]) -> Vec<Bits> {
        on(&self.tops, kinds)
    }

    /// For each square and each number of the class with one ghost of `kind` less: the number with
    /// that ghost on the square too, or `None` if the square is taken.
    pub(super) fn joined(fewer: Class, kind: Ghost) -> Vec<Vec<Option<u32>>> {
        let fewer = TopSets::new(fewer);
        let join = |square: Square, mut sets: [Bitboard; 3]| {
            let taken = sets.iter().any(|set| set.has(square)) || collide(&sets);
            for (set, _) in sets.iter_mut().zip(KINDS).filter(|&(_, other)| other == kind) {
                *set |= square.bit();
            }
            (!taken).then(|| number(sets) as u32)
        };
        ALL_SQUARES.map(|square| fewer.iter().map(|sets| join(square, sets)).collect()).collect()
    }
}

/// What the placements of a class take, in bytes.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    /// A byte for each number.
    pub(super) numbers: u128,
    /// A set of placements.
    pub(super) set: u128,
    /// A set of rows.
    pub(super) rows: u128,
    /// [`Placements::new`], at most.
    pub(super) placements: u128,
}

impl Sizes {
    pub(super) fn of(class: Class) -> Sizes {
        let of_kind = |&kind: &Ghost| combinations::count(class.ghosts(kind) as usize) as u128;
        let numbers: u128 = KINDS.iter().map(of_kind).product();
        let set = numbers.div_ceil(64) * 8;
        let (rows, steps) = Steps::memory(class);
        Sizes { numbers, set, rows, placements: steps + set * (Square::COUNT as u128 + 4) }
    }
}

/// By square: the numbers in which a ghost of one of these kinds stands there.
fn on(tops: &TopSets, kinds: &[Ghost]) -> Vec<Bits> {
    let mut on = vec![vec![0; tops.count().div_ceil(64)]; Square::COUNT];
    for (number, sets) in tops.iter().enumerate() {
        let wanted = KINDS.iter().zip(sets).filter(|(kind, _)| kinds.contains(kind));
        for square in wanted.flat_map(|(_, set)| set) {
            put(&mut on[square.index()], number);
        }
    }
    on
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

    fn ones(bits: &Bits) -> u32 {
        bits.iter().map(|word| word.count_ones()).sum()
    }

    #[test]
    fn placements_are_counted() {
        let placements = Placements::new("BRruu:1".parse().unwrap());
        assert_eq!(placements.count, 36 * 630);
        assert_eq!(ones(&placements.distinct), 36 * 35 * 34 / 2);
        // The two hidden ghosts are not on a1 or f1, the red one is anywhere else.
        assert_eq!(ones(&placements.staying), 34 * 33 / 2 * 34);
        // One of three ghosts, the two hidden ones not being told apart.
        assert_eq!(ones(&placements.on[0]), 36 * 630 - 35 * 595);
        assert_eq!(ones(&placements.kinds_on(&[Ghost::ShownRed])[7]), 630);
    }

    #[test]
    fn every_number_is_that_of_its_sets() {
        for text in ["BRbru:1", "BRrruu:1", "BRuuu:1"] {
            let tops = TopSets::new(text.parse().unwrap());
            assert!(tops.iter().map(number).eq(0..tops.count()), "{text}");
        }
    }

    #[test]
    fn a_ghost_more_makes_a_number_of_the_larger_class() {
        let placements = Placements::new("BRruu:1".parse().unwrap());
        let joined = Placements::joined("BRru:1".parse().unwrap(), Ghost::Hidden);
        let numbers = joined.iter().flatten().flatten();
        // Each of the distinct ones is reached from either of its hidden ghosts.
        let mut reached = vec![0; placements.words];
        numbers.clone().for_each(|&number| put(&mut reached, number as usize));
        assert_eq!((numbers.count(), reached), (36 * 35 * 34, placements.distinct));
    }
}
