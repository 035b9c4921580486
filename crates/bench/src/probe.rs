//! How long a probe of the tables takes, and what of it the disk takes.

use crate::{Failure, VERSION};
use common::rng::derive_seed;
use games::geister::Position;
use geister::tablebase::{Class, Index, Store, Tablebase};
use serde::Serialize;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Entries in a block of a table.
const BLOCK: u64 = 8192;

/// Warm probes are asked in rounds over so few positions that their blocks stay decoded.
const AT_HAND: usize = 100;
const ROUNDS: u32 = 1000;

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

/// How long most probes took, in microseconds.
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
            let place = (share * times.len() as f64) as usize;
            let time = times.get(place.min(times.len().saturating_sub(1)));
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

/// An entry of a table.
struct Place {
    class: Class,
    /// Where among the class's entries: 0 is the first, 1 behind the last.
    share: f64,
    position: Position,
}

/// Probes the tables of `classes` up to `probes` times, each in another block.
///
/// # Errors
/// If a table is damaged, or `stop` was raised.
pub fn run(
    store: &Store,
    classes: &[Class],
    probes: u64,
    stop: &AtomicBool,
    on_progress: &dyn Fn(String),
) -> Result<Report, Failure> {
    on_progress("choosing positions".into());
    let places = places(classes, probes);
    on_progress("reading bare pages".into());
    let bare_read = uncached(store, classes)
        .then(|| each(&places, stop, |place| disk::read(&store.path(place.class), place.share)))
        .transpose()?;
    on_progress("probing from the disk".into());
    let is_cold = uncached(store, classes);
    let first = ask_each(&open(store)?, &places, stop)?;
    on_progress("probing in memory".into());
    // Opened again, so that no block is decoded yet.
    let tables = open(store)?;
    Ok(Report {
        v: VERSION,
        tables: classes.len(),
        bytes: classes.iter().filter_map(|&class| Some(tables.get(class)?.file().bytes())).sum(),
        probes: places.len(),
        decoded: ask_each(&tables, &places, stop)?,
        warm_ns: ask_again(&tables, &places)?,
        cold: is_cold.then_some(first),
        bare_read,
    })
}

fn open(store: &Store) -> Result<Tablebase, Failure> {
    store.open_all().map_err(|error| error.to_string())
}

/// Drops the files from memory, and tells whether that was done. No table may be open.
fn uncached(store: &Store, classes: &[Class]) -> bool {
    classes.iter().all(|&class| disk::drop_from_memory(&store.path(class)).is_ok())
}

/// So many entries, evenly spread over the blocks of all tables, in no order.
fn places(classes: &[Class], probes: u64) -> Vec<Place> {
    let indices: Vec<Index> = classes.iter().map(|&class| Index::new(class)).collect();
    let blocks = |index: &Index| index.size().div_ceil(BLOCK);
    let all: u64 = indices.iter().map(blocks).sum();
    let probes = probes.min(all);
    let place = |probe: u64| {
        let mut block = u128::from(probe) * u128::from(all) / u128::from(probes);
        // The block is one of those of some table.
        let index = indices.iter().find(|index| {
            let is_here = block < u128::from(blocks(index));
            block -= if is_here { 0 } else { u128::from(blocks(index)) };
            is_here
        })?;
        let rank = (block as u64 * BLOCK + derive_seed(0, probe) % BLOCK).min(index.size() - 1);
        let share = rank as f64 / index.size() as f64;
        Some(Place { class: index.class(), share, position: index.position(rank) })
    };
    let mut order: Vec<u64> = (0..probes).collect();
    order.sort_unstable_by_key(|&probe| derive_seed(0, probe));
    order.into_iter().filter_map(place).collect()
}

/// The times of `act` at each place.
fn each(
    places: &[Place],
    stop: &AtomicBool,
    act: impl Fn(&Place) -> Result<(), Failure>,
) -> Result<Times, Failure> {
    let timed = |place| {
        if stop.load(Relaxed) {
            return Err("interrupted; nothing was measured to the end".into());
        }
        let start = Instant::now();
        act(place)?;
        Ok(start.elapsed())
    };
    places.iter().map(timed).collect::<Result<Vec<_>, Failure>>().map(Times::of)
}

fn ask(tables: &Tablebase, place: &Place) -> Result<(), Failure> {
    let answer = tables.probe(std::hint::black_box(&place.position));
    std::hint::black_box(answer).map(|_| ()).map_err(|error| error.to_string())
}

fn ask_each(tables: &Tablebase, places: &[Place], stop: &AtomicBool) -> Result<Times, Failure> {
    each(places, stop, |place| ask(tables, place))
}

/// Nanoseconds for a probe of which the block is at hand.
fn ask_again(tables: &Tablebase, places: &[Place]) -> Result<f64, Failure> {
    let places = &places[..places.len().min(AT_HAND)];
    places.iter().try_for_each(|place| ask(tables, place))?;
    let start = Instant::now();
    for _ in 0..ROUNDS {
        places.iter().try_for_each(|place| ask(tables, place))?;
    }
    Ok(start.elapsed().as_secs_f64() * 1e9 / (f64::from(ROUNDS) * places.len().max(1) as f64))
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { tables, bytes, probes, warm_ns, decoded, cold, bare_read, .. } = self;
        let or_not = |times: &Option<Times>| match times {
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
            or_not(cold),
            or_not(bare_read),
        )
    }
}

/// A number with commas between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}

/// What the disk does without us.
#[cfg(target_os = "linux")]
mod disk {
    use crate::Failure;
    use rustix::fs::{Advice, fadvise};
    use std::fs::File;
    use std::io;
    use std::os::unix::fs::FileExt;
    use std::path::Path;

    const PAGE: u64 = 4096;

    /// Makes the system forget a file that is not mapped.
    pub(super) fn drop_from_memory(path: &Path) -> io::Result<()> {
        Ok(fadvise(File::open(path)?, 0, None, Advice::DontNeed)?)
    }

    /// Reads the page at this share of the file, and no more.
    pub(super) fn read(path: &Path, share: f64) -> Result<(), Failure> {
        let read = || {
            let file = File::open(path)?;
            fadvise(&file, 0, None, Advice::Random)?;
            let place = (file.metadata()?.len() as f64 * share) as u64 / PAGE * PAGE;
            file.read_at(&mut [0; PAGE as usize], place)
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
