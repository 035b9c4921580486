//! A try, and its text.

use super::{Piece, Square};
use std::fmt;
use std::str::FromStr;

/// A move that a player proposes to the umpire, who rules whether it is legal.
///
/// Its text is UCI notation: `e2e4`, `e7e8q`, and castling as the king's move, `e1g1`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Try {
    /// The origin square.
    pub from: Square,
    /// The destination square.
    pub to: Square,
    /// The piece that a pawn promotes to on the last rank.
    pub promotion: Option<Piece>,
}

impl Try {
    /// A try without a promotion.
    pub const fn new(from: Square, to: Square) -> Try {
        Try { from, to, promotion: None }
    }
}

impl fmt::Display for Try {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        self.promotion.map_or(Ok(()), |piece| write!(f, "{piece}"))
    }
}

impl fmt::Debug for Try {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why a text is not a valid try.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TryTextError {
    /// Neither four nor five characters.
    Length,
    /// The first two characters are not a square.
    From,
    /// The third and fourth characters are not a square.
    To,
    /// The fifth character is not one of `q`, `r`, `b`, `n`.
    Promotion,
}

impl fmt::Display for TryTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TryTextError::Length => {
                "a try is two squares such as e2e4, followed by a letter for a promotion (e7e8q)"
            }
            TryTextError::From => "the try does not start with a square; write it like e2e4",
            TryTextError::To => "the try does not lead to a square; write it like e2e4",
            TryTextError::Promotion => "a pawn becomes q, r, b or n; write it like e7e8q",
        })
    }
}

impl std::error::Error for TryTextError {}

impl FromStr for Try {
    type Err = TryTextError;

    fn from_str(text: &str) -> Result<Try, TryTextError> {
        if !text.is_ascii() || !(4..=5).contains(&text.len()) {
            return Err(TryTextError::Length);
        }
        let from = text[..2].parse().map_err(|_| TryTextError::From)?;
        let to = text[2..4].parse().map_err(|_| TryTextError::To)?;
        let promotion = match &text[4..] {
            "" => None,
            letter => Some(promotion(letter).ok_or(TryTextError::Promotion)?),
        };
        Ok(Try { from, to, promotion })
    }
}

fn promotion(letter: &str) -> Option<Piece> {
    Some(match letter {
        "q" => Piece::Queen,
        "r" => Piece::Rook,
        "b" => Piece::Bishop,
        "n" => Piece::Knight,
        _ => return None,
    })
}
