//! 2048 on a 4x4 grid for the stochastic searches, and P4's evaluation.
//!
//! P4 (IV-B) uses Expectimax with the evaluation `E = sum of w[i][j] * b[i][j]` over the cells, `b`
//! the tiles (equation 9), and does not print the weights `w`. A [`Weights`] is such an evaluation
//! with any weights, as four lookups: one for each row.
//!
//! # The meaning of depth
//!
//! P4 does not define its depth `d` either. It cannot count plies (moves and spawns): two plies
//! score about 3,000 points with any weights, and P4 reports 20,212. It cannot count moves: nine
//! plies for `d = 5` are too slow for its Python program. Here `d` is the number of plies below the
//! player's move, see [`plies`]; with that and [`P4_WEIGHTS`] the scores of its table 4 are
//! reproduced.

use games::twenty48::{Direction, Packed, ROWS, Row};
use search::{Budget, Stochastic, Stop, Turn, expectation};

/// Our weights for P4's evaluation: the mean of the two common ones, the gradient from a corner and
/// the snake. The gradient alone scores about 14,000 points two plies below the move, the snake
/// about 25,000; P4 reports 20,212, and these weights score about as much.
pub const P4_WEIGHTS: [[f64; 4]; 4] = [
    [60.0, 53.0, 46.0, 39.0],
    [41.0, 38.0, 35.0, 32.0],
    [34.0, 27.0, 20.0, 13.0],
    [15.0, 12.0, 9.0, 6.0],
];

/// The plies of a tree of P4's depth `d`: the player's move and `d` plies below it.
#[must_use]
pub const fn plies(d: u32) -> u32 {
    d + 1
}

/// The probability that a new tile is a 4; else it is a 2.
const PROBABILITY_OF_FOUR: f64 = 0.1;

/// A position of 2048: the player maximises, and a chance node follows every move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solitaire(pub Packed);

/// A move with the grid after it, so that the slide is computed once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slide {
    /// The direction of the slide.
    pub direction: Direction,
    after: Packed,
}

impl Stochastic for Solitaire {
    type Move = Slide;

    fn turn(&self) -> Option<Turn> {
        match self.0 {
            grid if grid.owed() > 0 => Some(Turn::Chance),
            grid => (!grid.is_over()).then_some(Turn::Max),
        }
    }

    fn moves(&self, out: &mut Vec<Slide>) {
        let slide = |direction| Some(Slide { direction, after: self.0.slide(direction)?.grid });
        out.extend(Direction::ALL.into_iter().filter_map(slide));
    }

    fn play(&self, slide: Slide) -> Solitaire {
        Solitaire(slide.after)
    }

    fn outcomes(&self, out: &mut Vec<(f64, Solitaire)>) {
        let share = 1.0 / f64::from(self.0.empty_cells());
        out.reserve_exact(2 * self.0.empty_cells() as usize);
        for cell in self.0.empty_places() {
            let with = |power| Solitaire(self.0.with(cell, power));
            out.extend([
                ((1.0 - PROBABILITY_OF_FOUR) * share, with(1)),
                (PROBABILITY_OF_FOUR * share, with(2)),
            ]);
        }
    }
}

/// An evaluation: the sum over all cells of the tile times the cell's weight.
#[derive(Clone, Debug)]
pub struct Weights {
    /// The value of every possible row of tiles, in each row of the grid.
    rows: Vec<[f64; 4]>,
    max_weight: f64,
}

impl Weights {
    /// The evaluation with these weights, row by row.
    #[must_use]
    pub fn new(weights: [[f64; 4]; 4]) -> Weights {
        let tile = |row: usize, cell: usize| match row >> (4 * cell) & 0xf {
            0 => 0.0,
            power => f64::from(1 << power),
        };
        let row_values = |row: usize| {
            weights.map(|line| (0..4).map(|cell| line[cell] * tile(row, cell)).sum::<f64>())
        };
        let max_weight = weights.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
        Weights { rows: (0..ROWS).map(row_values).collect(), max_weight }
    }

    /// The value of the grid.
    #[must_use]
    pub fn value(&self, grid: Packed) -> f64 {
        let of = |row: usize, tiles: Row| self.rows[usize::from(tiles)][row];
        let [a, b, c, d] = grid.rows();
        of(0, a) + of(1, b) + of(2, c) + of(3, d)
    }

    /// The greatest weight.
    #[must_use]
    pub fn max_weight(&self) -> f64 {
        self.max_weight
    }
}

/// The best move by a search of `d` plies below it; none if the game is over.
///
/// # Errors
/// The limit that was hit before the move was known.
pub fn best_move(
    grid: Packed,
    d: u32,
    weights: &Weights,
    budget: &mut Budget<'_>,
) -> Result<Option<Direction>, Stop> {
    let value = |position: &Solitaire| weights.value(position.0);
    let found = expectation(&Solitaire(grid), plies(d), &value, budget)?;
    Ok(found.best.map(|slide| slide.direction))
}
