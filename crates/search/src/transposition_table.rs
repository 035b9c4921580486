//! The transposition table of every search here: results of positions, by their Zobrist keys, in
//! bounded memory.
//!
//! Two tables of this project stay apart, each for a reason that its own documentation gives: the
//! Geister solver's, which threads share without locks, and that of the exact solvers of other
//! games, which compares whole positions.

use std::marker::PhantomData;

/// The value that a table keeps for a position; it fits in one word.
pub trait Entry: Copy {
    /// The value as a word.
    fn pack(self) -> u64;
    /// The value that packs to `word`.
    fn unpack(word: u64) -> Self;
}

/// The full key, the effort (0 marks an empty slot) and the packed entry. Plain words, so that an
/// empty table is zeroed memory, which costs nothing until it is touched.
type Slot = [u64; 3];

const EMPTY: Slot = [0; 3];

/// A transposition table: a map from keys to entries that drops entries instead of growing.
///
/// Replacement: a new entry always gets in. In a full bucket it replaces the entry of least effort,
/// and the others lose half their effort, so that entries of old searches give way. Effort is
/// whatever the caller counts, such as the depth or the nodes it took to find the entry.
///
/// `WAYS` is how many slots a bucket has. With one, a new entry always replaces the old one, which
/// costs least and suits short searches against the clock; with four, what took much effort stays.
///
/// Keys should be Zobrist keys, or mixed as well: a bucket is chosen by the remainder of the key.
#[derive(Debug)]
pub struct TranspositionTable<E, const WAYS: usize = 4> {
    buckets: Vec<[Slot; WAYS]>,
    entries: PhantomData<E>,
}

impl<E: Entry, const WAYS: usize> TranspositionTable<E, WAYS> {
    /// A table of at most `memory` bytes. Too few for one bucket make a table that keeps nothing.
    #[must_use]
    pub fn new(memory: usize) -> Self {
        let buckets = memory.min(isize::MAX as usize) / size_of::<[Slot; WAYS]>();
        Self { buckets: vec![[EMPTY; WAYS]; buckets], entries: PhantomData }
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.buckets.fill([EMPTY; WAYS]);
    }

    /// The bytes of its slots.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.buckets.capacity() * size_of::<[Slot; WAYS]>()
    }

    /// The entry stored under `key`, if it is still there.
    #[inline]
    #[must_use]
    pub fn probe(&self, key: u64) -> Option<E> {
        let bucket = self.buckets.get(self.index(key)?)?;
        let &[_, _, word] = bucket.iter().find(|slot| holds(slot, key))?;
        Some(E::unpack(word))
    }

    /// Stores `entry` under `key`. An older entry under the same key is overwritten, and the
    /// greater effort of the two is kept.
    #[inline]
    pub fn store(&mut self, key: u64, effort: u64, entry: E) {
        if let Some(bucket) = self.index(key).and_then(|index| self.buckets.get_mut(index)) {
            let slot = place(bucket, key);
            *slot = [key, effort.max(slot[1]).max(1), entry.pack()];
        }
    }

    /// The bucket of `key`; `None` if there are no buckets.
    #[inline]
    fn index(&self, key: u64) -> Option<usize> {
        key.checked_rem(self.buckets.len() as u64).map(|index| index as usize)
    }
}

fn holds(slot: &Slot, key: u64) -> bool {
    slot[0] == key && slot[1] > 0
}

/// The slot that holds `key`, or else one made empty for it.
#[inline]
fn place<const WAYS: usize>(bucket: &mut [Slot; WAYS], key: u64) -> &mut Slot {
    if let Some(at) = bucket.iter().position(|slot| holds(slot, key)) {
        return &mut bucket[at];
    }
    let mut least = 0;
    for at in 1..bucket.len() {
        if bucket[at][1] < bucket[least][1] {
            least = at;
        }
    }
    if bucket[least][1] > 0 {
        bucket.iter_mut().for_each(|slot| slot[1] = slot[1].div_ceil(2));
    }
    bucket[least] = EMPTY;
    &mut bucket[least]
}

/// How the result of a search with a window relates to the true value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The value is exact: it was inside the window.
    Exact,
    /// The true value is no less: the search was cut off at beta.
    Lower,
    /// The true value is no more: no move reached alpha.
    Upper,
}

impl Bound {
    /// The bound that a value is, if a search with this window returned it.
    #[inline]
    #[must_use]
    pub fn of<V: PartialOrd + Copy>(value: V, alpha: V, beta: V) -> Self {
        if value >= beta {
            Self::Lower
        } else if value <= alpha {
            Self::Upper
        } else {
            Self::Exact
        }
    }

    /// Whether a value with this bound answers a search with this window.
    #[inline]
    #[must_use]
    pub fn settles<V: PartialOrd + Copy>(self, value: V, alpha: V, beta: V) -> bool {
        match self {
            Self::Exact => true,
            Self::Lower => value >= beta,
            Self::Upper => value <= alpha,
        }
    }
}

/// The entry of an alpha-beta search: a value with its bound and depth, and the best move.
///
/// ```text
///   63          32 31     24 23    16 15           0
///   +-------------+---------+--------+--------------+
///   | value bits  |  depth  | bound  |  move or -1  |
///   +-------------+---------+--------+--------------+
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueEntry {
    /// The bits of the value: of a [`Score`](crate::Score), or of an `f32`.
    pub bits: u32,
    /// The plies that were searched below the position.
    pub depth: u8,
    /// Whether the value is exact or a bound.
    pub bound: Bound,
    /// The code of the best move, if there is one. No code is 65,535.
    pub best: Option<u16>,
}

impl Entry for ValueEntry {
    #[inline]
    fn pack(self) -> u64 {
        u64::from(self.bits) << 32
            | u64::from(self.depth) << 24
            | (self.bound as u64) << 16
            | u64::from(self.best.unwrap_or(u16::MAX))
    }

    #[inline]
    fn unpack(word: u64) -> Self {
        let bound = match word >> 16 & 3 {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        };
        let best = Some(word as u16).filter(|&code| code != u16::MAX);
        Self { bits: (word >> 32) as u32, depth: (word >> 24) as u8, bound, best }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Entry for u64 {
        fn pack(self) -> u64 {
            self
        }
        fn unpack(word: u64) -> Self {
            word
        }
    }

    #[test]
    fn the_memory_limit_holds() {
        for memory in (0..2000).chain([1 << 20, (1 << 20) + 1]) {
            assert!(TranspositionTable::<u64, 4>::new(memory).memory() <= memory);
        }
    }

    #[test]
    fn a_table_without_room_keeps_nothing() {
        let mut table = TranspositionTable::<u64, 4>::new(4 * size_of::<Slot>() - 1);
        table.store(1, 1, 7);
        assert_eq!(table.probe(1), None);
    }

    #[test]
    fn returns_only_what_was_stored_under_the_key() {
        let mut table = TranspositionTable::<u64, 4>::new(10_000);
        for key in 0..100_000 {
            table.store(key, key % 17, key + 5);
            assert_eq!(table.probe(key), Some(key + 5));
        }
        let kept = (0..100_000).filter(|&key| table.probe(key).is_some());
        assert!(kept.inspect(|&key| assert_eq!(table.probe(key), Some(key + 5))).count() > 300);
    }

    #[test]
    fn key_zero_is_a_key_like_any_other() {
        let mut table = TranspositionTable::<u64, 4>::new(10_000);
        assert_eq!(table.probe(0), None);
        table.store(0, 0, 3);
        assert_eq!(table.probe(0), Some(3));
    }

    #[test]
    fn replaces_the_least_effort_and_ages_the_rest() {
        let mut table = TranspositionTable::<u64, 4>::new(4 * size_of::<Slot>());
        for (key, effort) in [(1, 50), (2, 10), (3, 40), (4, 30)] {
            table.store(key, effort, key);
        }
        table.store(5, 1, 5);
        assert_eq!((table.probe(2), table.probe(5)), (None, Some(5)));
        for key in 6..100 {
            table.store(key, 2, key);
        }
        assert_eq!(table.probe(1), None, "the effort of old entries halves");
    }

    #[test]
    fn a_one_way_table_keeps_the_newest_entry() {
        let mut table = TranspositionTable::<u64, 1>::new(10 * size_of::<Slot>());
        table.store(3, 100, 30);
        table.store(13, 1, 130);
        assert_eq!((table.probe(3), table.probe(13)), (None, Some(130)));
    }

    #[test]
    fn clearing_removes_all_entries() {
        let mut table = TranspositionTable::<u64, 4>::new(10_000);
        table.store(4, 1, 3);
        table.clear();
        assert_eq!(table.probe(4), None);
    }

    #[test]
    fn value_entries_are_read_as_they_were_written() {
        for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
            for best in [None, Some(0), Some(35 << 8 | 34)] {
                let entry = ValueEntry { bits: (-7.5_f32).to_bits(), depth: 11, bound, best };
                assert_eq!(ValueEntry::unpack(entry.pack()), entry);
            }
        }
    }

    #[test]
    fn a_bound_settles_only_windows_on_its_side() {
        assert_eq!(Bound::of(5, 1, 5), Bound::Lower);
        assert_eq!(Bound::of(1, 1, 5), Bound::Upper);
        assert_eq!(Bound::of(3, 1, 5), Bound::Exact);
        assert!(Bound::Lower.settles(5, 1, 4) && !Bound::Lower.settles(5, 1, 6));
        assert!(Bound::Upper.settles(5, 6, 9) && !Bound::Upper.settles(5, 4, 9));
    }
}
