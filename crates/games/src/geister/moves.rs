//! Moves and their text.

use super::board::{Bitboard, Board, Square};
use std::fmt;
use std::str::FromStr;

/// One move of either side. Coordinates are always those of the bottom side's view.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// One orthogonal step, onto an empty square or a ghost of the opponent.
    Step {
        /// Where the ghost stands.
        from: Square,
        /// Where it goes.
        to: Square,
    },
    /// A blue ghost on an exit of its side leaves the board, and wins.
    Escape {
        /// The exit.
        from: Square,
    },
}

impl Move {
    /// Where the moving ghost stands.
    pub const fn from(self) -> Square {
        match self {
            Move::Step { from, .. } | Move::Escape { from } => from,
        }
    }

    /// Where it goes, if it stays on the board.
    pub const fn to(self) -> Option<Square> {
        match self {
            Move::Step { to, .. } => Some(to),
            Move::Escape { .. } => None,
        }
    }

    /// The move with every square passed through `map`.
    #[must_use]
    pub fn map(self, map: impl Fn(Square) -> Square) -> Move {
        match self {
            Move::Step { from, to } => Move::Step { from: map(from), to: map(to) },
            Move::Escape { from } => Move::Escape { from: map(from) },
        }
    }
}

/// All steps from `ghosts` to squares outside `own`, then the escapes from `escaping`.
pub(super) fn generate<B: Board>(ghosts: Bitboard, own: Bitboard, escaping: Bitboard) -> Vec<Move> {
    let steps = ghosts.steps::<B>(!own).map(|(from, to)| Move::Step { from, to });
    steps.chain(escaping.map(|from| Move::Escape { from })).collect()
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Step { from, to } => write!(f, "{from}{to}"),
            Move::Escape { from } => write!(f, "{from}-out"),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Text that is not a move at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveTextError;

impl fmt::Display for MoveTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a move; write a step as `a2a3` and leaving the board as `a6-out`")
    }
}

impl std::error::Error for MoveTextError {}

impl FromStr for Move {
    type Err = MoveTextError;

    /// Reads `a2a3` or `a6-out`. Whether it is legal anywhere is not looked at.
    fn from_str(text: &str) -> Result<Move, MoveTextError> {
        let (from, rest) = text.split_at_checked(2).ok_or(MoveTextError)?;
        let from = Square::from_name(from).ok_or(MoveTextError)?;
        if rest == "-out" {
            return Ok(Move::Escape { from });
        }
        let to = Square::from_name(rest).ok_or(MoveTextError)?;
        Ok(Move::Step { from, to })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        for text in ["a2a3", "f6e6", "a6-out", "f1-out"] {
            assert_eq!(text.parse::<Move>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn invalid_moves_are_refused() {
        for text in ["", "a", "a2", "a2a", "a2a3a", "g1a1", "a6out", "é2a3", "aé2", "a2-OUT"] {
            assert_eq!(text.parse::<Move>(), Err(MoveTextError), "{text}");
        }
    }
}
