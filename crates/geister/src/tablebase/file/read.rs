//! Reading a table.

use super::cache::Cache;
use super::layout::{self, Block, Head};
use super::{FileError, Header, Reason};
use memmap2::Mmap;
use rayon::prelude::*;
use std::fs::{self, File};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::{fmt, io};
use zstd::bulk::Decompressor;

/// An open table. Any number of threads may read it at the same time.
pub struct TableFile {
    path: PathBuf,
    map: Mmap,
    head: Head,
    cache: Cache,
}

impl TableFile {
    /// Opens the table of `class`, which has this many `entries`. Reads the head only, and checks all
    /// of it.
    ///
    /// # Errors
    /// If the file is missing, unreadable, cut off, altered in its head, or another file than the
    /// table of this class.
    pub fn open(path: &Path, class: &str, entries: u64) -> Result<TableFile, FileError> {
        let refuse = |reason| refused(path, class, reason);
        let (map, head) = match load(path) {
            Ok(loaded) => loaded.map_err(refuse)?,
            Err(error) => return Err(read_error(path, class, error)),
        };
        check_asked(&head.header, class, entries).map_err(refuse)?;
        Ok(TableFile { path: path.to_owned(), map, head, cache: Cache::new() })
    }

    /// What the head of the file says.
    pub fn header(&self) -> &Header {
        &self.head.header
    }

    /// The length of the file in bytes.
    pub fn bytes(&self) -> u64 {
        self.map.len() as u64
    }

    /// The value of an index. Decodes the block that holds it, unless it is one of the last few
    /// hundred used.
    ///
    /// # Errors
    /// If there is no such index, or the block that holds it was altered.
    pub fn get(&self, index: u64) -> Result<u8, FileError> {
        let entries = self.head.header.entries;
        if index >= entries {
            return Err(FileError::NoEntry { path: self.path.clone(), index, entries });
        }
        let block_entries = u64::from(self.head.block_entries);
        // There are less than 2^32 blocks of less than 2^32 entries.
        let (block, within) = ((index / block_entries) as u32, (index % block_entries) as usize);
        let value = self.cache.get(block, within, |values| {
            fetch(&self.map, self.head.range(block as usize));
            self.decode(block as usize, values)
        })?;
        value.ok_or_else(|| self.bad_block(block as usize))
    }

    /// All values in the order of their indices.
    ///
    /// # Errors
    /// If there is not enough memory, or a block was altered.
    pub fn read_all(&self) -> Result<Vec<u8>, FileError> {
        self.read_all_unless(&AtomicBool::new(false))
    }

    /// [`TableFile::read_all`], unless `stop` is raised.
    ///
    /// # Errors
    /// If there is not enough memory, a block was altered, or `stop` was raised.
    pub fn read_all_unless(&self, stop: &AtomicBool) -> Result<Vec<u8>, FileError> {
        let mut values = Vec::new();
        usize::try_from(self.head.header.entries)
            .ok()
            .and_then(|entries| values.try_reserve_exact(entries).ok())
            .ok_or_else(|| self.refused(Reason::Memory))?;
        self.for_each_block(|block| {
            values.extend_from_slice(block);
            match stop.load(Relaxed) {
                true => Err(FileError::Interrupted { path: self.path.clone() }),
                false => Ok(()),
            }
        })?;
        Ok(values)
    }

    /// The first index with this value, if there is one.
    ///
    /// # Errors
    /// If a block before it was altered.
    pub fn find(&self, value: u8) -> Result<Option<u64>, FileError> {
        let mut values = Vec::new();
        let mut before = 0;
        for block in 0..self.head.blocks.len() {
            self.decode(block, &mut values)?;
            if let Some(within) = values.iter().position(|&other| other == value) {
                return Ok(Some(before + within as u64));
            }
            before += values.len() as u64;
        }
        Ok(None)
    }

    /// How many entries a block has; the last may have fewer.
    pub fn block_entries(&self) -> u64 {
        self.head.block_entries.into()
    }

    /// Decodes a block in place of what `values` hold. Blocks are numbered from 0; the entries of
    /// block `n` begin with `n` times [`TableFile::block_entries`].
    ///
    /// # Errors
    /// If there is no such block, or it was altered.
    pub fn read_block(&self, block: usize, values: &mut Vec<u8>) -> Result<(), FileError> {
        if block < self.head.blocks.len() {
            return self.decode(block, values);
        }
        let index = (block as u64).saturating_mul(self.block_entries());
        let entries = self.head.header.entries;
        Err(FileError::NoEntry { path: self.path.clone(), index, entries })
    }

    /// What `summary` makes of each block, in order; on all cores.
    ///
    /// # Errors
    /// If a block was altered.
    pub fn summaries<T: Send>(
        &self,
        summary: impl Fn(&[u8]) -> T + Sync,
    ) -> Result<Vec<T>, FileError> {
        expect_reads(&self.map, Reads::InOrder);
        let blocks =
            (0..self.head.blocks.len()).into_par_iter().map_init(Vec::new, |values, block| {
                self.decode(block, values)?;
                Ok(summary(values))
            });
        let result = blocks.collect();
        expect_reads(&self.map, Reads::AnyOrder);
        result
    }

    /// Checks everything: each block against its checksum, the values against the counts.
    ///
    /// # Errors
    /// If a block was altered, or the counts are not those of the values.
    pub fn verify(&self) -> Result<(), FileError> {
        let mut counts = vec![0; self.head.header.counts.len()];
        self.for_each_block(|block| {
            block.iter().for_each(|&value| counts[value as usize] += 1);
            Ok(())
        })?;
        if counts == self.head.header.counts {
            return Ok(());
        }
        Err(self.refused(Reason::Counts))
    }

    fn for_each_block(
        &self,
        mut visit: impl FnMut(&[u8]) -> Result<(), FileError>,
    ) -> Result<(), FileError> {
        let mut values = Vec::new();
        expect_reads(&self.map, Reads::InOrder);
        let result = (0..self.head.blocks.len()).try_for_each(|block| {
            self.decode(block, &mut values)?;
            visit(&values)
        });
        expect_reads(&self.map, Reads::AnyOrder);
        result
    }

    /// Decodes a block in place of what `values` hold, and checks it: its checksum, how many values
    /// it has, and that each is one that the head counts.
    fn decode(&self, block: usize, values: &mut Vec<u8>) -> Result<(), FileError> {
        let Block { checksum, .. } = self.head.blocks[block];
        let entries = self.head.entries_of(block);
        let bytes = &self.map[self.head.range(block)];
        if crc32fast::hash(bytes) != checksum {
            return Err(self.bad_block(block));
        }
        values.clear();
        values.reserve_exact(entries);
        decompress(bytes, values).map_err(|_| self.bad_block(block))?;
        let known = self.head.header.counts.len();
        let greatest = values.iter().copied().fold(0, u8::max); // in vectors, as max() is not
        if values.len() != entries || usize::from(greatest) >= known {
            return Err(self.bad_block(block));
        }
        Ok(())
    }

    fn bad_block(&self, block: usize) -> FileError {
        self.refused(Reason::Block(block as u64))
    }

    fn refused(&self, reason: Reason) -> FileError {
        refused(&self.path, &self.head.header.class, reason)
    }
}

impl fmt::Debug for TableFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, class) = (&self.path, &self.head.header.class);
        f.debug_struct("TableFile")
            .field("path", path)
            .field("class", class)
            .finish_non_exhaustive()
    }
}

fn refused(path: &Path, class: &str, reason: Reason) -> FileError {
    FileError::Refused { path: path.to_owned(), class: class.to_owned(), reason }
}

fn read_error(path: &Path, class: &str, source: io::Error) -> FileError {
    let path = path.to_owned();
    match source.kind() {
        io::ErrorKind::NotFound => FileError::Missing { path, class: class.to_owned() },
        _ => FileError::Read { path, source },
    }
}

/// The file and its head, or why it is refused.
fn load(path: &Path) -> io::Result<Result<(Mmap, Head), Reason>> {
    if !fs::metadata(path)?.is_file() {
        return Ok(Err(Reason::NotAFile)); // before opening it: a pipe would wait for a writer
    }
    let file = File::open(path)?;
    if file.metadata()?.len() == 0 {
        return Ok(Err(layout::nothing())); // not every system maps an empty file
    }
    let map = map_file(&file)?;
    expect_reads(&map, Reads::AnyOrder);
    Ok(layout::decode(&map).map(|head| (map, head)))
}

/// Maps a file into memory, to be read.
#[allow(unsafe_code)]
fn map_file(file: &File) -> io::Result<Mmap> {
    // SAFETY: the bytes of a map must not change or vanish while it is borrowed. No part of this
    // program changes a table in place: `write` fills another file and renames it, after which a map
    // of the old one keeps the old bytes. If another program writes into the file, the reader may
    // see either bytes; they are only ever copied, summed and decoded by code that takes any bytes,
    // and then most likely fail their checksum. If another program cuts the file off, touching a
    // page behind its new end kills this process with SIGBUS (an exception on Windows, where a
    // mapped file cannot be cut off to begin with): a crash, but no wrong value and no broken file.
    unsafe { Mmap::map(file) }
}

/// The order in which the bytes of a map will be wanted.
#[derive(Clone, Copy)]
enum Reads {
    InOrder,
    AnyOrder,
}

/// Tells the system what to expect. On the machine where it was measured, a probe whose pages are
/// not in memory takes 0.1 ms when the system fetches those pages alone, and 1 to 7 ms when it
/// fetches their neighbours too, as it does unless told. It is a hint, so failure does not matter.
#[cfg(unix)]
fn expect_reads(map: &Mmap, reads: Reads) {
    let _ = map.advise(match reads {
        Reads::InOrder => memmap2::Advice::Sequential,
        Reads::AnyOrder => memmap2::Advice::Random,
    });
}

#[cfg(not(unix))]
fn expect_reads(_: &Mmap, _: Reads) {}

/// Asks for all pages of a block at once. Unasked, each page comes when it is touched, so that a block
/// on two pages waits for the disk twice. A hint too.
#[cfg(unix)]
fn fetch(map: &Mmap, block: Range<usize>) {
    const PAGE: usize = 4096; // or more, and then a call too many does no harm
    if block.start / PAGE != block.end.saturating_sub(1) / PAGE {
        let _ = map.advise_range(memmap2::Advice::WillNeed, block.start, block.len());
    }
}

#[cfg(not(unix))]
fn fetch(_: &Mmap, _: Range<usize>) {}

fn check_asked(header: &Header, class: &str, entries: u64) -> Result<(), Reason> {
    if header.class != class {
        return Err(Reason::Class(header.class.clone()));
    }
    if header.entries != entries {
        return Err(Reason::Entries { found: header.entries, wanted: entries });
    }
    Ok(())
}

/// Decoders that are not at work. Each takes about 100 KB, so they are shared by all tables; there
/// are never more than threads that decoded at the same time.
static IDLE: Mutex<Vec<Decompressor<'static>>> = Mutex::new(Vec::new());

/// Decodes into the capacity of `values`.
fn decompress(bytes: &[u8], values: &mut Vec<u8>) -> io::Result<()> {
    let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let mut decompressor = idle.map_or_else(Decompressor::new, Ok)?;
    let result = decompressor.decompress_to_buffer(bytes, values);
    IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(decompressor);
    result.map(|_| ())
}
