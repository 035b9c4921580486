//! Bounds on scores, in bounded memory.
//!
//! Positions are compared whole, not by a hash of them, so that no accident makes an answer wrong.

/// A position as a table knows it: equal only to itself.
pub(crate) trait Key: Copy + Eq + Default {
    /// A number whose low bits choose the place of this position.
    fn place(self) -> u64;
}

/// What is known of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Entry {
    /// The score is no less.
    pub(crate) lower: i8,
    /// The score is no more.
    pub(crate) upper: i8,
    /// The move that was best when it was last searched.
    pub(crate) best: u8,
    /// How much there is to search below it, over 0; what has more stays longer.
    pub(crate) effort: u8,
}

const WAYS: usize = 4;
/// The least number of buckets: clearing so many costs next to nothing.
const SMALLEST: usize = 1 << 10;

type Bucket<K> = [(K, Entry); WAYS];

/// The table. It starts small, so that clearing it costs little, and doubles as it fills.
pub(crate) struct Table<K> {
    buckets: Vec<Bucket<K>>,
    most_buckets: usize,
    filled: usize,
}

impl<K: Key> Table<K> {
    /// A table that never takes more than `memory` bytes, not even while it grows, when the old and
    /// the new one stand side by side; but no less than the smallest table takes.
    pub(crate) fn new(memory: usize) -> Table<K> {
        let mut most_buckets = SMALLEST;
        while (2 * most_buckets + most_buckets) * size_of::<Bucket<K>>() <= memory {
            most_buckets *= 2;
        }
        Table { buckets: empty(SMALLEST), most_buckets, filled: 0 }
    }

    /// Forgets everything, and gives back the memory of a table that has grown.
    pub(crate) fn clear(&mut self) {
        self.buckets.truncate(SMALLEST);
        self.buckets.shrink_to_fit();
        self.buckets.fill(Bucket::<K>::default());
        self.filled = 0;
    }

    #[inline]
    fn index(&self, key: K) -> usize {
        // The length is a power of two.
        key.place() as usize & (self.buckets.len() - 1)
    }

    /// What is known of this position.
    #[inline]
    pub(crate) fn get(&self, key: K) -> Option<Entry> {
        let bucket = &self.buckets[self.index(key)];
        bucket.iter().find(|(known, entry)| *known == key && entry.effort > 0).map(|&(_, e)| e)
    }

    /// Remembers `entry`, in place of what was known of this position or of the least effort.
    #[inline]
    pub(crate) fn put(&mut self, key: K, entry: Entry) {
        self.store(key, entry);
        let crowded = 2 * self.filled > WAYS * self.buckets.len();
        if crowded && self.buckets.len() < self.most_buckets {
            self.grow();
        }
    }

    #[inline]
    fn store(&mut self, key: K, entry: Entry) {
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

    /// Doubles the table and keeps what it knows.
    #[cold]
    fn grow(&mut self) {
        let twice = empty(2 * self.buckets.len());
        let old = std::mem::replace(&mut self.buckets, twice);
        self.filled = 0;
        for (key, entry) in old.into_iter().flatten().filter(|(_, entry)| entry.effort > 0) {
            self.store(key, entry);
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
        let mut table = Table::new(64 << 20);
        let mut expected = HashMap::new();
        for key in 0..100_000u32 {
            let entry = entry(1 + (key % 40) as u8);
            table.put(key, entry);
            expected.insert(key, entry);
        }
        let wrong = |key: &u32| table.get(*key).is_some_and(|found| found != expected[key]);
        assert_eq!(expected.keys().filter(|key| wrong(key)).count(), 0);
        let kept = expected.keys().filter(|key| table.get(**key).is_some()).count();
        assert!(kept > 95_000, "{kept}");
        assert!((100_000..200_000).all(|key| table.get(key).is_none()));
        table.clear();
        assert_eq!(table.get(7), None);
    }

    #[test]
    fn keeps_its_memory_limit_and_what_took_long() {
        for limit in [0, 1 << 20, (1 << 20) + 12_345] {
            let mut table = Table::new(limit);
            table.put(1 << 30, entry(200));
            for key in 0..300_000u32 {
                table.put(key, entry(2));
            }
            let smallest = SMALLEST * size_of::<Bucket<u32>>();
            let size = table.buckets.capacity() * size_of::<Bucket<u32>>();
            assert!(size <= limit.max(smallest), "{size} of {limit}");
            assert_eq!(table.get(1 << 30), Some(entry(200)));
            assert_eq!(table.get(299_999), Some(entry(2)), "new ones find a place");
        }
    }
}
