//! Kriegspiel: chess without seeing the opponent's pieces, under the rules of "wild 16".
//!
//! A turn is a series of tries. The first one that is legal on the true board is the move; any
//! other is refused without a reason, and only the player who tried hears of it. After a move both
//! players hear the same announcement: what was captured and where, from which directions the king
//! is in check, and how many pawn captures the side to move has.
//!
//! * [`Position`] is the true position and [`umpire()`] the umpire: a pure function of it and a
//!   [`Try`].
//! * [`Game`] adds what needs a history: repetition, fifty moves, and the [`Event`]s of each side.
//! * [`Observation`] is what a side sees at one moment.
//! * [`Metaposition`] is what a side can infer from all announcements.
//! * [`pgn`] reads and writes games as text.
//! * [`OwnPieces`] is what a side sees of the board.
//!
//! ```
//! use games::kriegspiel::{Ruling, Position, umpire};
//!
//! let position: Position = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1".parse()?;
//! let Ruling::Legal { announcement, .. } = umpire(&position, "e4d5".parse()?) else { panic!() };
//! assert_eq!(announcement.to_string(), "Black to move. Pawn captured at d5.");
//! assert_eq!(umpire(&position, "e4f5".parse()?), Ruling::Illegal);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The rules of chess come from the crate cozy-chess, whose squares, pieces and bitboards are used
//! directly.

mod algebraic;
mod announcement;
mod attempt;
mod fen;
mod game;
mod hidden;
mod meta;
mod observation;
mod own_pieces;
mod particles;
pub mod pgn;
mod position;
mod umpire;

pub use algebraic::{AlgebraicError, algebraic};
pub use announcement::{Announcement, Capture, CapturedKind, Check, Checks, Termination};
pub use attempt::{Try, TryTextError};
pub use cozy_chess::{BitBoard, Color, File, Piece, Rank, Square};
pub use fen::FenError;
pub use game::{Game, GameOver, Reply, Turn};
pub use hidden::{Outcome, color};
pub use meta::{InferenceRules, LoneKing, Metaposition, TryResult};
pub use observation::{Event, Observation, refused_tries};
pub use own_pieces::{Castling, OwnPieces};
pub use position::Position;
pub use umpire::{Ruling, umpire};

/// The name of a color, as the umpire says it.
pub const fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}
