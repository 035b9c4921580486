//! Blocks that were decoded a short while ago.

use std::sync::{Mutex, PoisonError};

/// Parts with a lock each, so that threads seldom wait for each other.
const SHARDS: usize = 16;
/// Blocks that a part remembers.
const WAYS: usize = 16;
/// In place of a block's number: nothing.
const NONE: u32 = u32::MAX;

/// Remembers up to 256 decoded blocks, in each part those used last. Memory is taken as they come.
pub(super) struct Cache {
    shards: [Mutex<Shard>; SHARDS],
}

struct Shard {
    blocks: [u32; WAYS],
    used: [u64; WAYS],
    values: [Vec<u8>; WAYS],
    clock: u64,
}

impl Cache {
    pub(super) fn new() -> Cache {
        Cache { shards: std::array::from_fn(|_| Mutex::new(Shard::new())) }
    }

    /// The value at `within` of a block, which `load` decodes if it is not at hand. Threads that
    /// want the same block at the same time decode it once. `None` if the block is shorter.
    pub(super) fn get<E>(
        &self,
        block: u32,
        within: usize,
        load: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
    ) -> Result<Option<u8>, E> {
        let shard = &self.shards[block as usize % SHARDS];
        // What a panic can leave behind is a way that is marked empty.
        let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
        let way = match shard.find(block) {
            Some(way) => way,
            None => shard.fill(block, load)?,
        };
        shard.clock += 1;
        shard.used[way] = shard.clock;
        Ok(shard.values[way].get(within).copied())
    }
}

impl Shard {
    fn new() -> Shard {
        let values = std::array::from_fn(|_| Vec::new());
        Shard { blocks: [NONE; WAYS], used: [0; WAYS], values, clock: 0 }
    }

    fn find(&self, block: u32) -> Option<usize> {
        self.blocks.iter().position(|&at_hand| at_hand == block)
    }

    /// Puts a block in place of the one that was used longest ago.
    fn fill<E>(
        &mut self,
        block: u32,
        load: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
    ) -> Result<usize, E> {
        let way = (0..WAYS).min_by_key(|&way| self.used[way]).unwrap_or(0);
        (self.blocks[way], self.used[way]) = (NONE, 0);
        load(&mut self.values[way])?;
        self.blocks[way] = block;
        Ok(way)
    }
}
