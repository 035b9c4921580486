//! Puzzles straight from the tables of small endings: every win of the wanted lengths is there, and
//! each comes exactly once.
//!
//! A scan counts the wanted entries of every block. From then on the n-th of them is found by these
//! counts and by decoding one block, and a seed chooses a permutation of their numbers.

use crate::material::range_text;
use common::rng::hash64;
use games::geister::Position;
use geister::tablebase::file::FileError;
use geister::tablebase::{Class, Table, Tables};
use std::collections::BTreeSet;
use std::fmt;
use std::ops::RangeInclusive;

/// The order in which puzzles come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// All of them equally likely at every place.
    Uniform,
    /// The longest first; those of one length equally likely at every place.
    LongestFirst,
}

/// The wins of the wanted lengths in tables of small endings, mirror images as one.
///
/// What can be won at once is no puzzle, nor is a position with BLUE 0, which only captures lead to.
/// Memory: 4 bytes for each block of 8,192 entries, and for each length as well if the longest come
/// first.
#[derive(Clone)]
pub struct Mine {
    tables: Tables,
    veins: Vec<Vein>,
}

/// Entries among which a seed chooses the order.
#[derive(Clone)]
struct Vein {
    /// Own moves to the win.
    moves: RangeInclusive<u8>,
    /// The classes that have such entries.
    seams: Vec<Seam>,
    total: u64,
}

/// The entries of one class.
#[derive(Clone)]
struct Seam {
    class: Class,
    /// Entries in the seams before this one.
    before: u64,
    /// Entries in each block.
    counts: Vec<u32>,
    /// Entries before every [`STRIDE`]-th block.
    sums: Vec<u64>,
}

/// Blocks that are looked through one by one.
const STRIDE: usize = 64;

/// The shortest win that makes a puzzle, in own moves.
const FEWEST_MOVES: u8 = 2;

/// Plies of a win with so many own moves.
const fn plies(moves: u8) -> u32 {
    2 * moves as u32 - 1
}

/// Why there is nothing to mine.
#[derive(Debug)]
pub enum MineError {
    /// There is no table for this class.
    NoTable(Class),
    /// A table is damaged.
    File(FileError),
    /// No win has a wanted length.
    Nothing {
        /// The classes that were asked for.
        classes: Vec<Class>,
        /// The lengths that were asked for, in plies.
        lengths: RangeInclusive<u32>,
        /// The lengths there are, in order.
        there_are: Vec<u32>,
    },
}

impl fmt::Display for MineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (classes, lengths, there_are) = match self {
            MineError::NoTable(class) => {
                return write!(
                    f,
                    "there is no table for {class}; build it with `spuk tablebase build --class {class}`"
                );
            }
            MineError::File(error) => return error.fmt(f),
            MineError::Nothing { classes, lengths, there_are } => (classes, lengths, there_are),
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

impl std::error::Error for MineError {}

impl From<FileError> for MineError {
    fn from(error: FileError) -> MineError {
        MineError::File(error)
    }
}

impl Mine {
    /// Scans the tables of `classes` for wins of `lengths` plies, on all cores.
    ///
    /// # Errors
    /// If a table is missing or damaged, or no win has such a length.
    pub fn new(
        tables: &Tables,
        classes: &[Class],
        lengths: RangeInclusive<u32>,
        order: Order,
    ) -> Result<Mine, MineError> {
        let asked: Vec<Class> = Vec::from_iter(classes.iter().copied().collect::<BTreeSet<_>>());
        let mut opened = Vec::new();
        for &class in &asked {
            opened.push(tables.get(class).ok_or(MineError::NoTable(class))?);
        }
        opened.retain(|table| table.class().blue() > 0);
        let there_are: BTreeSet<u8> = opened.iter().flat_map(|table| moves_in(table)).collect();
        let mut veins = veins(&there_are, &lengths, order);
        if veins.is_empty() {
            let there_are = there_are.into_iter().map(plies).collect();
            return Err(MineError::Nothing { classes: asked, lengths, there_are });
        }
        for table in opened {
            scan(table, &mut veins)?;
        }
        Ok(Mine { tables: tables.clone(), veins })
    }

    /// How many puzzles there are.
    pub fn total(&self) -> u64 {
        self.veins.iter().map(|vein| vein.total).sum()
    }

    /// The puzzle of a trial and its length: a function of seed and trial. Trials from 0 up to
    /// [`Mine::total`] bring each puzzle once; later ones bring none, nor does one whose table was
    /// altered after the scan.
    pub fn position(&self, seed: u64, trial: u64) -> Option<(Position, u32)> {
        let mut number = trial;
        for vein in &self.veins {
            if number < vein.total {
                let key = seed.wrapping_add(hash64(u64::from(*vein.moves.start())));
                return self.entry(vein, permuted(number, vein.total, key));
            }
            number -= vein.total;
        }
        None
    }

    fn entry(&self, vein: &Vein, nth: u64) -> Option<(Position, u32)> {
        let seam = vein.seams.partition_point(|seam| seam.before <= nth).checked_sub(1)?;
        let seam = vein.seams.get(seam)?;
        let (block, within) = seam.locate(nth - seam.before)?;
        let table = self.tables.get(seam.class)?;
        let mut values = Vec::new();
        table.file().read_block(block, &mut values).ok()?;
        let mut wanted = values.iter().enumerate().filter(|(_, value)| vein.moves.contains(value));
        let (place, &moves) = wanted.nth(within)?;
        let rank = block as u64 * table.file().block_entries() + place as u64;
        Some((table.index().position(rank), plies(moves)))
    }
}

/// The lengths of the puzzles in a table, in own moves.
fn moves_in(table: &Table) -> Vec<u8> {
    let counts = table.file().header().counts.iter().zip(0..=u8::MAX);
    counts.filter(|&(&count, moves)| count > 0 && moves >= FEWEST_MOVES).map(|(_, m)| m).collect()
}

/// The veins of wanted lengths, still empty, in the order in which they are worked.
fn veins(there_are: &BTreeSet<u8>, lengths: &RangeInclusive<u32>, order: Order) -> Vec<Vein> {
    let wanted: Vec<u8> =
        there_are.iter().copied().filter(|&moves| lengths.contains(&plies(moves))).collect();
    let vein = |moves| Vein { moves, seams: Vec::new(), total: 0 };
    match (order, wanted.as_slice()) {
        (Order::LongestFirst, wanted) => {
            wanted.iter().rev().map(|&moves| vein(moves..=moves)).collect()
        }
        (Order::Uniform, [first, .., last]) => vec![vein(*first..=*last)],
        (Order::Uniform, [only]) => vec![vein(*only..=*only)],
        (Order::Uniform, []) => Vec::new(),
    }
}

/// Adds the entries of a table to the veins.
fn scan(table: &Table, veins: &mut [Vein]) -> Result<(), FileError> {
    let there_are = moves_in(table);
    let has = |vein: &&mut Vein| there_are.iter().any(|moves| vein.moves.contains(moves));
    let mut veins: Vec<&mut Vein> = veins.iter_mut().filter(has).collect();
    if veins.is_empty() {
        return Ok(());
    }
    let ranges: Vec<_> =
        veins.iter().map(|vein| (*vein.moves.start(), *vein.moves.end())).collect();
    let blocks = table.file().summaries(|values| {
        // Most blocks have no long wins.
        let greatest = values.iter().copied().fold(0, u8::max);
        let number = |&range: &(u8, u8)| if range.0 > greatest { 0 } else { count(values, range) };
        ranges.iter().map(number).collect::<Box<[u32]>>()
    })?;
    for (at, vein) in veins.iter_mut().enumerate() {
        vein.add(table.class(), blocks.iter().map(|counts| counts[at]).collect());
    }
    Ok(())
}

/// How many values there are in a range, counted in bytes, which the compiler takes many at a time,
/// and therefore in parts that a byte can count.
fn count(values: &[u8], (least, most): (u8, u8)) -> u32 {
    let within = |part: &[u8]| -> u32 {
        let inside = |&value: &u8| u8::from(value.wrapping_sub(least) <= most - least);
        u32::from(part.iter().map(inside).sum::<u8>())
    };
    values.chunks(usize::from(u8::MAX)).map(within).sum()
}

impl Vein {
    fn add(&mut self, class: Class, counts: Vec<u32>) {
        let seam = Seam::new(class, self.total, counts);
        self.total += seam.total();
        self.seams.push(seam);
    }
}

impl Seam {
    fn new(class: Class, before: u64, counts: Vec<u32>) -> Seam {
        let mut sum = 0;
        let sums = counts.chunks(STRIDE).map(|blocks| {
            let before = sum;
            sum += total(blocks);
            before
        });
        let sums = sums.collect();
        Seam { class, before, counts, sums }
    }

    fn total(&self) -> u64 {
        total(&self.counts)
    }

    /// The block that holds the `nth` entry, and its number among those of the block.
    fn locate(&self, nth: u64) -> Option<(usize, usize)> {
        let part = self.sums.partition_point(|&sum| sum <= nth).checked_sub(1)?;
        let mut left = nth - self.sums[part];
        for (block, &count) in self.counts.iter().enumerate().skip(part * STRIDE) {
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

/// Rounds of the Feistel network; four are the least that make a good one.
const ROUNDS: u64 = 6;

/// A permutation of the numbers below `size`, chosen by `key`: `number`, which is one of them, goes
/// through a Feistel network over the next power of four, again and again until it is one of them.
fn permuted(number: u64, size: u64, key: u64) -> u64 {
    // Eight bits at the least: there are only few permutations of less.
    let half = (64 - size.saturating_sub(1).leading_zeros()).div_ceil(2).max(4);
    let mask = (1 << half) - 1;
    let mut number = number;
    loop {
        let (mut left, mut right) = (number >> half, number & mask);
        for round in 0..ROUNDS {
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
            let seam = Seam::new(class, 0, counts.clone());
            let all = counts.iter().enumerate().flat_map(|(block, &count)| (0..count as usize).map(move |n| (block, n)));
            let all: Vec<_> = all.collect();
            let located: Vec<_> = (0..seam.total()).filter_map(|nth| seam.locate(nth)).collect();
            prop_assert_eq!(located, all);
            prop_assert_eq!(seam.locate(seam.total()), None);
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
