//! The transposition table of the exact solvers: bounds on scores, in bounded memory.
//!
//! It is not the table of the crate `search`, because it compares whole positions and not Zobrist
//! keys, so that no collision makes an exact answer wrong. It also starts small and grows, since most
//! positions are solved before it fills and clearing a large table would take longer than that.

/// A whole position as a table key.
pub(crate) trait Key: Copy + Eq + Default {
    /// A hash whose low bits select the bucket.
    fn place(self) -> u64;
}

/// The bounds and best move of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Entry {
    pub(crate) lower: i8,
    pub(crate) upper: i8,
    /// The best move of the last search.
    pub(crate) best: u8,
    /// The size of the search below it, above 0; entries with more effort are kept longer.
    pub(crate) effort: u8,
}

const SLOTS_PER_BUCKET: usize = 4;
/// The initial number of buckets, small enough to clear quickly.
const MIN_BUCKETS: usize = 1 << 10;

type Bucket<K> = [(K, Entry); SLOTS_PER_BUCKET];

/// The transposition table. It starts small, so that clearing is fast, and doubles as it fills.
pub(crate) struct TranspositionTable<K> {
    buckets: Vec<Bucket<K>>,
    max_buckets: usize,
    filled: usize,
}

impl<K: Key> TranspositionTable<K> {
    /// A table that never takes more than `memory` bytes, not even while it grows and the old and
    /// new buckets exist together; but at least [`MIN_BUCKETS`].
    pub(crate) fn new(memory: usize) -> TranspositionTable<K> {
        let mut max_buckets = MIN_BUCKETS;
        while (2 * max_buckets + max_buckets) * size_of::<Bucket<K>>() <= memory {
            max_buckets *= 2;
        }
        TranspositionTable { buckets: empty(MIN_BUCKETS), max_buckets, filled: 0 }
    }

    /// Removes all entries and releases the memory of a table that has grown.
    pub(crate) fn clear(&mut self) {
        self.buckets.truncate(MIN_BUCKETS);
        self.buckets.shrink_to_fit();
        self.buckets.fill(Bucket::<K>::default());
        self.filled = 0;
    }

    #[inline]
    fn index(&self, key: K) -> usize {
        // The length is a power of two.
        key.place() as usize & (self.buckets.len() - 1)
    }

    /// The entry of a position, unless it was replaced.
    #[inline]
    pub(crate) fn probe(&self, key: K) -> Option<Entry> {
        let bucket = &self.buckets[self.index(key)];
        bucket.iter().find(|(known, entry)| *known == key && entry.effort > 0).map(|&(_, e)| e)
    }

    /// Stores `entry`; it replaces the entry of the same position or the one with the least effort.
    #[inline]
    pub(crate) fn store(&mut self, key: K, entry: Entry) {
        self.insert(key, entry);
        let crowded = 2 * self.filled > SLOTS_PER_BUCKET * self.buckets.len();
        if crowded && self.buckets.len() < self.max_buckets {
            self.grow();
        }
    }

    #[inline]
    fn insert(&mut self, key: K, entry: Entry) {
        let index = self.index(key);
        let bucket = &mut self.buckets[index];
        let (mut place, mut least) = (0, u8::MAX);
        for (way, (known, entry)) in bucket.iter().enumerate() {
            if *known == key && entry.effort > 0 {
                (place, least) = (way, u8::MAX);
                break;
            }
            if entry.effort < least {
                (place, least) = (way, entry.effort);
            }
        }
        self.filled += usize::from(least == 0);
        bucket[place] = (key, entry);
    }

    /// Doubles the table and keeps its entries.
    #[cold]
    fn grow(&mut self) {
        let twice = empty(2 * self.buckets.len());
        let old = std::mem::replace(&mut self.buckets, twice);
        self.filled = 0;
        for (key, entry) in old.into_iter().flatten().filter(|(_, entry)| entry.effort > 0) {
            self.insert(key, entry);
        }
    }
}

fn empty<K: Key>(count: usize) -> Vec<Bucket<K>> {
    vec![Bucket::<K>::default(); count]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    impl Key for u32 {
        fn place(self) -> u64 {
            u64::from(self).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20
        }
    }

    fn entry(effort: u8) -> Entry {
        Entry { lower: -3, upper: 5, best: 1, effort }
    }

    #[test]
    fn remembers_across_growth() {
        let mut table = TranspositionTable::new(64 << 20);
        let mut expected = HashMap::new();
        for key in 0..100_000u32 {
            let entry = entry(1 + (key % 40) as u8);
            table.store(key, entry);
            expected.insert(key, entry);
        }
        let wrong = |key: &u32| table.probe(*key).is_some_and(|found| found != expected[key]);
        assert_eq!(expected.keys().filter(|key| wrong(key)).count(), 0);
        let kept = expected.keys().filter(|key| table.probe(**key).is_some()).count();
        assert!(kept > 95_000, "{kept}");
        assert!((100_000..200_000).all(|key| table.probe(key).is_none()));
        table.clear();
        assert_eq!(table.probe(7), None);
    }

    #[test]
    fn keeps_its_memory_limit_and_expensive_entries() {
        for limit in [0, 1 << 20, (1 << 20) + 12_345] {
            let mut table = TranspositionTable::new(limit);
            table.store(1 << 30, entry(200));
            for key in 0..300_000u32 {
                table.store(key, entry(2));
            }
            let smallest = MIN_BUCKETS * size_of::<Bucket<u32>>();
            let size = table.buckets.capacity() * size_of::<Bucket<u32>>();
            assert!(size <= limit.max(smallest), "{size} of {limit}");
            assert_eq!(table.probe(1 << 30), Some(entry(200)));
            assert_eq!(table.probe(299_999), Some(entry(2)), "new ones find a place");
        }
    }
}
