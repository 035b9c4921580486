//! Phantom tic-tac-toe: noughts and crosses without seeing the marks of the opponent.
//!
//! The players take turns; the first has X. A try on a square that the opponent has is refused:
//! the player learns that, still has the turn, and the opponent hears nothing. Otherwise the
//! opponent hears that a move was made, and nothing else. Three in a row win; a full board without
//! them is a draw.
//!
//! ```
//! use games::hidden::{HiddenGame, Reply};
//! use games::phantom_tic_tac_toe::Game;
//!
//! let mut game = Game::default();
//! assert_eq!(game.apply("b2".parse()?).unwrap().reply, Reply::Played);
//! assert_eq!(game.apply("b2".parse()?).unwrap().reply, Reply::Refused);
//! assert_eq!(game.apply("a1".parse()?).unwrap().reply, Reply::Played);
//! assert_eq!(game.to_string(), ".../.X./O..");
//! # Ok::<(), games::phantom_tic_tac_toe::SquareError>(())
//! ```

mod board;
mod game;
mod hidden;
mod metaposition;
mod resample;

pub use board::{LINES, Square, SquareError, Squares};
pub use game::{Event, Game, Observation, Outcome};
pub use hidden::{EmptyBoard, StartTextError};
pub use metaposition::Metaposition;
