//! Othello: a placed disc flips the lines of the opponent's discs that it encloses.
//!
//! ```
//! use games::othello::Position;
//!
//! let start = "---------------------------OX------XO--------------------------- X";
//! let position: Position = start.parse()?;
//! assert_eq!(position, Position::START);
//! let moves: Vec<String> = position.legal_moves().iter().map(ToString::to_string).collect();
//! assert_eq!(moves, ["d3", "c4", "f5", "e6"]);
//! # Ok::<(), games::othello::TextError>(())
//! ```

mod flips;
mod moves;
mod position;
mod text;

pub use flips::{flips, mobility};
pub use moves::{Move, MoveTextError, Square};
pub use position::Position;
pub use text::TextError;
