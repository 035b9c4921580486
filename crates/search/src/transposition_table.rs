//! The transposition table: a hash table of fixed size, indexed by position keys.

use common::rng::hash64;
use std::marker::PhantomData;

/// A table entry that packs into one 64-bit word.
pub(crate) trait Entry: Copy {
    fn pack(self) -> u64;
    /// The inverse of [`Entry::pack`].
    fn unpack(word: u64) -> Self;
}

/// The full key, the effort (0 marks an empty slot) and the packed entry. Plain words, so that an
/// empty table is zeroed memory, which the system provides lazily.
type Slot = [u64; 3];

/// The slots in which a key can be stored.
type Bucket = [Slot; 4];

/// The transposition table: a map from keys to entries that forgets entries instead of growing.
///
/// Replacement scheme: a new entry is always stored. In a full bucket it replaces the entry with
/// the least effort, and the effort of the others is halved, so that entries of old searches age.
/// The effort is a count by the caller, such as the nodes searched below the position.
#[derive(Debug)]
pub(crate) struct TranspositionTable<E> {
    buckets: Vec<Bucket>,
    entries: PhantomData<E>,
}

impl<E: Entry> TranspositionTable<E> {
    /// A table of at most `memory` bytes. If one bucket does not fit, nothing is ever stored.
    pub(crate) fn new(memory: usize) -> Self {
        let buckets = memory.min(isize::MAX as usize) / size_of::<Bucket>();
        Self { buckets: vec![Bucket::default(); buckets], entries: PhantomData }
    }

    /// The size of the slots in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.buckets.capacity() * size_of::<Bucket>()
    }

    /// The entry stored under `key`, unless it was replaced.
    pub(crate) fn probe(&self, key: u64) -> Option<E> {
        let bucket = self.buckets.get(self.index(key))?;
        let &[_, _, word] = bucket.iter().find(|slot| holds(slot, key))?;
        Some(E::unpack(word))
    }

    /// Stores `entry` under `key`. It overwrites an older entry of the same key; the greater effort
    /// of the two is kept.
    pub(crate) fn store(&mut self, key: u64, effort: u64, entry: E) {
        let index = self.index(key);
        if let Some(bucket) = self.buckets.get_mut(index) {
            let slot = place(bucket, key);
            *slot = [key, effort.max(slot[1]).max(1), entry.pack()];
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

/// The slot that holds `key`, or a slot cleared for it.
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
            assert!(TranspositionTable::<u64>::new(memory).memory() <= memory);
        }
    }

    #[test]
    fn without_room_keeps_nothing() {
        let mut table = TranspositionTable::<u64>::new(size_of::<Bucket>() - 1);
        table.store(1, 1, 7);
        assert_eq!(table.probe(1), None);
    }

    #[test]
    fn returns_only_what_was_stored_under_the_key() {
        let mut table = TranspositionTable::<u64>::new(10_000);
        for key in 0..100_000 {
            table.store(key, key % 17, key + 5);
            assert_eq!(table.probe(key), Some(key + 5));
        }
        let kept = (0..100_000).filter(|&key| table.probe(key).is_some());
        assert!(kept.inspect(|&key| assert_eq!(table.probe(key), Some(key + 5))).count() > 300);
    }

    #[test]
    fn key_zero_is_a_key_like_any_other() {
        let mut table = TranspositionTable::<u64>::new(10_000);
        assert_eq!(table.probe(0), None);
        table.store(0, 0, 3);
        assert_eq!(table.probe(0), Some(3));
    }

    #[test]
    fn replaces_the_least_worth_and_ages_the_rest() {
        let mut table = TranspositionTable::<u64>::new(size_of::<Bucket>());
        for (key, effort) in [(1, 50), (2, 10), (3, 40), (4, 30)] {
            table.store(key, effort, key);
        }
        table.store(5, 1, 5);
        assert_eq!((table.probe(2), table.probe(5)), (None, Some(5)));
        for key in 6..100 {
            table.store(key, 2, key);
        }
        assert_eq!(table.probe(1), None, "effort of the past gives way");
    }
}
