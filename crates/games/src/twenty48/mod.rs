//! 2048: tiles slide, equal ones merge, and chance adds a new one after every move.
//!
//! A tile is 2 with probability 0.9 and 4 with 0.1, on any empty cell alike. The game is over when
//! nothing can slide. Which tile is the goal is not part of the rules: see [`Grid::largest`].
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

pub use grid::{Direction, Grid, LARGEST_SIDE, SMALLEST_SIDE, SizeError, Slid, Spawn};
pub use packed::{LARGEST_PACKED, PackError, Packed, PackedSlid, ROWS, Row};
pub use text::TextError;
