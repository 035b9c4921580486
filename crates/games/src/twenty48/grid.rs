//! The grid: how tiles slide on it, and the random new tiles.

use crate::{Chance, Keyed, Rules};
use common::rng::hash_all;
use std::fmt;

/// The minimum number of rows or columns.
pub const MIN_SIDE: usize = 2;
/// The maximum number of rows or columns.
pub const MAX_SIDE: usize = 6;

const MAX_CELLS: usize = MAX_SIDE * MAX_SIDE;

/// Tiles that a game starts with.
const START_TILES: u8 = 2;

/// The tiles that may appear, as powers of two, with their probabilities.
pub(super) const NEW_TILES: [(u8, f64); 2] = [(1, 0.9), (2, 0.1)];

/// A move: all tiles slide this way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// Towards the first row.
    Up,
    /// Towards the last column.
    Right,
    /// Towards the last row.
    Down,
    /// Towards the first column.
    Left,
}

impl Direction {
    /// All four.
    pub const ALL: [Direction; 4] =
        [Direction::Up, Direction::Right, Direction::Down, Direction::Left];
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Direction::Up => "up",
            Direction::Right => "right",
            Direction::Down => "down",
            Direction::Left => "left",
        })
    }
}

/// A chance event: a new tile in an empty cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Spawn {
    /// The cell, counted row by row from 0.
    pub cell: u8,
    /// The tile, 2 or 4.
    pub tile: u8,
}

/// `2 in cell 7`, counted from 1.
impl fmt::Display for Spawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in cell {}", self.tile, self.cell + 1)
    }
}

/// The result of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slid {
    /// The grid after the move, with chance to move.
    pub grid: Grid,
    /// The sum of the merged tiles: what the move adds to the score.
    pub gain: u64,
}

/// The error for an unsupported size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SizeError;

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a grid has {MIN_SIDE} to {MAX_SIDE} rows and as few or many columns")
    }
}

impl std::error::Error for SizeError {}

/// A grid of tiles, and the number of random tiles still to be added. The score is not part of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Grid {
    rows: u8,
    columns: u8,
    owed: u8,
    /// The tiles row by row as powers of two; 0 for an empty cell, and beyond the last one.
    powers: [u8; MAX_CELLS],
}

impl Grid {
    /// The empty grid of a new game, before its first two random tiles.
    ///
    /// # Errors
    ///
    /// If a side is shorter than [`MIN_SIDE`] or longer than [`MAX_SIDE`].
    pub fn new(rows: usize, columns: usize) -> Result<Grid, SizeError> {
        Grid::from_powers(rows, columns, START_TILES, |_| 0)
    }

    /// The grid with these tiles as powers of two, which the caller has checked.
    pub(super) fn from_powers(
        rows: usize,
        columns: usize,
        owed: u8,
        power: impl Fn(usize) -> u8,
    ) -> Result<Grid, SizeError> {
        let sides = MIN_SIDE..=MAX_SIDE;
        if !sides.contains(&rows) || !sides.contains(&columns) {
            return Err(SizeError);
        }
        let mut powers = [0; MAX_CELLS];
        for (cell, place) in powers.iter_mut().enumerate().take(rows * columns) {
            *place = power(cell);
        }
        Ok(Grid { rows: rows as u8, columns: columns as u8, owed, powers })
    }

    /// Rows.
    pub const fn rows(&self) -> usize {
        self.rows as usize
    }

    /// Columns.
    pub const fn columns(&self) -> usize {
        self.columns as usize
    }

    /// The number of random tiles to be added before the player's next move.
    pub const fn owed(&self) -> u8 {
        self.owed
    }

    /// The grid of four by four with these tiles as powers of two.
    pub(super) fn four_by_four(owed: u8, power: impl Fn(usize) -> u8) -> Grid {
        let mut powers = [0; MAX_CELLS];
        (0..16).for_each(|cell| powers[cell] = power(cell));
        Grid { rows: 4, columns: 4, owed, powers }
    }

    /// The tiles row by row as powers of two, 0 for an empty cell.
    pub(super) fn powers(&self) -> impl Iterator<Item = u8> {
        self.cells().iter().copied()
    }

    fn cells(&self) -> &[u8] {
        &self.powers[..self.rows() * self.columns()]
    }

    /// The tiles row by row, 0 for an empty cell.
    pub fn tiles(&self) -> impl Iterator<Item = u64> {
        self.cells().iter().map(|&power| if power == 0 { 0 } else { 1 << power })
    }

    /// The largest tile, 0 on an empty grid.
    pub fn largest(&self) -> u64 {
        self.tiles().max().unwrap_or(0)
    }

    /// The number of empty cells.
    pub fn empty_cells(&self) -> usize {
        self.cells().iter().filter(|&&power| power == 0).count()
    }

    /// The result of sliding; `None` if no tile would move or chance is to move.
    pub fn slide(&self, direction: Direction) -> Option<Slid> {
        if self.owed > 0 {
            return None;
        }
        let mut grid = *self;
        let mut gain = 0;
        for line in 0..self.line_count(direction) {
            gain += grid.slide_line(direction, line);
        }
        grid.owed = u8::from(grid != *self);
        (grid.owed > 0).then_some(Slid { grid, gain })
    }

    /// Lines along `direction`.
    const fn line_count(&self, direction: Direction) -> usize {
        match direction {
            Direction::Up | Direction::Down => self.columns(),
            Direction::Left | Direction::Right => self.rows(),
        }
    }

    /// The cell of a line that is `index` steps away from where the tiles slide to.
    const fn cell(&self, direction: Direction, line: usize, index: usize) -> usize {
        let (rows, columns) = (self.rows(), self.columns());
        match direction {
            Direction::Up => index * columns + line,
            Direction::Down => (rows - 1 - index) * columns + line,
            Direction::Left => line * columns + index,
            Direction::Right => line * columns + columns - 1 - index,
        }
    }

    /// Slides one line and returns the sum of its merged tiles. A tile merges once at most.
    fn slide_line(&mut self, direction: Direction, line: usize) -> u64 {
        let length = self.cells().len() / self.line_count(direction);
        let mut gain = 0;
        let (mut filled, mut may_merge) = (0, false);
        for index in 0..length {
            let from = self.cell(direction, line, index);
            let power = std::mem::take(&mut self.powers[from]);
            if power == 0 {
                continue;
            }
            let last = self.cell(direction, line, filled.max(1) - 1);
            if may_merge && self.powers[last] == power {
                self.powers[last] += 1;
                gain += 1 << (power + 1);
                may_merge = false;
            } else {
                let to = self.cell(direction, line, filled);
                self.powers[to] = power;
                filled += 1;
                may_merge = true;
            }
        }
        gain
    }

    /// Whether the player is to move and cannot.
    pub fn is_over(&self) -> bool {
        self.owed == 0 && self.legal_moves().is_empty()
    }
}

impl Rules for Grid {
    type Move = Direction;

    fn legal_moves(&self) -> Vec<Direction> {
        Direction::ALL.into_iter().filter(|&direction| self.slide(direction).is_some()).collect()
    }

    fn play_unchecked(&self, direction: Direction) -> Grid {
        self.slide(direction).map_or(*self, |slid| slid.grid)
    }
}

impl Chance for Grid {
    type Event = Spawn;

    fn events(&self) -> Vec<(Spawn, f64)> {
        if self.owed == 0 {
            return Vec::new();
        }
        let share = 1.0 / self.empty_cells() as f64;
        let empty = (0..).zip(self.cells()).filter(|&(_, &power)| power == 0);
        empty
            .flat_map(|(cell, _)| {
                NEW_TILES.map(|(power, chance)| (Spawn { cell, tile: 1 << power }, chance * share))
            })
            .collect()
    }

    fn after_event(&self, spawn: Spawn) -> Grid {
        let mut grid = *self;
        if let Some(place) = grid.powers.get_mut(usize::from(spawn.cell)) {
            *place = spawn.tile.trailing_zeros() as u8;
        }
        grid.owed = self.owed.saturating_sub(1);
        grid
    }
}

impl Keyed for Grid {
    fn key(&self) -> u64 {
        let shape = [self.rows, self.columns, self.owed];
        let tiles = self
            .cells()
            .chunks(8)
            .map(|chunk| chunk.iter().fold(0, |word, &power| word << 8 | u64::from(power)));
        hash_all(shape.map(u64::from).into_iter().chain(tiles))
    }
}
