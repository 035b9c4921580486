//! The transposition table of the solver: what has been proved so far, in bounded memory.
//!
//! It is not the table of the crate `search`, which would need a lock here: with that one behind a
//! lock, a single thread executes 13 % more instructions a node (37 puzzles of up to 17 plies,
//! 310,000 nodes, the clearing of the table left out) and an entry takes 24 bytes instead of 8.
//!
//! An entry is one word, read and written whole, so that threads share the table without locks:
//!
//! ```text
//!   63                                  12 11      6 5      0
//!   +-------------------------------------+---------+--------+
//!   | the key without its lowest 12 bits  | 63 - hi |   lo   |    all zero: nothing is proved
//!   +-------------------------------------+---------+--------+
//! ```
//!
//! `lo`: no win within this many own moves; `hi`: a win within this many. The lowest bits of the key
//! choose the bucket, and there are always 2^12 buckets or more, so that all 64 bits of the key are
//! compared. Two positions share a key by accident only: `p` probes of a table with `n` entries meet
//! a wrong one with probability `p * n / 2^64`. That is about 3 in 10 million for a search of a
//! million nodes (10^7 probes, 2^19 entries), and 1 in 1,000 for a thousand million probes of a full
//! table of 2^24. Four entries make a bucket, half a cache line.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// More own moves than any search counts: a bound that holds for ever.
pub(super) const FOREVER: u8 = 63;

const KEY_BITS_IN_PLACE: u32 = 12;
const DATA: u64 = (1 << KEY_BITS_IN_PLACE) - 1;
const WAYS: usize = 4;
const MIN_BUCKETS: usize = 1 << KEY_BITS_IN_PLACE;

/// Bounds on the own moves to a win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    /// No win within this many.
    pub(super) lo: u8,
    /// A win within this many.
    pub(super) hi: u8,
}

impl Bounds {
    pub(super) const NOTHING: Bounds = Bounds { lo: 0, hi: FOREVER };

    #[inline(always)]
    fn from_entry(entry: u64) -> Bounds {
        Bounds { lo: (entry & 63) as u8, hi: FOREVER - (entry >> 6 & 63) as u8 }
    }

    #[inline(always)]
    fn to_data(self) -> u64 {
        u64::from(FOREVER - self.hi) << 6 | u64::from(self.lo)
    }
}

/// The effort that is lost by forgetting an entry: what took a deep search stays.
#[inline(always)]
fn effort(entry: u64) -> u64 {
    (entry & 63).max(entry >> 6 & 63)
}

#[derive(Default)]
#[repr(align(32))]
struct Bucket([AtomicU64; WAYS]);

/// The transposition table. It starts small, so that clearing it costs nothing, and grows on demand.
pub(super) struct BoundsTable {
    buckets: Vec<Bucket>,
    max_buckets: usize,
    filled: AtomicUsize,
    crowded: AtomicBool,
}

fn empty_buckets(count: usize) -> Vec<Bucket> {
    std::iter::repeat_with(Bucket::default).take(count).collect()
}

impl BoundsTable {
    /// The least memory a table takes.
    #[cfg(test)]
    pub(super) const MIN_MEMORY: usize = MIN_BUCKETS * size_of::<Bucket>();

    /// A table that never takes more than `memory` bytes, not even while it grows, when the old
    /// and the new one stand side by side; but no less than the smallest table takes.
    pub(super) fn new(memory: usize) -> BoundsTable {
        let mut max_buckets = MIN_BUCKETS;
        while (2 * max_buckets + max_buckets) * size_of::<Bucket>() <= memory {
            max_buckets *= 2;
        }
        BoundsTable {
            buckets: empty_buckets(MIN_BUCKETS),
            max_buckets,
            filled: AtomicUsize::new(0),
            crowded: AtomicBool::new(false),
        }
    }

    /// Forgets everything, and gives back the memory of a table that has grown.
    pub(super) fn clear(&mut self) {
        self.buckets.truncate(MIN_BUCKETS);
        self.buckets.shrink_to_fit();
        for bucket in &mut self.buckets {
            *bucket = Bucket::default();
        }
        *self.filled.get_mut() = 0;
        *self.crowded.get_mut() = false;
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &Bucket {
        // The length is a power of two.
        &self.buckets[key as usize & (self.buckets.len() - 1)]
    }

    /// What is known of the position with this key.
    #[inline(always)]
    pub(super) fn get(&self, key: u64) -> Bounds {
        for entry in &self.bucket(key).0 {
            let entry = entry.load(Relaxed);
            if (entry ^ key) >> KEY_BITS_IN_PLACE == 0 {
                return Bounds::from_entry(entry);
            }
        }
        Bounds::NOTHING
    }

    /// Remembers `bounds`, in place of what was known of this position or of the least effort.
    #[inline(always)]
    pub(super) fn put(&self, key: u64, bounds: Bounds) {
        let bucket = self.bucket(key);
        let (mut place, mut least) = (0, u64::MAX);
        for (index, entry) in bucket.0.iter().enumerate() {
            let entry = entry.load(Relaxed);
            if (entry ^ key) >> KEY_BITS_IN_PLACE == 0 {
                place = index;
                break;
            }
            if effort(entry) < least {
                (place, least) = (index, effort(entry));
            }
        }
        if least == 0 {
            self.note_filled();
        }
        bucket.0[place].store(key & !DATA | bounds.to_data(), Relaxed);
    }

    fn note_filled(&self) {
        let filled = self.filled.fetch_add(1, Relaxed) + 1;
        let crowded = 2 * filled > WAYS * self.buckets.len();
        if crowded && self.buckets.len() < self.max_buckets {
            self.crowded.store(true, Relaxed);
        }
    }

    /// Whether it is time to [`BoundsTable::grow`].
    #[inline(always)]
    pub(super) fn is_crowded(&self) -> bool {
        self.crowded.load(Relaxed)
    }

    /// Doubles the table and keeps what it knows.
    #[cold]
    pub(super) fn grow(&mut self) {
        *self.crowded.get_mut() = false;
        if self.buckets.len() >= self.max_buckets {
            return;
        }
        let twice = empty_buckets(2 * self.buckets.len());
        let old = std::mem::replace(&mut self.buckets, twice);
        *self.filled.get_mut() = 0;
        for (index, bucket) in old.into_iter().enumerate() {
            for entry in bucket.0.map(AtomicU64::into_inner) {
                if entry != 0 {
                    self.put(entry & !DATA | index as u64 & DATA, Bounds::from_entry(entry));
                }
            }
        }
    }

    /// Bytes in use.
    #[cfg(test)]
    pub(super) fn memory(&self) -> usize {
        self.buckets.capacity() * size_of::<Bucket>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Distinct keys, evenly spread.
    fn keys() -> impl Iterator<Item = u64> {
        (1u64..).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    #[test]
    fn remembers_across_growth() {
        let mut table = BoundsTable::new(64 << 20);
        let mut expected = HashMap::new();
        for (i, key) in keys().take(200_000).enumerate() {
            let bounds = Bounds { lo: (i % 40) as u8, hi: 41 + (i % 22) as u8 };
            table.put(key, bounds);
            expected.insert(key, bounds);
            if table.is_crowded() {
                table.grow();
            }
        }
        let kept = expected.iter().filter(|(key, bounds)| table.get(**key) == **bounds).count();
        let wrong = expected
            .iter()
            .filter(|(key, bounds)| {
                let found = table.get(**key);
                found != **bounds && found != Bounds::NOTHING
            })
            .count();
        assert_eq!(wrong, 0);
        // A bucket may overflow before the table is crowded on average.
        assert!(kept > 195_000, "{kept}");
        assert_eq!(
            keys().skip(200_000).take(100_000).filter(|&k| table.get(k) != Bounds::NOTHING).count(),
            0
        );
    }

    #[test]
    fn keeps_its_memory_limit() {
        for limit in [0, BoundsTable::MIN_MEMORY, 1 << 20, (1 << 20) + 12_345] {
            let mut table = BoundsTable::new(limit);
            for key in keys().take(300_000) {
                table.put(key, Bounds { lo: 3, hi: FOREVER });
                if table.is_crowded() {
                    let before = table.memory();
                    table.grow();
                    assert!(before + table.memory() <= limit);
                }
            }
            assert!(table.memory() <= limit.max(BoundsTable::MIN_MEMORY));
            table.clear();
            assert_eq!(table.memory(), BoundsTable::MIN_MEMORY);
            assert_eq!(table.get(keys().next().unwrap()), Bounds::NOTHING);
        }
    }

    #[test]
    fn entries_of_deep_searches_stay() {
        let table = BoundsTable::new(0);
        let same_bucket = |i: u64| i << 40 | 7;
        table.put(same_bucket(1), Bounds { lo: 30, hi: FOREVER });
        for i in 2..100 {
            table.put(same_bucket(i), Bounds { lo: 2, hi: FOREVER });
        }
        assert_eq!(table.get(same_bucket(1)).lo, 30);
    }
}
