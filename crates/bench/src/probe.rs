//! How long a tablebase probe takes, and how much of it is the disk.

use crate::{Failure, VERSION};
use common::rng::derive_seed;
use games::geister::Position;
use geister::tablebase::{Class, Index, Store, Tablebase};
use serde::Serialize;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The number of entries in a block of a tablebase.
const BLOCK_ENTRIES: u64 = 8192;

/// The number of positions of warm probes, so few that their blocks stay decoded.
const WARM_POSITIONS: usize = 100;

/// The number of rounds over the positions of warm probes.
const WARM_ROUNDS: u32 = 1000;

/// The times of all probes.
#[derive(Serialize)]
pub struct Report {
    v: u32,
    tables: usize,
    bytes: u64,
    probes: usize,
    warm_ns: f64,
    decoded: Times,
    cold: Option<Times>,
    bare_read: Option<Times>,
}

/// Percentiles of times, in microseconds.
#[derive(Serialize)]
struct Times {
    median_us: f64,
    p90_us: f64,
    p99_us: f64,
}

impl Times {
    fn of(mut times: Vec<Duration>) -> Times {
        times.sort_unstable();
        let at = |share: f64| {
            let index = (share * times.len() as f64) as usize;
            let time = times.get(index.min(times.len().saturating_sub(1)));
            time.map_or(0.0, |time| time.as_secs_f64() * 1e6)
        };
        Times { median_us: at(0.5), p90_us: at(0.9), p99_us: at(0.99) }
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Times { median_us, p90_us, p99_us } = self;
        write!(f, "{median_us:.1} µs (nine of ten under {p90_us:.1}, 99 of 100 under {p99_us:.1})")
    }
}

/// An entry of a tablebase to probe.
struct Target {
    class: Class,
    /// The place among the class's entries: 0 is the first, 1 is after the last.
    share: f64,
    position: Position,
}

/// Probes the tablebases of `classes` up to `probes` times, each time in another block.
///
/// # Errors
/// If a tablebase is damaged, or `stop` was raised.
pub fn run(
    store: &Store,
    classes: &[Class],
    probes: u64,
    stop: &AtomicBool,
    on_progress: &dyn Fn(String),
) -> Result<Report, Failure> {
    on_progress("choosing positions".into());
    let targets = targets(classes, probes);
    on_progress("reading bare pages".into());
    let bare_read = drop_from_memory(store, classes)
        .then(|| {
            time_each(&targets, stop, |target| disk::read(&store.path(target.class), target.share))
        })
        .transpose()?;
    on_progress("probing from the disk".into());
    let is_cold = drop_from_memory(store, classes);
    let first = time_probes(&open(store)?, &targets, stop)?;
    on_progress("probing in memory".into());
    // Opened again, so that no block is decoded yet.
    let tables = open(store)?;
    Ok(Report {
        v: VERSION,
        tables: classes.len(),
        bytes: classes.iter().filter_map(|&class| Some(tables.get(class)?.file().bytes())).sum(),
        probes: targets.len(),
        decoded: time_probes(&tables, &targets, stop)?,
        warm_ns: warm_probe_ns(&tables, &targets)?,
        cold: is_cold.then_some(first),
        bare_read,
    })
}

fn open(store: &Store) -> Result<Tablebase, Failure> {
    store.open_all().map_err(|error| error.to_string())
}

/// Drops the files from the page cache; returns whether that worked. No tablebase may be open.
fn drop_from_memory(store: &Store, classes: &[Class]) -> bool {
    classes.iter().all(|&class| disk::drop_from_memory(&store.path(class)).is_ok())
}

/// Up to `probes` entries, evenly spread over the blocks of all tablebases, in random order.
fn targets(classes: &[Class], probes: u64) -> Vec<Target> {
    let indices: Vec<Index> = classes.iter().map(|&class| Index::new(class)).collect();
    let blocks = |index: &Index| index.size().div_ceil(BLOCK_ENTRIES);
    let all: u64 = indices.iter().map(blocks).sum();
    let probes = probes.min(all);
    let target = |probe: u64| {
        let mut block = u128::from(probe) * u128::from(all) / u128::from(probes);
        // Find the tablebase that has this block.
        let index = indices.iter().find(|index| {
            let is_here = block < u128::from(blocks(index));
            block -= if is_here { 0 } else { u128::from(blocks(index)) };
            is_here
        })?;
        let rank = (block as u64 * BLOCK_ENTRIES + derive_seed(0, probe) % BLOCK_ENTRIES)
            .min(index.size() - 1);
        let share = rank as f64 / index.size() as f64;
        Some(Target { class: index.class(), share, position: index.position(rank) })
    };
    let mut order: Vec<u64> = (0..probes).collect();
    order.sort_unstable_by_key(|&probe| derive_seed(0, probe));
    order.into_iter().filter_map(target).collect()
}

/// Times `act` for each target.
fn time_each(
    targets: &[Target],
    stop: &AtomicBool,
    act: impl Fn(&Target) -> Result<(), Failure>,
) -> Result<Times, Failure> {
    let time = |target| {
        if stop.load(Relaxed) {
            return Err("interrupted; the measurement is incomplete".into());
        }
        let start = Instant::now();
        act(target)?;
        Ok(start.elapsed())
    };
    targets.iter().map(time).collect::<Result<Vec<_>, Failure>>().map(Times::of)
}

fn probe(tables: &Tablebase, target: &Target) -> Result<(), Failure> {
    let answer = tables.probe(std::hint::black_box(&target.position));
    std::hint::black_box(answer).map(|_| ()).map_err(|error| error.to_string())
}

fn time_probes(
    tables: &Tablebase,
    targets: &[Target],
    stop: &AtomicBool,
) -> Result<Times, Failure> {
    time_each(targets, stop, |target| probe(tables, target))
}

/// The nanoseconds of a probe whose block is decoded.
fn warm_probe_ns(tables: &Tablebase, targets: &[Target]) -> Result<f64, Failure> {
    let targets = &targets[..targets.len().min(WARM_POSITIONS)];
    targets.iter().try_for_each(|target| probe(tables, target))?;
    let start = Instant::now();
    for _ in 0..WARM_ROUNDS {
        targets.iter().try_for_each(|target| probe(tables, target))?;
    }
    Ok(start.elapsed().as_secs_f64() * 1e9 / (f64::from(WARM_ROUNDS) * targets.len().max(1) as f64))
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { tables, bytes, probes, warm_ns, decoded, cold, bare_read, .. } = self;
        let or_reason = |times: &Option<Times>| match times {
            Some(times) => times.to_string(),
            None => "not measured: the files cannot be dropped from memory here".into(),
        };
        write!(
            f,
            "{tables} tables, {} bytes; {probes} probes, each in another block\n\
         warm       {warm_ns:.0} ns\n\
         decoded    {decoded}\n\
         cold       {}\n\
         bare read  {}\n",
            grouped(*bytes),
            or_reason(cold),
            or_reason(bare_read),
        )
    }
}

/// A number with commas as thousands separators.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}

/// Bare reads from the disk.
#[cfg(target_os = "linux")]
mod disk {
    use crate::Failure;
    use rustix::fs::{Advice, fadvise};
    use std::fs::File;
    use std::io;
    use std::os::unix::fs::FileExt;
    use std::path::Path;

    const PAGE_BYTES: u64 = 4096;

    /// Drops a file that is not mapped from the page cache.
    pub(super) fn drop_from_memory(path: &Path) -> io::Result<()> {
        Ok(fadvise(File::open(path)?, 0, None, Advice::DontNeed)?)
    }

    /// Reads only the page at this share of the file.
    pub(super) fn read(path: &Path, share: f64) -> Result<(), Failure> {
        let read = || {
            let file = File::open(path)?;
            fadvise(&file, 0, None, Advice::Random)?;
            let offset = (file.metadata()?.len() as f64 * share) as u64 / PAGE_BYTES * PAGE_BYTES;
            file.read_at(&mut [0; PAGE_BYTES as usize], offset)
        };
        read().map(|_| ()).map_err(|error: io::Error| format!("{}: {error}", path.display()))
    }
}

#[cfg(not(target_os = "linux"))]
mod disk {
    use crate::Failure;
    use std::io;
    use std::path::Path;

    pub(super) fn drop_from_memory(_: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn read(_: &Path, _: f64) -> Result<(), Failure> {
        Ok(())
    }
}
