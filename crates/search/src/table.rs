//! A transposition table of fixed size.

use common::rng::hash64;
use std::marker::PhantomData;

/// A small value that fits in one word.
pub(crate) trait Entry: Copy {
    /// The value as a word.
    fn pack(self) -> u64;
    /// The value that packs to `word`.
    fn unpack(word: u64) -> Self;
}

/// The full key, the worth (0 marks an empty slot) and the packed entry. Plain words, so that an
/// empty table is zeroed memory, which costs nothing until it is touched.
type Slot = [u64; 3];

/// The slots where a key can be.
type Bucket = [Slot; 4];

/// A map from keys to entries that forgets rather than grow.
///
/// Replacement: a new entry always gets in. In a full bucket it takes the place of the entry of
/// least worth, and the others lose half their worth, so that entries of old searches give way.
/// Worth is whatever the caller counts, such as the nodes it took to find the entry.
#[derive(Debug)]
pub(crate) struct Table<E> {
    buckets: Vec<Bucket>,
    entries: PhantomData<E>,
}

impl<E: Entry> Table<E> {
    /// A table of at most `memory` bytes. Too few for one bucket make a table that keeps nothing.
    pub(crate) fn new(memory: usize) -> Self {
        let buckets = memory.min(isize::MAX as usize) / size_of::<Bucket>();
        Self { buckets: vec![Bucket::default(); buckets], entries: PhantomData }
    }

    /// The bytes of its slots.
    pub(crate) fn memory(&self) -> usize {
        self.buckets.capacity() * size_of::<Bucket>()
    }

    /// The entry stored under `key`, if it is still there.
    pub(crate) fn get(&self, key: u64) -> Option<E> {
        let bucket = self.buckets.get(self.index(key))?;
        let &[_, _, word] = bucket.iter().find(|slot| holds(slot, key))?;
        Some(E::unpack(word))
    }

    /// Stores `entry` under `key`. An older entry under the same key is overwritten, and the
    /// greater worth of the two is kept.
    pub(crate) fn put(&mut self, key: u64, worth: u64, entry: E) {
        let index = self.index(key);
        if let Some(bucket) = self.buckets.get_mut(index) {
            let slot = place(bucket, key);
            *slot = [key, worth.max(slot[1]).max(1), entry.pack()];
        }
    }

    /// The bucket of `key`; out of range if there are no buckets.
    fn index(&self, key: u64) -> usize {
        ((u128::from(hash64(key)) * self.buckets.len() as u128) >> 64) as usize
    }
}

fn holds(slot: &Slot, key: u64) -> bool {
    slot[0] == key && slot[1] > 0
}

/// The slot that holds `key`, or else one made empty for it.
fn place(bucket: &mut Bucket, key: u64) -> &mut Slot {
    if let Some(at) = bucket.iter().position(|slot| holds(slot, key)) {
        return &mut bucket[at];
    }
    bucket.sort_unstable_by_key(|slot| slot[1]);
    if bucket[0][1] > 0 {
        bucket.iter_mut().for_each(|slot| slot[1] = slot[1].div_ceil(2));
    }
    bucket[0] = Slot::default();
    &mut bucket[0]
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
    fn never_takes_more_memory_than_given() {
        for memory in (0..2000).chain([1 << 20, (1 << 20) + 1]) {
            assert!(Table::<u64>::new(memory).memory() <= memory);
        }
    }

    #[test]
    fn without_room_keeps_nothing() {
        let mut table = Table::<u64>::new(size_of::<Bucket>() - 1);
        table.put(1, 1, 7);
        assert_eq!(table.get(1), None);
    }

    #[test]
    fn returns_only_what_was_stored_under_the_key() {
        let mut table = Table::<u64>::new(10_000);
        for key in 0..100_000 {
            table.put(key, key % 17, key + 5);
            assert_eq!(table.get(key), Some(key + 5));
        }
        let kept = (0..100_000).filter(|&key| table.get(key).is_some());
        assert!(kept.inspect(|&key| assert_eq!(table.get(key), Some(key + 5))).count() > 300);
    }

    #[test]
    fn key_zero_is_a_key_like_any_other() {
        let mut table = Table::<u64>::new(10_000);
        assert_eq!(table.get(0), None);
        table.put(0, 0, 3);
        assert_eq!(table.get(0), Some(3));
    }

    #[test]
    fn replaces_the_least_worth_and_ages_the_rest() {
        let mut table = Table::<u64>::new(size_of::<Bucket>());
        for (key, worth) in [(1, 50), (2, 10), (3, 40), (4, 30)] {
            table.put(key, worth, key);
        }
        table.put(5, 1, 5);
        assert_eq!((table.get(2), table.get(5)), (None, Some(5)));
        for key in 6..100 {
            table.put(key, 2, key);
        }
        assert_eq!(table.get(1), None, "worth of the past gives way");
    }
}
