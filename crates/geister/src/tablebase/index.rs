//! The numbers of a class's positions.
//!
//! Ghosts of one kind are a set of squares. Kind after kind, that set is numbered by the
//! combinatorial number system among the squares that the kinds before it leave, and these numbers
//! are the digits of the rank.
//!
//! Mirror images share a rank, as follows. Squares are first renumbered so that mirror images are
//! the numbers 2k and 2k + 1. The sets of the leading kind come in pairs of mirror images, of which
//! one is chosen, the whole position being mirrored if it has the other; only chosen sets are
//! numbered. Left over are sets that are their own mirror images. They have even size, so a kind
//! with an odd count, taken as the leading one, leaves none over. If all counts are even, such a
//! set takes whole pairs of squares away, hence the squares left over are again paired as 2k and
//! 2k + 1, and the next kind decides in the same way.
//!
//! Renumbered sets are plain words, since the masks of [`Bitboard`] hold for the board's own numbering
//! only.

use super::class::Class;
use crate::board::ALL_SQUARES;
use games::geister::{Bitboard, Board, Ghost, Position, Standard};
use std::cmp::Ordering;
use std::ops::Range;

/// The squares of the board.
const SQUARES: usize = ALL_SQUARES.count() as usize;

/// Ghosts of a kind at most.
const MAX_OF_A_KIND: usize = 2 * Standard::GHOSTS_OF_A_COLOUR as usize;

/// `CHOOSE[k][n]`: the subsets of size `k` of `n` things. It goes up to what a count of trailing
/// zeros can be, so that no set of bits leads out of it.
const CHOOSE: [[u32; 64]; MAX_OF_A_KIND + 1] = choose();

const fn choose() -> [[u32; 64]; MAX_OF_A_KIND + 1] {
    let mut table = [[0; 64]; MAX_OF_A_KIND + 1];
    table[0] = [1; 64];
    let mut k = 1;
    while k <= MAX_OF_A_KIND {
        let mut n = 1;
        while n < 64 {
            table[k][n] = table[k][n - 1] + table[k - 1][n - 1];
            n += 1;
        }
        k += 1;
    }
    table
}

/// A bijection between the positions of a class with the bottom side to move, mirror images
/// counted as one, and the numbers below [`Index::size`].
///
/// Its tables are small (kilobytes for up to seven ghosts); they have an entry for every set of
/// squares that the leading kind can have.
#[derive(Clone, Debug)]
pub struct Index {
    class: Class,
    levels: Vec<Level>,
    size: u64,
    positions: u64,
}

/// One kind of ghosts, as a digit of the rank.
#[derive(Clone, Debug)]
struct Level {
    ghost: Ghost,
    count: usize,
    /// The placements of all later kinds.
    rest: u64,
    /// The same up to the mirror, on a board that is still symmetric.
    rest_up_to_mirror: u64,
    /// The ranks of positions in which this kind decides which mirror image is meant.
    decided: u64,
    orbits: Orbits,
}

/// Where a set of the leading kind stands among its like. The numbers count each sort by itself.
#[derive(Clone, Copy, Debug)]
enum Orbit {
    /// It was chosen before its mirror image.
    Chosen(u32),
    /// Its mirror image was chosen.
    Other(u32),
    /// It is its own mirror image.
    Own(u32),
}

/// The sets of a kind up to the mirror; empty for a kind that never decides.
#[derive(Clone, Debug, Default)]
struct Orbits {
    /// For every set, by its number.
    orbit: Vec<Orbit>,
    /// The number of every chosen set.
    chosen: Vec<u32>,
    /// The number of every set that is its own mirror image.
    own: Vec<u32>,
}

impl Index {
    /// The index of `class`.
    pub fn new(class: Class) -> Index {
        let order = order(class);
        let all_even = order.iter().all(|&kind| class.ghosts(kind).is_multiple_of(2));
        let mut index = Index { class, levels: Vec::new(), size: 1, positions: 1 };
        let mut free = SQUARES - class.pieces() as usize;
        for (at, &ghost) in order.iter().enumerate().rev() {
            free += class.ghosts(ghost) as usize;
            index.lead(ghost, free, at == 0 || all_even);
        }
        index
    }

    /// Puts a kind before those that are there, on a board with so many free squares.
    fn lead(&mut self, ghost: Ghost, free: usize, decides: bool) {
        let count = self.class.ghosts(ghost) as usize;
        let orbits = if decides { Orbits::new(free, count) } else { Orbits::default() };
        let decided = orbits.chosen.len() as u64 * self.positions;
        let undecided = orbits.own.len() as u64 * self.size;
        let (rest, rest_up_to_mirror) = (self.positions, self.size);
        self.levels.insert(0, Level { ghost, count, rest, rest_up_to_mirror, decided, orbits });
        self.positions *= u64::from(CHOOSE[count][free]);
        // Behind an odd leading kind nothing is decided, and the size stays unused.
        self.size = (decided + undecided).max(1);
    }

    /// What [`Index::positions`] of `class` is, without making its index.
    pub fn positions_of(class: Class) -> u64 {
        placements(class, SQUARES, |ghosts| ghosts)
    }

    /// What [`Index::size`] of `class` is, without making its index.
    pub fn size_of(class: Class) -> u64 {
        let symmetric = if Ghost::ALL.iter().all(|&kind| class.ghosts(kind).is_multiple_of(2)) {
            // Such a position consists of pairs of squares and their mirror images.
            placements(class, SQUARES / 2, |ghosts| ghosts / 2)
        } else {
            0
        };
        (Index::positions_of(class) + symmetric) / 2
    }

    /// The class.
    pub fn class(&self) -> Class {
        self.class
    }

    /// How many ranks there are: the positions of the class, mirror images counted as one.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// How many positions there are with the bottom side to move, mirror images counted as two.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// The rank of `position`, which is also that of its mirror image. Whose turn it is does not
    /// matter.
    ///
    /// A position of another class gets some rank of this one, which means nothing.
    #[inline]
    pub fn rank(&self, position: &Position) -> u64 {
        self.rank_of(&Ghost::ALL.map(|ghost| position.ghosts(ghost)))
    }

    /// [`Index::rank`] of the position with these ghosts, in the order of [`Ghost::ALL`].
    pub fn rank_of(&self, ghosts: &[Bitboard; 5]) -> u64 {
        let (mut rank, mut occupied) = (0_u64, 0);
        let (mut decided, mut turned) = (false, false);
        for level in &self.levels {
            let set = paired(ghosts[level.ghost as usize].0);
            let set = if turned { mirrored(set) } else { set };
            let number = number(set, occupied, level.count);
            occupied |= set;
            // Only the ghosts of another class can make this overflow.
            rank = rank.wrapping_add(if decided {
                number.wrapping_mul(level.rest)
            } else {
                match level.orbits.get(number) {
                    Orbit::Own(own) => level.decided + u64::from(own) * level.rest_up_to_mirror,
                    Orbit::Chosen(chosen) => {
                        decided = true;
                        u64::from(chosen) * level.rest
                    }
                    Orbit::Other(chosen) => {
                        (decided, turned) = (true, true);
                        occupied = mirrored(occupied);
                        u64::from(chosen) * level.rest
                    }
                }
            });
        }
        rank.min(self.size - 1)
    }

    /// The position with this rank: one of two mirror images, always the same, with the bottom side
    /// to move. A rank beyond the last is taken as the last.
    pub fn position(&self, rank: u64) -> Position {
        Position::from_ghosts(self.ghosts_of(rank), self.class.hidden_blue())
    }

    /// The ghosts of [`Index::position`], in the order of [`Ghost::ALL`].
    pub fn ghosts_of(&self, rank: u64) -> [Bitboard; 5] {
        let mut ghosts = [Bitboard::EMPTY; 5];
        let mut rank = rank.min(self.size - 1);
        let (mut occupied, mut decided) = (0, false);
        for level in &self.levels {
            let number = if decided {
                digit(&mut rank, level.rest) as u32
            } else if rank < level.decided {
                decided = true;
                level.orbits.chosen[digit(&mut rank, level.rest) as usize]
            } else {
                rank -= level.decided;
                level.orbits.own[digit(&mut rank, level.rest_up_to_mirror) as usize]
            };
            let set = spread(numbered(number, level.count), occupied);
            occupied |= set;
            ghosts[level.ghost as usize] = Bitboard(unpaired(set));
        }
        ghosts
    }

    /// Calls `act` with the ghosts of each of these ranks in order. It is faster than
    /// [`Index::ghosts_of`] for each, since most neighbours differ in the last kind only.
    pub fn for_each_ghosts(&self, ranks: Range<u64>, mut act: impl FnMut(&[Bitboard; 5])) {
        let Some((last, before)) = self.levels.split_last() else { return };
        let (mut rank, end) = (ranks.start, ranks.end.min(self.size));
        while rank < end {
            let mut ghosts = self.ghosts_of(rank);
            act(&ghosts);
            let number = self.number_of_last(rank);
            rank += 1;
            let Some(number) = number else { continue };
            let sets = before.last().map_or(1, |level| level.rest);
            let following = (sets - 1 - number).min(end - rank);
            let taken = before.iter().map(|level| paired(ghosts[level.ghost as usize].0));
            let occupied = taken.fold(0, |occupied, set| occupied | set);
            let mut set = numbered(number as u32, last.count);
            for _ in 0..following {
                set = next_set(set);
                ghosts[last.ghost as usize] = Bitboard(unpaired(spread(set, occupied)));
                act(&ghosts);
            }
            rank += following;
        }
    }

    /// The number of the last kind's set, if the kinds before it decide which mirror image is meant.
    fn number_of_last(&self, mut rank: u64) -> Option<u64> {
        let mut decided = false;
        for level in &self.levels[..self.levels.len() - 1] {
            if decided || rank < level.decided {
                decided = true;
                rank %= level.rest;
            } else {
                rank = (rank - level.decided) % level.rest_up_to_mirror;
            }
        }
        decided.then_some(rank)
    }

    /// How many positions have this rank: 1 if the position is its own mirror image, otherwise 2.
    pub fn weight(&self, rank: u64) -> u64 {
        let mut rank = rank.min(self.size - 1);
        for level in &self.levels {
            if rank < level.decided {
                return 2;
            }
            rank = (rank - level.decided) % level.rest_up_to_mirror;
        }
        1
    }
}

impl Orbits {
    /// The sets of `count` out of `free` squares.
    fn new(free: usize, count: usize) -> Orbits {
        let mut orbits = Orbits::default();
        for set in 0..CHOOSE[count][free] {
            let image = number(mirrored(numbered(set, count)), 0, count) as u32;
            let orbit = match image.cmp(&set) {
                Ordering::Greater => Orbit::Chosen(push(&mut orbits.chosen, set)),
                Ordering::Equal => Orbit::Own(push(&mut orbits.own, set)),
                Ordering::Less => match orbits.orbit[image as usize] {
                    Orbit::Chosen(at) | Orbit::Other(at) | Orbit::Own(at) => Orbit::Other(at),
                },
            };
            orbits.orbit.push(orbit);
        }
        orbits
    }

    /// The orbit of the set with this number; some orbit if there is no such set.
    fn get(&self, number: u64) -> Orbit {
        self.orbit.get(number as usize).copied().unwrap_or(Orbit::Chosen(0))
    }
}

/// How many ways there are to place `count` of the ghosts of each kind on `free` squares.
fn placements(class: Class, mut free: usize, count: impl Fn(usize) -> usize) -> u64 {
    let mut placements = 1;
    for ghost in Ghost::ALL {
        let count = count(class.ghosts(ghost) as usize);
        placements *= u64::from(CHOOSE[count][free]);
        free -= count;
    }
    placements
}

/// Puts `number` at the end and says where that is.
fn push(numbers: &mut Vec<u32>, number: u32) -> u32 {
    numbers.push(number);
    numbers.len() as u32 - 1
}

/// The kinds that the class has, the leading one first: the smallest of an odd count if there is
/// one; otherwise by count, because every kind needs a table then.
fn order(class: Class) -> Vec<Ghost> {
    let count = |ghost: &Ghost| class.ghosts(*ghost);
    let mut kinds: Vec<Ghost> = Ghost::ALL.into_iter().filter(|kind| count(kind) > 0).collect();
    match kinds.iter().copied().filter(|kind| count(kind) % 2 == 1).min_by_key(count) {
        Some(leading) => kinds.sort_by_key(|&kind| kind != leading),
        None => kinds.sort_by_key(count),
    }
    kinds
}

/// Divides `rank` and leaves the remainder.
#[inline]
fn digit(rank: &mut u64, rest: u64) -> u64 {
    let digit = *rank / rest;
    *rank %= rest;
    digit
}

/// The number of the `count` squares of `set` among those that are not occupied.
#[inline]
fn number(mut set: u64, occupied: u64, count: usize) -> u64 {
    let mut number = 0;
    for choose in &CHOOSE[1..=count] {
        let below = set.wrapping_sub(1) & !set;
        let place = set.trailing_zeros().wrapping_sub((occupied & below).count_ones());
        number += u64::from(choose[place as usize % 64]);
        set &= set.wrapping_sub(1);
    }
    number
}

/// The set of `count` squares with this number, on an empty board.
#[inline]
fn numbered(mut number: u32, count: usize) -> u64 {
    let mut set = 0;
    for choose in CHOOSE[2..=count.max(1)].iter().rev() {
        let place = choose[..SQUARES].partition_point(|&sets| sets <= number) - 1;
        number -= choose[place];
        set |= 1 << place;
    }
    set | 1 << number
}

/// The set of the same size with the next number: its lowest block of squares sends its highest
/// square up by one, and the others down to the bottom.
#[inline]
fn next_set(set: u64) -> u64 {
    let lowest = set & set.wrapping_neg();
    let up = set + lowest;
    up | (set ^ up) >> 2 >> lowest.trailing_zeros()
}

/// `set`, given among the squares that are not occupied, on the whole board.
#[inline]
fn spread(mut set: u64, mut occupied: u64) -> u64 {
    while occupied != 0 {
        let below = occupied.wrapping_sub(1) & !occupied;
        set += set & !below;
        occupied &= occupied - 1;
    }
    set
}

const A_FILE: u64 = Bitboard::A_FILE.0;
/// Every other bit of the renumbered squares, one of each pair of mirror images.
const EVEN: u64 = 0o25_25_25_25_25_25;

/// The set with squares renumbered: columns a f b e c d in this order.
#[inline]
const fn paired(x: u64) -> u64 {
    x & A_FILE
        | x >> 4 & A_FILE << 1
        | x << 1 & A_FILE << 2
        | x >> 1 & A_FILE << 3
        | x << 2 & (A_FILE << 4 | A_FILE << 5)
}

/// Undoes [`paired`].
#[inline]
const fn unpaired(x: u64) -> u64 {
    x & A_FILE
        | x << 4 & A_FILE << 5
        | x >> 1 & A_FILE << 1
        | x << 1 & A_FILE << 4
        | x >> 2 & (A_FILE << 2 | A_FILE << 3)
}

/// The mirror image of a renumbered set.
#[inline]
const fn mirrored(x: u64) -> u64 {
    x >> 1 & EVEN | (x & EVEN) << 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::mirrored_square;
    use games::geister::Square;

    #[test]
    fn renumbered_squares_are_mirrored_as_the_board_is() {
        for square in ALL_SQUARES {
            let image = mirrored_square(square);
            assert_eq!(mirrored(paired(square.bit().0)), paired(image.bit().0));
            assert_eq!(unpaired(paired(square.bit().0)), square.bit().0);
        }
        let all: Vec<u64> = (0..36).map(|n| unpaired(1 << n)).collect();
        assert_eq!(all[..4], [0, 5, 1, 4].map(|n| Square::from_index(n).unwrap().bit().0));
    }

    #[test]
    fn numbers_and_sets_of_squares_agree() {
        for (count, choose) in CHOOSE.iter().enumerate().take(4).skip(1) {
            let mut sets = std::collections::BTreeSet::new();
            for wanted in 0..choose[SQUARES] {
                let set = numbered(wanted, count);
                assert_eq!((set.count_ones() as usize, set >> SQUARES), (count, 0));
                assert_eq!(number(set, 0, count), u64::from(wanted));
                assert!(sets.insert(set));
            }
        }
    }

    #[test]
    fn ghosts_in_order_are_those_of_their_ranks() {
        // A leading kind alone, in threes, and none, since all counts are even.
        for text in ["BRuu:1", "BRu:0", "BBRbu:1", "BBBRRuu:1", "BBRRuu:1"] {
            let index = Index::new(text.parse().unwrap());
            let middle = index.size() / 2;
            for ranks in [0..3000, middle..middle + 3000, index.size() - 3000..index.size() + 9] {
                let wanted = (ranks.start..ranks.end.min(index.size())).map(|r| index.ghosts_of(r));
                let mut found = Vec::new();
                index.for_each_ghosts(ranks.clone(), |ghosts| found.push(*ghosts));
                assert!(found.into_iter().eq(wanted), "{text}: {ranks:?}");
            }
        }
    }

    #[test]
    fn sizes_are_known_without_an_index() {
        for text in ["BRu:0", "BRuu:1", "BBRbu:1", "BBRRuu:1", "BBRRbbuu:3", "BBBBRRuu:1"] {
            let class: Class = text.parse().unwrap();
            let (index, sizes) =
                (Index::new(class), (Index::positions_of(class), Index::size_of(class)));
            assert_eq!(sizes, (index.positions(), index.size()), "{text}");
        }
    }

    #[test]
    fn spread_squares_skip_the_occupied_ones() {
        let occupied = 0b1_0110;
        assert_eq!(spread(0b1111, occupied), 0b110_1001);
        assert_eq!(number(spread(numbered(77, 2), occupied), occupied, 2), 77);
    }
}
