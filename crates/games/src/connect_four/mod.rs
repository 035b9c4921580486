//! Connect Four: stones fall into seven columns of six, and four of one side in a row win.
//!
//! ```
//! use games::connect_four::Position;
//!
//! let position: Position = "445566".parse()?;
//! assert_eq!(position.to_string(), "......./......./......./......./...OOO./...XXX.");
//! assert_eq!(position, "......./......./......./......./...OOO./...XXX.".parse()?);
//! assert_eq!(position.legal_moves().len(), 7);
//! # Ok::<(), games::connect_four::TextError>(())
//! ```

mod position;
mod text;

pub use position::{CELLS, COLUMNS, Column, Position, ROWS, has_four};
pub use text::TextError;
