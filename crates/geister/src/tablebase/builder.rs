//! Building tables: which classes are needed first, what each costs, and the build of one class.

use super::class::{Captured, Class};
use super::combinations;
use super::file::{self, FileError};
use super::index::Index;
use super::placements::{Placements, Sizes, captures};
use super::retrograde::{Distances, Smaller, Unfinished, analyse, replies};
use super::stop::{Interrupted, Stop};
use super::store::Store;
use super::verify::verify_checksums;
use rayon::prelude::*;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// What building a class takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// Bytes of memory at most. The largest classes need more than 64 bits can count.
    pub memory: u128,
    /// Positions, mirror images counted.
    pub positions: u64,
}

/// The phase of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildPhase {
    /// Reading the smaller classes.
    Reading,
    /// This many own moves are analysed.
    Analysed(u8),
    /// Writing the file.
    Writing,
}

/// Receives reports while a table is built.
pub trait Progress {
    /// `class` has reached `phase`.
    fn report(&mut self, class: Class, phase: BuildPhase);
}

impl Progress for () {
    fn report(&mut self, _: Class, _: BuildPhase) {}
}

/// A table that was built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Built {
    /// Its class.
    pub class: Class,
    /// The size of its file.
    pub bytes: u64,
}

/// Why a class was not built. Nothing is left behind, and what was built before stays.
#[derive(Debug)]
pub enum BuildError {
    /// It takes more memory than it may.
    Memory {
        /// The class.
        class: Class,
        /// Bytes it takes.
        needed: u128,
        /// Bytes it may take.
        allowed: u64,
    },
    /// A smaller table is missing or damaged, or the file cannot be written.
    File(FileError),
    /// The caller asked to stop.
    Interrupted,
    /// It has longer wins than a table can store.
    TooLong {
        /// The class.
        class: Class,
    },
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Memory { class, needed, allowed } => write!(
                f,
                "building {class} needs {} of memory and --memory allows {}; allow more, or build \
                 smaller classes with --pieces or --class",
                Bytes(*needed),
                Bytes(u128::from(*allowed))
            ),
            BuildError::File(error) => error.fmt(f),
            BuildError::Interrupted => {
                f.write_str("interrupted; the same command goes on where it stopped")
            }
            BuildError::TooLong { class } => write!(
                f,
                "{class} has wins of over {} own moves, which no table can tell; leave it out",
                file::MAX_MOVES_TO_WIN
            ),
        }
    }
}

impl std::error::Error for BuildError {}

/// A number of bytes, written in the largest binary unit of which there is one or more.
struct Bytes(u128);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 9] = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"];
        let unit = (self.0.max(1).ilog2() as usize / 10).min(UNITS.len() - 1);
        let number = self.0 as f64 / (1024_f64).powi(unit as i32);
        // Rounded up, so that what is too much is not written like what is allowed.
        write!(f, "{} {}", (number * 10.0).ceil() / 10.0, UNITS[unit])
    }
}

impl From<FileError> for BuildError {
    fn from(error: FileError) -> BuildError {
        match error {
            FileError::Interrupted { .. } => BuildError::Interrupted,
            error => BuildError::File(error),
        }
    }
}

impl From<Interrupted> for BuildError {
    fn from(_: Interrupted) -> BuildError {
        BuildError::Interrupted
    }
}

/// The blocks of a class: placements of its own ghosts, colliding ones counted.
fn blocks(class: Class) -> u128 {
    let count = class.count();
    combinations::count(count.own_blue as usize) as u128
        * combinations::count(count.own_red as usize) as u128
}

/// What building `class` takes, the smaller classes being there.
pub fn estimate(class: Class) -> Estimate {
    let sizes = Sizes::of(class);
    let captured = captures(class).into_iter().filter_map(|(_, captured)| match captured {
        Captured::Class(fewer) => Some(fewer),
        _ => None,
    });
    let mut memory = sizes.placements + of_analysis(class, &sizes) + blocks(class) * sizes.numbers;
    // What is read stays until the analysis is over, and reading takes the file's values beside it.
    memory += of_one_less(class, &sizes);
    memory += captured.map(|fewer| of_captured(class, fewer)).sum::<u128>();
    // The analysis is over when the values are put in order and written.
    let of_writing =
        blocks(class) * sizes.numbers + u128::from(Index::size_of(class)) + sizes.placements;
    let memory = memory.max(of_writing) + OVERHEAD;
    Estimate { memory, positions: Index::positions_of(class) }
}

/// Checks that each of these classes can be built with at most `memory` bytes.
///
/// # Errors
/// If one needs more: [`BuildError::Memory`] with the class that needs most.
pub fn check_memory(classes: &[Class], memory: u64) -> Result<(), BuildError> {
    let needs = classes.iter().map(|&class| (estimate(class).memory, class));
    match needs.max() {
        Some((needed, class)) if needed > u128::from(memory) => {
            Err(BuildError::Memory { class, needed, allowed: memory })
        }
        _ => Ok(()),
    }
}

/// The program itself, its threads, and buffers.
const OVERHEAD: u128 = 32 << 20;

/// What is kept for each block while a class is analysed, without the distances.
fn of_analysis(class: Class, sizes: &Sizes) -> u128 {
    // Beside the sets: the army, whether it changed, which distances occur.
    blocks(class) * (sizes.rows + 2 * sizes.set + 64)
}

/// The distances of the classes with an own ghost less, and what is new in them.
fn of_one_less(class: Class, sizes: &Sizes) -> u128 {
    let one_less = [class.without_own_blue(), class.without_own_red()].into_iter().flatten();
    let of_one = |less| blocks(less) * (sizes.numbers + sizes.set + 1);
    let values = |less| u128::from(Index::size_of(less));
    one_less.clone().map(of_one).sum::<u128>() + one_less.map(values).max().unwrap_or(0)
}

/// The distances of a class with a ghost less, finding its replies, and joining it again.
fn of_captured(class: Class, fewer: Class) -> u128 {
    let sizes = Sizes::of(fewer);
    let of_replies = of_analysis(fewer, &sizes) + sizes.placements + of_one_less(fewer, &sizes);
    let of_joining = 36 * 8 * sizes.numbers + blocks(class) * 16;
    let values = u128::from(Index::size_of(fewer));
    2 * blocks(fewer) * sizes.numbers + values.max(of_replies) + of_joining
}

/// The classes that have to be built so that the tables of `roots` and all they need are there and
/// whole, smallest first: an interrupted build resumes here. `on_check` is called with each existing
/// table before it is checked; once `stop` is raised, no further table is checked and each counts as
/// missing.
pub fn missing_classes(
    store: &Store,
    roots: &[Class],
    stop: &AtomicBool,
    mut on_check: impl FnMut(Class),
) -> Vec<Class> {
    let mut is_whole = |class: Class| {
        on_check(class);
        verify_checksums(store, class).is_ok()
    };
    let mut classes = Class::closure(roots);
    classes.retain(|&class| stop.load(Relaxed) || !(store.has(class) && is_whole(class)));
    classes
}

/// Builds the table of `class` into `store`, where the tables of [`Class::needs`] must be, with at
/// most `memory` bytes, on the threads of the current rayon pool.
///
/// The file appears whole, at the end; a stop or a crash before leaves nothing but perhaps an
/// unfinished file that nobody reads.
///
/// # Errors
/// If it takes too much memory, a smaller table is missing or damaged, the file cannot be written,
/// or `stop` was raised.
pub fn build(
    store: &Store,
    class: Class,
    memory: u64,
    stop: &AtomicBool,
    progress: &mut dyn Progress,
) -> Result<Built, BuildError> {
    check_memory(&[class], memory)?;
    let stop = Stop(stop);
    progress.report(class, BuildPhase::Reading);
    let smaller = read_smaller(store, class, stop)?;
    let placements = Placements::new(class);
    let distances = analyse(class, &placements, &smaller, stop, &mut |moves| {
        progress.report(class, BuildPhase::Analysed(moves));
    })
    .map_err(|unfinished| match unfinished {
        Unfinished::Interrupted => BuildError::Interrupted,
        Unfinished::TooLong => BuildError::TooLong { class },
    })?;
    drop(smaller);
    progress.report(class, BuildPhase::Writing);
    let index = Index::new(class);
    let values = in_order(&index, &placements, &distances, stop)?;
    drop((distances, placements));
    let counts = weighted_counts(&index, &values);
    let (path, name) = (store.path(class), class.to_string());
    let written = file::write_unless(stop.0, &path, &name, &values, &counts)?;
    Ok(Built { class, bytes: written.bytes })
}

/// The values of all ranks.
fn in_order(
    index: &Index,
    placements: &Placements,
    distances: &Distances,
    stop: Stop<'_>,
) -> Result<Vec<u8>, Interrupted> {
    const CHUNK: usize = 1 << 16;
    let mut values = vec![0; index.size() as usize];
    values.par_chunks_mut(CHUNK).enumerate().try_for_each(|(chunk, values)| {
        stop.check()?;
        let (first, len) = ((chunk * CHUNK) as u64, values.len() as u64);
        let mut places = values.iter_mut();
        index.for_each_ghosts(first..first + len, |ghosts| {
            let value = distances.get(placements, ghosts);
            places.by_ref().take(1).for_each(|place| *place = value);
        });
        Ok(())
    })?;
    Ok(values)
}

/// How many positions have each value, mirror images counted.
fn weighted_counts(index: &Index, values: &[u8]) -> Vec<u64> {
    let zero = || vec![0u64; usize::from(u8::MAX) + 1];
    let ranks = values.par_iter().enumerate();
    let mut counts = ranks
        .fold(zero, |mut counts, (rank, &value)| {
            counts[value as usize] += index.weight(rank as u64);
            counts
        })
        .reduce(zero, |mut all, some| {
            all.iter_mut().zip(some).for_each(|(all, some)| *all += some);
            all
        });
    let used = values.par_iter().copied().max().map_or(1, |most| usize::from(most) + 1);
    counts.truncate(used);
    counts
}

fn read_smaller(store: &Store, class: Class, stop: Stop<'_>) -> Result<Smaller, BuildError> {
    let mut smaller = read_one_less(store, class, stop)?;
    for (kind, captured) in captures(class) {
        if let Captured::Class(fewer) = captured {
            let distances = read(store, fewer, stop)?;
            let of_fewer = read_one_less(store, fewer, stop)?;
            let lost = replies(fewer, &Placements::new(fewer), &distances, &of_fewer, stop)?;
            smaller.captured.push((kind, fewer, lost));
        }
    }
    Ok(smaller)
}

/// The classes with an own ghost less.
fn read_one_less(store: &Store, class: Class, stop: Stop<'_>) -> Result<Smaller, BuildError> {
    let read = |less: Option<Class>| less.map(|less| read(store, less, stop)).transpose();
    Ok(Smaller {
        own_blue: read(class.without_own_blue())?,
        own_red: read(class.without_own_red())?,
        captured: Vec::new(),
    })
}

fn read(store: &Store, class: Class, stop: Stop<'_>) -> Result<Distances, BuildError> {
    let table = store.open(class)?;
    let values = table.file().read_all_unless(stop.0)?;
    let value = |ghosts: &_| values[table.index().rank_of(ghosts) as usize];
    Ok(Distances::from_values(class, stop, value)?)
}
