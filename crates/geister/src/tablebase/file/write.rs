//! Writing a table, as a whole or not at all.

use super::layout::{self, BLOCK, Block};
use super::{FileError, Header, MAX_MOVES_TO_WIN};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use zstd::bulk::Compressor;

/// The level of compression, see the measurements of [`super`].
const LEVEL: i32 = 7;

/// Blocks that a thread compresses before they are written: 512 KiB of entries.
const BATCH: usize = 64;

/// How the names of unfinished files end.
const UNFINISHED: &str = ".part";

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// The length of the file.
    pub bytes: u64,
}

/// Writes the table of `class`, on all cores, with `weighted_counts[v]` positions of the value `v`
/// when mirror images are counted.
///
/// The file is written under another name in the same folder, brought to the disk, and renamed:
/// whatever happens, `path` has its old content or all of the new. A table that is open stays what
/// it was. (On Windows a table that is open cannot be replaced, and the error comes from there.) What a killed
/// process leaves behind is in nobody's way, and [`remove_leftovers`] removes it.
///
/// # Errors
/// If the class or a value cannot be stored, or the system does not let the file be written.
pub fn write(
    path: &Path,
    class: &str,
    values: &[u8],
    weighted_counts: &[u64],
) -> Result<Written, FileError> {
    write_unless(&AtomicBool::new(false), path, class, values, weighted_counts)
}

/// [`write()`], unless `stop` is raised before the file is whole.
///
/// # Errors
/// As those of [`write()`], or if `stop` was raised.
pub fn write_unless(
    stop: &AtomicBool,
    path: &Path,
    class: &str,
    values: &[u8],
    weighted_counts: &[u64],
) -> Result<Written, FileError> {
    let header = header_of(path, class, values, weighted_counts)?;
    let fail = |source: io::Error| match source.kind() {
        io::ErrorKind::Interrupted => FileError::Interrupted { path: path.to_owned() },
        _ => FileError::Write { path: path.to_owned(), source },
    };
    let bytes = write_whole(path, &header, values, stop).map_err(fail)?;
    Ok(Written { bytes })
}

/// Says that it was interrupted if `stop` was raised.
fn check(stop: &AtomicBool) -> io::Result<()> {
    if stop.load(Relaxed) { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
}

/// Removes what killed writers left behind in `folder`, and says how many files that were. Not to be
/// called while another process writes tables there: it would take its files for leftovers, and that
/// process would fail (though nothing would be broken).
///
/// # Errors
/// If the system does not let the folder be read or a file be removed.
pub fn remove_leftovers(folder: &Path) -> io::Result<u64> {
    let mut removed = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_str().is_some_and(is_unfinished) && entry.file_type()?.is_file() {
            fs::remove_file(entry.path())?;
            removed += 1;
        }
    }
    Ok(removed)
}

/// Whether a file's name is one that [`Unfinished::create`] makes: `NAME.PROCESS-NUMBER.part`.
fn is_unfinished(name: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    name.strip_suffix(UNFINISHED)
        .and_then(|name| name.rsplit_once('.'))
        .and_then(|(_, tag)| tag.split_once('-'))
        .is_some_and(|(process, number)| is_number(process) && is_number(number))
}

fn header_of(
    path: &Path,
    class: &str,
    values: &[u8],
    weighted_counts: &[u64],
) -> Result<Header, FileError> {
    let (path, class) = (path.to_owned(), class.to_owned());
    if !layout::is_class(&class) {
        return Err(FileError::Class { path, class });
    }
    let counts = count(values);
    let length = used(&counts).max(used(weighted_counts));
    if length > usize::from(MAX_MOVES_TO_WIN) + 1 {
        return Err(FileError::Value { path, value: length - 1 });
    }
    let entries = values.len() as u64;
    let resized =
        |counts: &[u64]| (0..length).map(|v| counts.get(v).copied().unwrap_or(0)).collect();
    Ok(Header {
        class,
        entries,
        counts: resized(&counts),
        weighted_counts: resized(weighted_counts),
    })
}

fn count(values: &[u8]) -> [u64; 256] {
    let mut counts = [0; 256];
    values.iter().for_each(|&value| counts[usize::from(value)] += 1);
    counts
}

/// How many counts there are without the zeros at the end.
fn used(counts: &[u64]) -> usize {
    counts.iter().rposition(|&count| count != 0).map_or(0, |last| last + 1)
}

fn write_whole(path: &Path, header: &Header, values: &[u8], stop: &AtomicBool) -> io::Result<u64> {
    let blocks = layout::block_count(header.entries, BLOCK);
    if u32::try_from(blocks).is_err() {
        return Err(io::Error::other("the table is too large"));
    }
    let mut unfinished = Unfinished::create(path)?;
    let bytes = write_content(&mut unfinished.file, header, values, blocks, stop)?;
    unfinished.file.sync_all()?;
    check(stop)?;
    unfinished.rename(path)?;
    sync_folder(path)?;
    Ok(bytes)
}

/// Writes the blocks, then the head in the room left before them; the length of the file.
fn write_content(
    file: &mut File,
    header: &Header,
    values: &[u8],
    blocks: u64,
    stop: &AtomicBool,
) -> io::Result<u64> {
    let mut bytes = layout::bytes_before_blocks(header, blocks);
    let mut written = Vec::with_capacity(blocks as usize);
    file.seek(SeekFrom::Start(bytes))?;
    let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    for round in values.chunks(threads * BATCH * BLOCK as usize) {
        check(stop)?;
        for batch in compress_round(round)? {
            file.write_all(&batch.bytes)?;
            bytes += batch.bytes.len() as u64;
            written.extend(batch.blocks);
        }
    }
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&layout::encode(header, &written))?;
    Ok(bytes)
}

/// Compressed blocks, one behind the other.
#[derive(Default)]
struct Batch {
    bytes: Vec<u8>,
    blocks: Vec<Block>,
}

/// Compresses batches at the same time, one on each thread.
fn compress_round(round: &[u8]) -> io::Result<Vec<Batch>> {
    let mut batches = round.chunks(BATCH * BLOCK as usize);
    let first = batches.next().unwrap_or_default();
    thread::scope(|scope| {
        let others: Vec<_> = batches.map(|batch| scope.spawn(|| compress(batch))).collect();
        let mut done = vec![compress(first)?];
        for other in others {
            done.push(other.join().map_err(|_| io::Error::other("a compressor panicked"))??);
        }
        Ok(done)
    })
}

fn compress(values: &[u8]) -> io::Result<Batch> {
    let mut compressor = Compressor::new(LEVEL)?;
    let mut batch = Batch::default();
    for block in values.chunks(BLOCK as usize) {
        let compressed = compressor.compress(block)?;
        let checksum = crc32fast::hash(&compressed);
        // A block of 8,192 bytes grows by a few bytes at the most.
        batch.blocks.push(Block { bytes: compressed.len() as u32, checksum });
        batch.bytes.extend(compressed);
    }
    Ok(batch)
}

/// A file on its way to become a table. Dropped before it is renamed, it is removed.
struct Unfinished {
    path: PathBuf,
    file: File,
    renamed: bool,
}

impl Unfinished {
    /// A new file beside `target`, under a name that no other writer uses.
    fn create(target: &Path) -> io::Result<Unfinished> {
        loop {
            let path = unfinished_path(target)?;
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok(Unfinished { path, file, renamed: false }),
                // A leftover of a killed process that had our number.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn rename(&mut self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)?;
        self.renamed = true;
        Ok(())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.renamed {
            let _ = fs::remove_file(&self.path); // already failing; a leftover does no harm
        }
    }
}

fn unfinished_path(target: &Path) -> io::Result<PathBuf> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let name = target.file_name();
    let name = name.ok_or_else(|| io::Error::other("the path does not end with a file's name"))?;
    let (process, number) = (std::process::id(), NUMBER.fetch_add(1, Relaxed));
    let mut unfinished = OsString::from(name);
    unfinished.push(format!(".{process}-{number}{UNFINISHED}"));
    Ok(target.with_file_name(unfinished))
}

/// Brings the new name to the disk. Only Unix opens folders.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
