//! Building tables: what a class needs first, what it costs, and one class at a time.

use super::class::{Captured, Class};
use super::file::{self, FileError};
use super::index::Index;
use super::placements::{Placements, captures};
use super::retrograde::{Distances, Smaller, Unfinished, analyse, replies};
use super::sets;
use super::store::Store;
use rayon::prelude::*;
use std::fmt;
use std::sync::atomic::AtomicBool;

/// What building a class takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// Bytes of memory at most.
    pub memory: u64,
    /// Positions, mirror images counted.
    pub positions: u64,
}

/// Where a build is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Reading the smaller classes.
    Reading,
    /// So many own moves are analysed.
    Analysed(u8),
    /// Writing the file.
    Writing,
}

/// Hears how a build gets on.
pub trait Progress {
    /// `class` has come to `step`.
    fn step(&mut self, class: Class, step: Step);
}

impl Progress for () {
    fn step(&mut self, _: Class, _: Step) {}
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
        needed: u64,
        /// Bytes it may take.
        allowed: u64,
    },
    /// A smaller table is missing or damaged, or the file cannot be written.
    File(FileError),
    /// Someone asked to stop.
    Interrupted,
    /// It has wins with more own moves than a table can tell.
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
                "{class} takes {} MiB of memory and may take {}; give it more with --memory",
                needed.div_ceil(1 << 20),
                allowed >> 20
            ),
            BuildError::File(error) => error.fmt(f),
            BuildError::Interrupted => {
                f.write_str("interrupted; the same command goes on where it stopped")
            }
            BuildError::TooLong { class } => write!(
                f,
                "{class} has wins of over {} own moves, which no table can tell; leave it out",
                file::LONGEST
            ),
        }
    }
}

impl std::error::Error for BuildError {}

impl From<FileError> for BuildError {
    fn from(error: FileError) -> BuildError {
        BuildError::File(error)
    }
}

/// The blocks of a class: placements of its own ghosts, colliding ones counted.
fn blocks(class: Class) -> u64 {
    let count = class.count();
    (sets::sets_of(count.own_blue as usize) * sets::sets_of(count.own_red as usize)) as u64
}

/// The placements of the top side's ghosts of a class, and the bytes of a set of them.
fn block_sizes(class: Class) -> (u64, u64) {
    let count = class.count();
    let kinds = [count.shown_blue, count.shown_red, count.hidden];
    let placements = kinds.iter().map(|&kind| sets::sets_of(kind as usize) as u64).product();
    (placements, 36u64.pow(kinds.iter().sum()).div_ceil(64) * 8)
}

/// What building `class` takes, the smaller classes being there.
pub fn estimate(class: Class) -> Estimate {
    let (placements, set) = block_sizes(class);
    let index = Index::new(class);
    let mut memory = Placements::memory(class) + blocks(class) * (placements + 2 * set);
    for less in [class.without_own_blue(), class.without_own_red()].into_iter().flatten() {
        memory += blocks(less) * (placements + set) + Index::new(less).size();
    }
    let captured = captures(class).into_iter().filter_map(|(_, captured)| match captured {
        Captured::Class(fewer) => Some(fewer),
        _ => None,
    });
    memory += captured.map(|fewer| estimate_replies(class, fewer)).sum::<u64>();
    // The analysis is over when the values are put in order and written.
    Estimate {
        memory: memory.max(blocks(class) * placements + 2 * index.size()),
        positions: index.positions(),
    }
}

/// Memory for the replies of a class with a ghost less, and for joining it again.
fn estimate_replies(class: Class, fewer: Class) -> u64 {
    let (placements, set) = block_sizes(fewer);
    let mut memory = Placements::memory(fewer) + blocks(fewer) * (2 * placements + 2 * set);
    for less in [fewer.without_own_blue(), fewer.without_own_red()].into_iter().flatten() {
        memory += blocks(less) * (placements + set);
    }
    memory + 36 * 8 * placements + Index::new(fewer).size() + blocks(class) * 16
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
    let needed = estimate(class).memory;
    if needed > memory {
        return Err(BuildError::Memory { class, needed, allowed: memory });
    }
    progress.step(class, Step::Reading);
    let smaller = read_smaller(store, class)?;
    let placements = Placements::new(class);
    let distances = analyse(class, &placements, &smaller, stop, &mut |moves| {
        progress.step(class, Step::Analysed(moves));
    })
    .map_err(|unfinished| match unfinished {
        Unfinished::Interrupted => BuildError::Interrupted,
        Unfinished::TooLong => BuildError::TooLong { class },
    })?;
    drop(smaller);
    progress.step(class, Step::Writing);
    let index = Index::new(class);
    let values: Vec<u8> = (0..index.size())
        .into_par_iter()
        .map(|rank| distances.get(&placements, &index.ghosts_of(rank)))
        .collect();
    drop(distances);
    let counts = weighted_counts(&index, &values);
    let written = file::write(&store.path(class), &class.to_string(), &values, &counts)?;
    Ok(Built { class, bytes: written.bytes })
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

fn read_smaller(store: &Store, class: Class) -> Result<Smaller, FileError> {
    let mut smaller = read_one_less(store, class)?;
    for (kind, captured) in captures(class) {
        if let Captured::Class(fewer) = captured {
            let distances = read(store, fewer)?;
            let of_fewer = read_one_less(store, fewer)?;
            let lost = replies(fewer, &Placements::new(fewer), &distances, &of_fewer);
            smaller.captured.push((kind, fewer, lost));
        }
    }
    Ok(smaller)
}

/// The classes with an own ghost less.
fn read_one_less(store: &Store, class: Class) -> Result<Smaller, FileError> {
    Ok(Smaller {
        own_blue: class.without_own_blue().map(|less| read(store, less)).transpose()?,
        own_red: class.without_own_red().map(|less| read(store, less)).transpose()?,
        captured: Vec::new(),
    })
}

fn read(store: &Store, class: Class) -> Result<Distances, FileError> {
    let table = store.open(class)?;
    let values = table.file().read_all()?;
    let index = table.index();
    Ok(Distances::from_values(class, |ghosts| values[index.rank_of(ghosts) as usize]))
}
