//! Puzzles mined from tablebases: every win of the requested lengths, each exactly once.
//!
//! A scan counts the matching entries of every block. The n-th entry is then located by these
//! counts and by decoding one block, and the seed selects a permutation of the indices.

use crate::material::range_text;
use common::rng::hash64;
use games::geister::Position;
use geister::tablebase::file::FileError;
use geister::tablebase::{Class, ClassTable, Tablebase};
use std::collections::BTreeSet;
use std::fmt;
use std::ops::RangeInclusive;

/// The order of the puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// A uniformly random order.
    Uniform,
    /// The longest first; a uniformly random order within each length.
    LongestFirst,
}

/// The wins of the requested lengths in tablebases; mirror images count once.
///
/// Immediate wins are not puzzles, and neither are positions with BLUE 0, which arise only by
/// captures. Memory: 4 bytes for each block of 8,192 entries, times the number of lengths if the
/// longest come first.
#[derive(Clone)]
pub struct MinedWins {
    tables: Tablebase,
    groups: Vec<LengthGroup>,
}

/// Entries that are permuted together.
#[derive(Clone)]
struct LengthGroup {
    /// Own moves to the win.
    moves: RangeInclusive<u8>,
    /// The classes that have such entries.
    classes: Vec<ClassEntries>,
    total: u64,
}

/// The entries of one class.
#[derive(Clone)]
struct ClassEntries {
    class: Class,
    /// Entries in the classes before this one.
    before: u64,
    /// Entries in each block.
    counts: Vec<u32>,
    /// Entries before every [`BLOCKS_PER_SUM`]-th block.
    sums: Vec<u64>,
}

/// Blocks per stored partial sum.
const BLOCKS_PER_SUM: usize = 64;

/// The shortest win of a puzzle, in own moves.
const MIN_OWN_MOVES: u8 = 2;

/// The plies of a win with this many own moves.
const fn plies(moves: u8) -> u32 {
    2 * moves as u32 - 1
}

/// The error for requests without any entry.
#[derive(Debug)]
pub enum MiningError {
    /// There is no table for this class.
    NoTable(Class),
    /// A table is damaged.
    File(FileError),
    /// No win has a wanted length.
    Nothing {
        /// The requested classes.
        classes: Vec<Class>,
        /// The requested lengths in plies.
        lengths: RangeInclusive<u32>,
        /// The available lengths, in order.
        there_are: Vec<u32>,
    },
}

impl fmt::Display for MiningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (classes, lengths, there_are) = match self {
            MiningError::NoTable(class) => {
                return write!(
                    f,
                    "there is no table for {class}; build it with `spuk tablebase build --class {class}`"
                );
            }
            MiningError::File(error) => return error.fmt(f),
            MiningError::Nothing { classes, lengths, there_are } => (classes, lengths, there_are),
        };
        write!(f, "no win of {} plies in ", range_text(lengths))?;
        match classes.as_slice() {
            [] => f.write_str("no class at all; name a class such as BRuu:1")?,
            [class] => class.fmt(f)?,
            [first, rest @ ..] => write!(f, "{first} and {} more", rest.len())?,
        }
        match there_are.as_slice() {
            [] => f.write_str("; there is none of another length either"),
            [.., longest] if longest < lengths.start() => write!(f, "; the longest is {longest}"),
            [shortest, ..] if shortest > lengths.end() => write!(f, "; the shortest is {shortest}"),
            _ => f.write_str("; wins take an odd number of plies"),
        }
    }
}

impl std::error::Error for MiningError {}

impl From<FileError> for MiningError {
    fn from(error: FileError) -> MiningError {
        MiningError::File(error)
    }
}

impl MinedWins {
    /// Scans the tables of `classes` for wins of `lengths` plies, on all cores.
    ///
    /// # Errors
    /// If a table is missing or damaged, or no win has such a length.
    pub fn new(
        tables: &Tablebase,
        classes: &[Class],
        lengths: RangeInclusive<u32>,
        order: Order,
    ) -> Result<MinedWins, MiningError> {
        let asked: Vec<Class> = Vec::from_iter(classes.iter().copied().collect::<BTreeSet<_>>());
        let mut opened = Vec::new();
        for &class in &asked {
            opened.push(tables.get(class).ok_or(MiningError::NoTable(class))?);
        }
        opened.retain(|table| table.class().blue() > 0);
        let there_are: BTreeSet<u8> = opened.iter().flat_map(|table| moves_in(table)).collect();
        let mut groups = groups(&there_are, &lengths, order);
        if groups.is_empty() {
            let there_are = there_are.into_iter().map(plies).collect();
            return Err(MiningError::Nothing { classes: asked, lengths, there_are });
        }
        for table in opened {
            scan(table, &mut groups)?;
        }
        Ok(MinedWins { tables: tables.clone(), groups })
    }

    /// The number of puzzles.
    pub fn total(&self) -> u64 {
        self.groups.iter().map(|group| group.total).sum()
    }

    /// The puzzle of a trial and its length: a function of seed and trial. Trials below
    /// [`MinedWins::total`] give each puzzle once; later ones give none, nor does one whose table
    /// was changed after the scan.
    pub fn position(&self, seed: u64, trial: u64) -> Option<(Position, u32)> {
        let mut number = trial;
        for group in &self.groups {
            if number < group.total {
                let key = seed.wrapping_add(hash64(u64::from(*group.moves.start())));
                return self.entry(group, permuted(number, group.total, key));
            }
            number -= group.total;
        }
        None
    }

    fn entry(&self, group: &LengthGroup, nth: u64) -> Option<(Position, u32)> {
        let entries =
            group.classes.partition_point(|entries| entries.before <= nth).checked_sub(1)?;
        let entries = group.classes.get(entries)?;
        let (block, within) = entries.locate(nth - entries.before)?;
        let table = self.tables.get(entries.class)?;
        let mut values = Vec::new();
        table.file().read_block(block, &mut values).ok()?;
        let mut wanted = values.iter().enumerate().filter(|(_, value)| group.moves.contains(value));
        let (place, &moves) = wanted.nth(within)?;
        let rank = block as u64 * table.file().block_entries() + place as u64;
        Some((table.index().position(rank), plies(moves)))
    }
}

/// The lengths of the puzzles in a table, in own moves.
fn moves_in(table: &ClassTable) -> Vec<u8> {
    let counts = table.file().header().counts.iter().zip(0..=u8::MAX);
    counts.filter(|&(&count, moves)| count > 0 && moves >= MIN_OWN_MOVES).map(|(_, m)| m).collect()
}

/// The groups of requested lengths, still empty, in output order.
fn groups(
    there_are: &BTreeSet<u8>,
    lengths: &RangeInclusive<u32>,
    order: Order,
) -> Vec<LengthGroup> {
    let wanted: Vec<u8> =
        there_are.iter().copied().filter(|&moves| lengths.contains(&plies(moves))).collect();
    let group = |moves| LengthGroup { moves, classes: Vec::new(), total: 0 };
    match (order, wanted.as_slice()) {
        (Order::LongestFirst, wanted) => {
            wanted.iter().rev().map(|&moves| group(moves..=moves)).collect()
        }
        (Order::Uniform, [first, .., last]) => vec![group(*first..=*last)],
        (Order::Uniform, [only]) => vec![group(*only..=*only)],
        (Order::Uniform, []) => Vec::new(),
    }
}

/// Adds the entries of a table to the groups.
fn scan(table: &ClassTable, groups: &mut [LengthGroup]) -> Result<(), FileError> {
    let there_are = moves_in(table);
    let has = |group: &&mut LengthGroup| there_are.iter().any(|moves| group.moves.contains(moves));
    let mut groups: Vec<&mut LengthGroup> = groups.iter_mut().filter(has).collect();
    if groups.is_empty() {
        return Ok(());
    }
    let ranges: Vec<_> =
        groups.iter().map(|group| (*group.moves.start(), *group.moves.end())).collect();
    let blocks = table.file().summaries(|values| {
        // Most blocks have no long wins.
        let longest = values.iter().copied().fold(0, u8::max);
        let number = |&range: &(u8, u8)| if range.0 > longest { 0 } else { count(values, range) };
        ranges.iter().map(number).collect::<Box<[u32]>>()
    })?;
    for (at, group) in groups.iter_mut().enumerate() {
        group.add(table.class(), blocks.iter().map(|counts| counts[at]).collect());
    }
    Ok(())
}

/// The number of values in a range. It counts in bytes, so that the compiler vectorises the loop,
/// and therefore in chunks whose count fits a byte.
fn count(values: &[u8], (least, most): (u8, u8)) -> u32 {
    let within = |part: &[u8]| -> u32 {
        let inside = |&value: &u8| u8::from(value.wrapping_sub(least) <= most - least);
        u32::from(part.iter().map(inside).sum::<u8>())
    };
    values.chunks(usize::from(u8::MAX)).map(within).sum()
}

impl LengthGroup {
    fn add(&mut self, class: Class, counts: Vec<u32>) {
        let entries = ClassEntries::new(class, self.total, counts);
        self.total += entries.total();
        self.classes.push(entries);
    }
}

impl ClassEntries {
    fn new(class: Class, before: u64, counts: Vec<u32>) -> ClassEntries {
        let mut sum = 0;
        let sums = counts.chunks(BLOCKS_PER_SUM).map(|blocks| {
            let before = sum;
            sum += total(blocks);
            before
        });
        let sums = sums.collect();
        ClassEntries { class, before, counts, sums }
    }

    fn total(&self) -> u64 {
        total(&self.counts)
    }

    /// The block that holds the `nth` entry, and its number among those of the block.
    fn locate(&self, nth: u64) -> Option<(usize, usize)> {
        let part = self.sums.partition_point(|&sum| sum <= nth).checked_sub(1)?;
        let mut left = nth - self.sums[part];
        for (block, &count) in self.counts.iter().enumerate().skip(part * BLOCKS_PER_SUM) {
            if left < u64::from(count) {
                return Some((block, left as usize));
            }
            left -= u64::from(count);
        }
        None
    }
}

fn total(counts: &[u32]) -> u64 {
    counts.iter().map(|&count| u64::from(count)).sum()
}

/// Rounds of the Feistel network; at least four are needed for a good permutation.
const FEISTEL_ROUNDS: u64 = 6;

/// A pseudo-random permutation of the numbers below `size`, selected by `key`: a Feistel network
/// over the next power of four, applied until the result is below `size` (cycle walking).
fn permuted(number: u64, size: u64, key: u64) -> u64 {
    // At least eight bits: fewer bits have too few permutations.
    let half = (64 - size.saturating_sub(1).leading_zeros()).div_ceil(2).max(4);
    let mask = (1 << half) - 1;
    let mut number = number;
    loop {
        let (mut left, mut right) = (number >> half, number & mask);
        for round in 0..FEISTEL_ROUNDS {
            let turned = hash64(key.wrapping_add(hash64(right << 3 | round))) & mask;
            (left, right) = (right, left ^ turned);
        }
        number = left << half | right;
        if number < size {
            return number;
        }
    }
}
#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_permutation_is_a_bijection(size in 1_u64..5000, key: u64) {
            let images: BTreeSet<u64> = (0..size).map(|n| permuted(n, size, key)).collect();
            prop_assert_eq!(images.len() as u64, size);
            prop_assert!(images.iter().all(|&image| image < size));
        }

        #[test]
        fn large_sizes_are_kept(size in 1_u64 << 40..1 << 62, part in 0_u64..1 << 40, key: u64) {
            let number = part * (size >> 40);
            prop_assert!(permuted(number, size, key) < size);
        }

        #[test]
        fn values_are_counted(values in prop::collection::vec(0_u8..9, 0..2000), least in 0_u8..9, more in 0_u8..9) {
            let most = least + more;
            let slow = values.iter().filter(|value| (least..=most).contains(value)).count();
            prop_assert_eq!(count(&values, (least, most)) as usize, slow);
        }

        #[test]
        fn entries_are_located(counts in prop::collection::vec(0_u32..4, 1..300)) {
            let class: Class = "BRuu:1".parse().unwrap();
            let entries = ClassEntries::new(class, 0, counts.clone());
            let all = counts.iter().enumerate().flat_map(|(block, &count)| (0..count as usize).map(move |n| (block, n)));
            let all: Vec<_> = all.collect();
            let located: Vec<_> = (0..entries.total()).filter_map(|nth| entries.locate(nth)).collect();
            prop_assert_eq!(located, all);
            prop_assert_eq!(entries.locate(entries.total()), None);
        }
    }

    /// Where a number goes is as good as even over all keys: chi-square with 29 degrees of freedom,
    /// beyond 58 in one of a thousand.
    #[test]
    fn every_place_is_equally_likely() {
        for size in [30_u64, 1009, 65_536] {
            for number in [0, size / 3, size - 1] {
                let (keys, mut times) = (60_000, [0.0; 30]);
                for key in 0..keys {
                    times[(permuted(number, size, key) * 30 / size) as usize] += 1.0;
                }
                let bin = |bin: u64| ((bin + 1) * size).div_ceil(30) - (bin * size).div_ceil(30);
                let chi: f64 = (0..30)
                    .map(|b| {
                        let expected = keys as f64 * bin(b) as f64 / size as f64;
                        (times[b as usize] - expected).powi(2) / expected
                    })
                    .sum();
                assert!(chi < 65.0, "{size} {number}: {chi}");
            }
        }
    }
}
