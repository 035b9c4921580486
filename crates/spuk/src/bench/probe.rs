//! `spuk bench probe`: how long a question to the tables takes, and what of it the disk takes.

use crate::output::print;
use crate::progress::Line;
use crate::report::{VERSION, json_line};
use crate::tablebase::Common;
use crate::{Failure, exit, interrupt};
use clap::Args;
use games::geister::Position;
use geister::tablebase::{Class, Index, Store, Tables};
use indicatif::HumanCount;
use serde::Serialize;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Entries in a block of a table.
const BLOCK: u64 = 8192;

/// Warm probes are asked in rounds over so few positions that their blocks stay decoded.
const AT_HAND: usize = 100;
const ROUNDS: u32 = 1000;

#[derive(Args)]
#[command(after_help = "\
Warm: the block was just used. Decoded: the file is in memory, the block has to be decoded. \
Cold: the page cache of the files was dropped before, so that the disk is asked; beside it, bare reads of \
4 KiB at the same places. Dropping works on Linux only; elsewhere cold probes are not measured.")]
pub(crate) struct Arguments {
    /// Ask so many times, each in another block, as far as there are so many.
    #[arg(long, value_name = "N", default_value = "2000", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    probes: u64,
    #[command(flatten)]
    common: Common,
}

#[derive(Serialize)]
struct Record {
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

/// Measures and returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let stop = interrupt::listen()?;
    let classes = arguments.common.classes(&[])?;
    let store = arguments.common.store()?;
    let line = Line::new();
    line.say("choosing positions".into());
    let places = places(&classes, arguments.probes);
    line.say("reading bare pages".into());
    let bare_read = uncached(&store, &classes)
        .then(|| each(&places, stop, |place| disk::read(&store.path(place.class), place.share)))
        .transpose()?;
    line.say("probing from the disk".into());
    let is_cold = uncached(&store, &classes);
    let first = ask_each(&open(&store)?, &places, stop)?;
    line.say("probing in memory".into());
    // Opened again, so that no block is decoded yet.
    let tables = open(&store)?;
    let record = Record {
        v: VERSION,
        tables: classes.len(),
        bytes: classes.iter().filter_map(|&class| Some(tables.get(class)?.file().bytes())).sum(),
        probes: places.len(),
        decoded: ask_each(&tables, &places, stop)?,
        warm_ns: ask_again(&tables, &places)?,
        cold: is_cold.then_some(first),
        bare_read,
    };
    line.clear();
    print(&if arguments.common.json { json_line(&record) } else { text(&record) })?;
    Ok(exit::YES)
}

fn open(store: &Store) -> Result<Tables, Failure> {
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
        let rank = (block as u64 * BLOCK + random(probe) % BLOCK).min(index.size() - 1);
        let share = rank as f64 / index.size() as f64;
        Some(Place { class: index.class(), share, position: index.position(rank) })
    };
    let mut order: Vec<u64> = (0..probes).collect();
    order.sort_unstable_by_key(|&probe| random(probe));
    order.into_iter().filter_map(place).collect()
}

/// A random number, the same in every run (splitmix64).
fn random(n: u64) -> u64 {
    let n = (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let n = (n ^ n >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let n = (n ^ n >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    n ^ n >> 31
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

fn ask(tables: &Tables, place: &Place) -> Result<(), Failure> {
    let answer = tables.probe(std::hint::black_box(&place.position));
    std::hint::black_box(answer).map(|_| ()).map_err(|error| error.to_string())
}

fn ask_each(tables: &Tables, places: &[Place], stop: &AtomicBool) -> Result<Times, Failure> {
    each(places, stop, |place| ask(tables, place))
}

/// Nanoseconds for a probe of which the block is at hand.
fn ask_again(tables: &Tables, places: &[Place]) -> Result<f64, Failure> {
    let places = &places[..places.len().min(AT_HAND)];
    places.iter().try_for_each(|place| ask(tables, place))?;
    let start = Instant::now();
    for _ in 0..ROUNDS {
        places.iter().try_for_each(|place| ask(tables, place))?;
    }
    Ok(start.elapsed().as_secs_f64() * 1e9 / (f64::from(ROUNDS) * places.len().max(1) as f64))
}

fn text(record: &Record) -> String {
    let Record { tables, bytes, probes, warm_ns, decoded, cold, bare_read, .. } = record;
    let or_not = |times: &Option<Times>| match times {
        Some(times) => times.to_string(),
        None => "not measured: the files cannot be dropped from memory here".into(),
    };
    format!(
        "{tables} tables, {} bytes; {probes} probes, each in another block\n\
         warm       {warm_ns:.0} ns\n\
         decoded    {decoded}\n\
         cold       {}\n\
         bare read  {}\n",
        HumanCount(*bytes),
        or_not(cold),
        or_not(bare_read),
    )
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
