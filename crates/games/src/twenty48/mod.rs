//! 2048: tiles slide, equal ones merge, and a random new tile appears after every move.
//!
//! A tile is 2 with probability 0.9 and 4 with 0.1, on a uniformly random empty cell. The game is
//! over when no tile can slide. Which tile is the goal is not part of the rules: see [`Grid::largest`].
//!
//! [`Grid`] has any size; [`Packed`] is the usual four by four, fast.
//!
//! ```
//! use games::Chance;
//! use games::twenty48::{Direction, Grid};
//!
//! let grid: Grid = "2 2/0 4".parse()?;
//! let slid = grid.slide(Direction::Left).expect("the 2s merge");
//! assert_eq!((slid.grid.to_string(), slid.gain), ("4 0/4 0 +1".into(), 4));
//! assert_eq!(slid.grid.events().len(), 4);
//! # Ok::<(), games::twenty48::TextError>(())
//! ```

mod grid;
mod packed;
mod text;

pub use grid::{Direction, Grid, MAX_SIDE, MIN_SIDE, SizeError, Slid, Spawn};
pub use packed::{MAX_PACKED_TILE, PackError, Packed, PackedSlid, ROWS, Row};
pub use text::TextError;
