//! The head of a file, to bytes and back.

use super::{CLASS_BYTES, MAX_MOVES_TO_WIN, Reason};
use std::ops::Range;

const MAGIC: [u8; 8] = *b"\x89SpukTB\n";
const VERSION: u32 = 1;

/// Bytes in front of the counts.
const FIXED: usize = 64;
/// Where the version ends: what lies behind it belongs to that version.
const VERSION_END: usize = 12;

/// Entries in a block that this module writes.
pub(super) const BLOCK: u32 = 1 << 13;
/// The largest blocks that it reads, so that hostile files cost little memory.
const LARGEST_BLOCK: u32 = 1 << 20;

/// What the head of a table says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The class, as it is written: `BRuu:1`.
    pub class: String,
    /// Indices in the table.
    pub entries: u64,
    /// How many of them have the value 0, 1, ... up to the greatest that occurs.
    pub counts: Vec<u64>,
    /// The same with mirror images counted; as many as `counts`. The writer of the table gave them,
    /// and nothing but the checksum vouches for them.
    pub weighted_counts: Vec<u64>,
}

/// A compressed block as the head describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) bytes: u32,
    pub(super) checksum: u32,
}

/// The whole head.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) header: Header,
    /// Entries in a block, a power of two.
    pub(super) block_entries: u32,
    pub(super) blocks: Vec<Block>,
    /// Where each block begins in the file, and where the last one ends.
    starts: Vec<usize>,
}

/// How many blocks `entries` make.
pub(super) const fn block_count(entries: u64, block_entries: u32) -> u64 {
    entries.div_ceil(block_entries as u64)
}

/// Whether `class` can stand in a head.
pub(super) fn is_class(class: &str) -> bool {
    (1..=CLASS_BYTES).contains(&class.len()) && class.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Bytes of a head with this many counts and blocks.
const fn head_bytes(counts: u64, blocks: u64) -> u64 {
    FIXED as u64 + 16 * counts + 8 * blocks + 4
}

/// Bytes of the head in front of a table with this header.
pub(super) fn bytes_before_blocks(header: &Header, blocks: u64) -> u64 {
    head_bytes(header.counts.len() as u64, blocks)
}

/// The head of a file as bytes. `header` has a valid class and as many counts of both kinds.
pub(super) fn encode(header: &Header, blocks: &[Block]) -> Vec<u8> {
    let mut class = [0; CLASS_BYTES];
    class[..header.class.len()].copy_from_slice(header.class.as_bytes());
    let mut head = MAGIC.to_vec();
    head.extend(VERSION.to_le_bytes());
    head.extend(BLOCK.to_le_bytes());
    head.extend(header.entries.to_le_bytes());
    head.extend(class);
    head.extend((header.counts.len() as u32).to_le_bytes());
    head.extend((blocks.len() as u32).to_le_bytes());
    for count in header.counts.iter().chain(&header.weighted_counts) {
        head.extend(count.to_le_bytes());
    }
    for block in blocks {
        head.extend(block.bytes.to_le_bytes());
        head.extend(block.checksum.to_le_bytes());
    }
    head.extend(crc32fast::hash(&head).to_le_bytes());
    head
}

/// Reads and checks the head of the file that consists of `file`.
pub(super) fn decode(file: &[u8]) -> Result<Head, Reason> {
    check_kind(file)?;
    let mut fields = Fields(&file[VERSION_END..]);
    let block_entries = fields.u32()?;
    let entries = fields.u64()?;
    let class = class_from(fields.take(CLASS_BYTES)?).ok_or(Reason::Head)?;
    let (counts, blocks) = (fields.u32()?, fields.u32()?);
    check_sizes(entries, block_entries, counts, blocks)?;
    let body = check_checksum(file, head_bytes(counts.into(), blocks.into()))?;
    let header = Header {
        class,
        entries,
        counts: fields.u64s(counts)?,
        weighted_counts: fields.u64s(counts)?,
    };
    check_counts(&header)?;
    let blocks = fields.blocks(blocks)?;
    let starts = starts_of(&blocks, body, file.len())?;
    Ok(Head { header, block_entries, blocks, starts })
}

impl Head {
    /// Where a block lies in the file.
    pub(super) fn range(&self, block: usize) -> Range<usize> {
        self.starts[block]..self.starts[block + 1]
    }

    /// How many entries a block has.
    pub(super) fn entries_of(&self, block: usize) -> usize {
        let before = block as u64 * u64::from(self.block_entries);
        (self.header.entries - before).min(self.block_entries.into()) as usize
    }
}

/// Our magic, our version, and room for the fixed part.
fn check_kind(file: &[u8]) -> Result<(), Reason> {
    let beginning = file.len().min(MAGIC.len());
    if file[..beginning] != MAGIC[..beginning] {
        return Err(Reason::Foreign);
    }
    if let Some(version) = file.get(MAGIC.len()..VERSION_END) {
        let version = Fields(version).u32()?;
        if version != VERSION {
            return Err(Reason::Version(version));
        }
    }
    if file.len() < FIXED {
        return Err(truncated(file, head_bytes(0, 0)));
    }
    Ok(())
}

fn truncated(file: &[u8], wanted: u64) -> Reason {
    Reason::Truncated { bytes: file.len() as u64, wanted }
}

/// What is wrong with a file without a byte.
pub(super) fn nothing() -> Reason {
    truncated(&[], head_bytes(0, 0))
}

/// The name in a field that is filled up with zero bytes.
fn class_from(field: &[u8]) -> Option<String> {
    let end = field.iter().rposition(|&byte| byte != 0)? + 1;
    let class = std::str::from_utf8(&field[..end]).ok()?;
    is_class(class).then(|| class.to_owned())
}

/// The sizes in the fixed part agree with each other.
fn check_sizes(entries: u64, block_entries: u32, counts: u32, blocks: u32) -> Result<(), Reason> {
    let good = block_entries.is_power_of_two()
        && block_entries <= LARGEST_BLOCK
        && counts <= u32::from(MAX_MOVES_TO_WIN) + 1
        && block_count(entries, block_entries) == u64::from(blocks);
    if good { Ok(()) } else { Err(Reason::Head) }
}

/// Where the blocks begin, if the head is there as a whole and agrees with its checksum.
fn check_checksum(file: &[u8], head: u64) -> Result<usize, Reason> {
    let end = usize::try_from(head).ok().filter(|&end| end <= file.len());
    let end = end.ok_or_else(|| truncated(file, head))?;
    let (covered, checksum) = file[..end].split_at(end - 4);
    if crc32fast::hash(covered) != Fields(checksum).u32()? {
        return Err(Reason::Head);
    }
    Ok(end)
}

/// The counts add up to the number of entries.
fn check_counts(header: &Header) -> Result<(), Reason> {
    let sum = header.counts.iter().try_fold(0u64, |sum, &count| sum.checked_add(count));
    if sum == Some(header.entries) { Ok(()) } else { Err(Reason::Head) }
}

/// Where the blocks begin, from `body` to the very end of the file.
fn starts_of(blocks: &[Block], body: usize, file: usize) -> Result<Vec<usize>, Reason> {
    let mut starts = Vec::with_capacity(blocks.len() + 1);
    let mut end = body as u64;
    for block in blocks {
        starts.push(end as usize);
        end = end.saturating_add(block.bytes.into());
    }
    starts.push(end as usize);
    let (bytes, wanted) = (file as u64, end);
    match bytes.cmp(&wanted) {
        std::cmp::Ordering::Less => Err(Reason::Truncated { bytes, wanted }),
        std::cmp::Ordering::Equal => Ok(starts),
        std::cmp::Ordering::Greater => Err(Reason::Overlong { bytes, wanted }),
    }
}

/// Takes numbers from the front of bytes. Too few bytes are a fault of the head.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], Reason> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(Reason::Head)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Reason> {
        self.take(N)?.try_into().map_err(|_| Reason::Head)
    }

    fn u32(&mut self) -> Result<u32, Reason> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, Reason> {
        self.array().map(u64::from_le_bytes)
    }

    fn u64s(&mut self, count: u32) -> Result<Vec<u64>, Reason> {
        (0..count).map(|_| self.u64()).collect()
    }

    fn blocks(&mut self, count: u32) -> Result<Vec<Block>, Reason> {
        (0..count).map(|_| Ok(Block { bytes: self.u32()?, checksum: self.u32()? })).collect()
    }
}
