//! The grid of four by four once more, fast: 16 nibbles in one word, and tables of rows.
//!
//! There are only 65,536 rows of four nibbles. What sliding makes of each is worked out once, by
//! [`Grid`]; a move is then four lookups, and a move up or down the same on the transposed word.
//! [`Grid`] stays the slow twin that tests compare with.

use super::grid::{Direction, Grid, NEW_TILES, Spawn};
use crate::{Chance, Keyed, Rules};
use common::rng::hash_all;
use std::fmt;
use std::sync::LazyLock;

/// Rows, columns, and cells of a row.
const SIDE: usize = 4;
/// The bits of a row.
const ROW_BITS: usize = 16;
/// How many different rows there are.
pub const ROWS: usize = 1 << ROW_BITS;
/// The largest tile that a nibble holds.
pub const MAX_PACKED_TILE: u64 = 1 << 15;

/// Four tiles as powers of two, one nibble each, the first column lowest.
pub type Row = u16;

/// A four by four grid in one word, and how many tiles chance still owes. The score is not part of
/// it.
///
/// Everything is as in [`Grid`] but for one thing: a line in which two tiles of [`MAX_PACKED_TILE`]
/// would merge does not slide, for a nibble holds no more. Chance makes 2.2 of a move on average,
/// so a game needs some 30,000 moves to get there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Packed {
    /// The first row lowest.
    cells: u64,
    owed: u8,
}

/// What a move leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackedSlid {
    /// The grid after the move, with chance to move.
    pub grid: Packed,
    /// The sum of the merged tiles: what the move adds to the score.
    pub gain: u64,
}

/// A grid that has another size, or a tile above [`MAX_PACKED_TILE`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackError;

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "only 4x4 grids with tiles up to {MAX_PACKED_TILE} can be packed")
    }
}

impl std::error::Error for PackError {}

/// What sliding makes of a row, towards its first cell and towards its last.
#[derive(Clone, Copy, Default)]
struct Slides {
    to_first: Row,
    to_last: Row,
    /// The sum of the merged tiles, the same both ways.
    gain: u32,
}

/// The slides of every row.
static SLIDES: LazyLock<Box<[Slides]>> =
    LazyLock::new(|| (0..ROWS).map(|row| slides(row as Row)).collect());

/// The slides of one row, by the slow twin: on a grid with nothing else.
fn slides(row: Row) -> Slides {
    let slid = |direction: Direction| {
        let slid = Grid::four_by_four(0, |cell| power_in_row(row, cell)).slide(direction)?;
        let after = slid.grid.powers().take(SIDE).enumerate();
        // A row with a merge that no nibble holds does not slide.
        after
            .map(|(cell, power)| (power < 16).then_some(Row::from(power) << (4 * cell)))
            .sum::<Option<Row>>()
            .map(|after| (after, slid.gain as u32))
    };
    let (to_first, gain) = slid(Direction::Left).unwrap_or((row, 0));
    let (to_last, _) = slid(Direction::Right).unwrap_or((row, 0));
    Slides { to_first, to_last, gain }
}

/// The power of two in a cell of the row; 0 beyond it.
fn power_in_row(row: Row, cell: usize) -> u8 {
    if cell < SIDE { (row >> (4 * cell) & 0xf) as u8 } else { 0 }
}

impl Packed {
    /// The empty grid of a new game, before its first two random tiles.
    #[must_use]
    pub const fn new() -> Packed {
        Packed { cells: 0, owed: 2 }
    }

    /// The number of random tiles to be added before the player's next move.
    #[must_use]
    pub const fn owed(self) -> u8 {
        self.owed
    }

    /// The rows, the first one first.
    #[must_use]
    pub const fn rows(self) -> [Row; SIDE] {
        [
            self.cells as Row,
            (self.cells >> 16) as Row,
            (self.cells >> 32) as Row,
            (self.cells >> 48) as Row,
        ]
    }

    /// The power of two of the largest tile, 0 on an empty grid.
    #[must_use]
    pub fn largest_power(self) -> u32 {
        (0..16).map(|cell| (self.cells >> (4 * cell) & 0xf) as u32).max().unwrap_or(0)
    }

    /// The largest tile, 0 on an empty grid.
    #[must_use]
    pub fn largest(self) -> u64 {
        match self.largest_power() {
            0 => 0,
            power => 1 << power,
        }
    }

    /// How many cells are empty.
    #[must_use]
    pub const fn empty_cells(self) -> u32 {
        self.empty().count_ones()
    }

    /// The lowest bit of every empty cell.
    const fn empty(self) -> u64 {
        let some = self.cells | self.cells >> 1 | self.cells >> 2 | self.cells >> 3;
        !some & 0x1111_1111_1111_1111
    }

    /// The empty cells, counted row by row from 0.
    pub fn empty_places(self) -> impl Iterator<Item = u8> {
        let mut empty = self.empty();
        std::iter::from_fn(move || {
            let cell = (empty != 0).then(|| (empty.trailing_zeros() / 4) as u8)?;
            empty &= empty - 1;
            Some(cell)
        })
    }

    /// The result of sliding; `None` if no tile would move or chance is to move.
    #[must_use]
    pub fn slide(self, direction: Direction) -> Option<PackedSlid> {
        if self.owed > 0 {
            return None;
        }
        let (cells, gain) = match direction {
            Direction::Left => slid(self.cells, |slides| slides.to_first),
            Direction::Right => slid(self.cells, |slides| slides.to_last),
            Direction::Up => turned(slid(transposed(self.cells), |slides| slides.to_first)),
            Direction::Down => turned(slid(transposed(self.cells), |slides| slides.to_last)),
        };
        let grid = Packed { cells, owed: 1 };
        (cells != self.cells).then_some(PackedSlid { grid, gain })
    }

    /// Whether the player is to move and cannot.
    #[must_use]
    pub fn is_over(self) -> bool {
        self.owed == 0
            && self.empty() == 0
            && !may_slide(self.cells)
            && !may_slide(transposed(self.cells))
    }

    /// The grid after this tile, a power of two, in an empty cell.
    #[must_use]
    pub const fn with(self, cell: u8, power: u8) -> Packed {
        let cells = self.cells | (power as u64) << (4 * cell as u64);
        Packed { cells, owed: self.owed.saturating_sub(1) }
    }

    /// What chance does when it draws `number`, any of 64 bits being as likely as another: each
    /// [event](Chance::events) comes with its probability, but for a part in 2^32. The grid itself
    /// if chance is not to move.
    #[must_use]
    pub fn drawn(self, number: u64) -> Packed {
        let empty = u64::from(self.empty_cells());
        let place = ((number >> 32) * empty) >> 32;
        let cell = self.empty_places().nth(place as usize);
        let share = f64::from(number as u32) / f64::from(u32::MAX);
        let [(two, often), (four, _)] = NEW_TILES;
        let power = if share <= often { two } else { four };
        match cell {
            Some(cell) if self.owed > 0 => self.with(cell, power),
            _ => self,
        }
    }
}

impl Default for Packed {
    fn default() -> Packed {
        Packed::new()
    }
}

/// All four rows slid, and the sum of their merged tiles.
fn slid(cells: u64, to: impl Fn(&Slides) -> Row) -> (u64, u64) {
    let table = &**SLIDES;
    let mut after = 0;
    let mut gain = 0;
    for row in 0..SIDE {
        let slides = &table[(cells >> (ROW_BITS * row)) as Row as usize];
        after |= u64::from(to(slides)) << (ROW_BITS * row);
        gain += u64::from(slides.gain);
    }
    (after, gain)
}

/// Whether a row would slide.
fn may_slide(cells: u64) -> bool {
    let table = &**SLIDES;
    (0..SIDE).map(|row| (cells >> (ROW_BITS * row)) as Row).any(|row| {
        let slides = &table[usize::from(row)];
        slides.to_first != row || slides.to_last != row
    })
}

fn turned((cells, gain): (u64, u64)) -> (u64, u64) {
    (transposed(cells), gain)
}

/// Rows and columns exchanged: first within the blocks of two by two cells, then the blocks.
const fn transposed(cells: u64) -> u64 {
    let kept = cells & 0xf0f0_0f0f_f0f0_0f0f;
    let up = cells & 0x0000_f0f0_0000_f0f0;
    let down = cells & 0x0f0f_0000_0f0f_0000;
    let cells = kept | up << 12 | down >> 12;
    let kept = cells & 0xff00_ff00_00ff_00ff;
    let up = cells & 0x0000_0000_ff00_ff00;
    let down = cells & 0x00ff_00ff_0000_0000;
    kept | up << 24 | down >> 24
}

impl TryFrom<&Grid> for Packed {
    type Error = PackError;

    fn try_from(grid: &Grid) -> Result<Packed, PackError> {
        if (grid.rows(), grid.columns()) != (SIDE, SIDE) || grid.largest() > MAX_PACKED_TILE {
            return Err(PackError);
        }
        let cells = grid
            .powers()
            .enumerate()
            .fold(0, |cells, (cell, power)| cells | u64::from(power) << (4 * cell));
        Ok(Packed { cells, owed: grid.owed() })
    }
}

/// Always succeeds; the size is a good one.
impl From<Packed> for Grid {
    fn from(packed: Packed) -> Grid {
        let power = |cell: usize| (packed.cells >> (4 * cell) & 0xf) as u8;
        Grid::four_by_four(packed.owed, power)
    }
}

impl Rules for Packed {
    type Move = Direction;

    fn legal_moves(&self) -> Vec<Direction> {
        Direction::ALL.into_iter().filter(|&direction| self.slide(direction).is_some()).collect()
    }

    fn play_unchecked(&self, direction: Direction) -> Packed {
        self.slide(direction).map_or(*self, |slid| slid.grid)
    }
}

impl Chance for Packed {
    type Event = Spawn;

    fn events(&self) -> Vec<(Spawn, f64)> {
        if self.owed == 0 {
            return Vec::new();
        }
        let share = 1.0 / f64::from(self.empty_cells());
        self.empty_places()
            .flat_map(|cell| {
                NEW_TILES.map(|(power, chance)| (Spawn { cell, tile: 1 << power }, chance * share))
            })
            .collect()
    }

    fn after_event(&self, spawn: Spawn) -> Packed {
        self.with(spawn.cell, spawn.tile.trailing_zeros() as u8)
    }
}

impl Keyed for Packed {
    fn key(&self) -> u64 {
        hash_all([u64::from(self.owed), self.cells])
    }
}

/// As [`Grid`] is written.
impl fmt::Display for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Grid::from(*self), f)
    }
}

impl fmt::Debug for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposing_exchanges_rows_and_columns() {
        for number in 0..200u64 {
            let cells = hash_all([number]);
            let turned = transposed(cells);
            for cell in 0..16 {
                let (row, column) = (cell / 4, cell % 4);
                let there = 4 * column + row;
                assert_eq!(cells >> (4 * cell) & 0xf, turned >> (4 * there) & 0xf);
            }
        }
    }

    /// The only rows that differ from the twin are those whose merge does not fit.
    #[test]
    fn tiles_that_do_not_fit_stay_apart() {
        let grid: Grid = "32768 32768 2 2/0 0 0 0/0 0 0 0/0 0 0 0".parse().unwrap();
        let packed = Packed::try_from(&grid).unwrap();
        assert_eq!(packed.slide(Direction::Left), None);
        assert!(packed.slide(Direction::Down).is_some());
        let above: Grid = "65536 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0".parse().unwrap();
        assert_eq!(Packed::try_from(&above), Err(PackError));
        assert_eq!(Packed::try_from(&Grid::new(4, 5).unwrap()), Err(PackError));
    }
}
