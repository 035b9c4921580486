//! Piece-square tables: the value of a ghost by its square, P5's figure 4.
//!
//! Both tables of the figure are one series, 10 5 3 2 1 0, over steps: a blue ghost counts them to
//! its nearest exit, a red one to the nearest square diagonally beside an exit, from where it guards
//! without standing in the way. That rule gives the figure on the 4x5 board to the last number, and
//! carries it over to the 6x6 board, where everything farther away is worth nothing.

use crate::rush::steps_to_exit;
use games::geister::{Board, Square};

/// By steps.
const SERIES: [f64; 6] = [10.0, 5.0, 3.0, 2.0, 1.0, 0.0];

/// The values of one side's ghosts by square.
#[derive(Clone, Debug, PartialEq)]
pub struct PieceSquareTables {
    /// Of a blue ghost.
    pub blue: [f64; Square::COUNT],
    /// Of a red ghost.
    pub red: [f64; Square::COUNT],
    /// The first less the second: what being blue adds.
    pub(super) gain: [f64; Square::COUNT],
}

impl PieceSquareTables {
    /// Those of the side with its home at the bottom.
    pub fn of_bottom<B: Board>() -> PieceSquareTables {
        PieceSquareTables::seen::<B>(|square| square)
    }

    /// Those of the side with its home at the top: the board turned by half.
    pub fn of_top<B: Board>() -> PieceSquareTables {
        PieceSquareTables::seen::<B>(B::turned)
    }

    fn seen<B: Board>(view: impl Fn(Square) -> Square) -> PieceSquareTables {
        let nothing = [0.0; Square::COUNT];
        let mut tables = PieceSquareTables { blue: nothing, red: nothing, gain: nothing };
        for square in B::FULL {
            let there = view(square);
            let (blue, red) = (
                value_by_steps(steps_to_exit::<B>(there)),
                value_by_steps(steps_to_guard::<B>(there)),
            );
            let at = square.index();
            (tables.blue[at], tables.red[at], tables.gain[at]) = (blue, red, blue - red);
        }
        tables
    }

    /// The value of a ghost that is blue with this probability.
    #[inline]
    pub fn mixed(&self, square: Square, blue: f64) -> f64 {
        self.red[square.index()] + blue * self.gain[square.index()]
    }

    /// The value of a ghost of this colour.
    #[inline]
    pub fn of(&self, square: Square, is_blue: bool) -> f64 {
        if is_blue { self.blue[square.index()] } else { self.red[square.index()] }
    }
}

fn value_by_steps(steps: u32) -> f64 {
    SERIES.get(steps as usize).copied().unwrap_or(0.0)
}

/// Steps to the nearest square diagonally beside an exit.
fn steps_to_guard<B: Board>(square: Square) -> u32 {
    let guards =
        [1, B::COLUMNS - 2].into_iter().filter_map(|column| Square::at(column, B::ROWS - 2));
    guards.map(|guard| guard.distance(square)).min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::geister::{Small, Standard};

    fn rows<B: Board>(table: &[f64; Square::COUNT]) -> Vec<Vec<f64>> {
        let row = |row| (0..B::COLUMNS).map(move |column| Square::at(column, row).unwrap());
        (0..B::ROWS).rev().map(|r| row(r).map(|s| table[s.index()]).collect()).collect()
    }

    #[test]
    fn figure_four_to_the_last_number() {
        let tables = PieceSquareTables::of_bottom::<Small>();
        let blue = [[10, 5, 5, 10], [5, 3, 3, 5], [3, 2, 2, 3], [2, 1, 1, 2], [1, 0, 0, 1]];
        let red = [[3, 5, 5, 3], [5, 10, 10, 5], [3, 5, 5, 3], [2, 3, 3, 2], [1, 2, 2, 1]];
        let floats = |rows: [[i32; 4]; 5]| rows.map(|row| row.map(f64::from).to_vec()).to_vec();
        assert_eq!(rows::<Small>(&tables.blue), floats(blue));
        assert_eq!(rows::<Small>(&tables.red), floats(red));
    }

    #[test]
    fn carried_over_to_six_by_six() {
        let tables = PieceSquareTables::of_bottom::<Standard>();
        assert_eq!(rows::<Standard>(&tables.blue)[0], [10.0, 5.0, 3.0, 3.0, 5.0, 10.0]);
        assert_eq!(rows::<Standard>(&tables.blue)[5], [0.0; 6]);
        assert_eq!(rows::<Standard>(&tables.red)[0], [3.0, 5.0, 3.0, 3.0, 5.0, 3.0]);
        assert_eq!(rows::<Standard>(&tables.red)[1], [5.0, 10.0, 5.0, 5.0, 10.0, 5.0]);
        assert_eq!(rows::<Standard>(&tables.red)[5], [0.0, 1.0, 0.0, 0.0, 1.0, 0.0]);
    }

    #[test]
    fn the_other_side_has_them_turned() {
        let (bottom, top) =
            (PieceSquareTables::of_bottom::<Small>(), PieceSquareTables::of_top::<Small>());
        for square in Small::FULL {
            let there = Small::turned(square);
            assert_eq!(bottom.of(square, true), top.of(there, true));
            assert_eq!(bottom.mixed(square, 0.25), top.mixed(there, 0.25));
        }
    }
}
