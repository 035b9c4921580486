//! Tries in algebraic notation, resolved by the own men alone: the mover does not know the truth.

use super::{File, Own, Piece, Rank, Square, Try};
use std::fmt;

/// A text that is no try, or not just one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AlgebraicError {
    /// Not the notation of a move.
    Text,
    /// None of the own men could move so.
    Nobody,
    /// Several could.
    Ambiguous {
        /// The tries it could be.
        tries: Vec<Try>,
    },
}

impl fmt::Display for AlgebraicError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AlgebraicError::Text => {
                f.write_str("this is no move; write it like Nf3, exd5, O-O, e8=Q or e2e4")
            }
            AlgebraicError::Nobody => f.write_str("none of your men can move so; try another move"),
            AlgebraicError::Ambiguous { tries } => {
                let tries: Vec<String> = tries.iter().map(Try::to_string).collect();
                write!(f, "this may be {}; write one of them", tries.join(" or "))
            }
        }
    }
}

impl std::error::Error for AlgebraicError {}

/// What a notation says of a move.
struct Wanted {
    piece: Piece,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Piece>,
}

/// The one try of `own` that `text` can mean: `Nf3`, `Rad1`, `exd5`, `O-O`, `e8=Q`, each with `+` or
/// `#` behind it or not. Whether a piece captures is not asked, since the mover cannot know.
///
/// # Errors
///
/// If the text is no notation, or names no try or several.
pub fn algebraic(text: &str, own: &Own) -> Result<Try, AlgebraicError> {
    let text = text.trim_ascii().trim_end_matches(['+', '#', '!', '?']);
    let wanted = read(text, own).ok_or(AlgebraicError::Text)?;
    let mut tries = own.tries(true);
    tries.retain(|&attempt| wanted.fits(attempt, own));
    match tries.as_slice() {
        [] => Err(AlgebraicError::Nobody),
        &[attempt] => Ok(attempt),
        _ => Err(AlgebraicError::Ambiguous { tries }),
    }
}

impl Wanted {
    fn fits(&self, attempt: Try, own: &Own) -> bool {
        let Try { from, to, promotion } = attempt;
        let straight = self.piece != Piece::Pawn || self.file.is_some() || from.file() == to.file();
        own.men(self.piece).has(from)
            && straight
            && to == self.to
            && promotion == self.promotion
            && self.file.is_none_or(|file| file == from.file())
            && self.rank.is_none_or(|rank| rank == from.rank())
    }
}

fn read(text: &str, own: &Own) -> Option<Wanted> {
    if !text.is_ascii() {
        return None;
    }
    match text {
        "O-O" | "0-0" => return Some(castling(own, File::G)),
        "O-O-O" | "0-0-0" => return Some(castling(own, File::C)),
        _ => {}
    }
    let (text, promotion) = promotion(text)?;
    let (piece, text) = piece(text);
    let (origin, to) = text.split_at_checked(text.len().checked_sub(2)?)?;
    let to = to.parse().ok()?;
    let origin = origin.strip_suffix('x').unwrap_or(origin);
    let mut origin = origin.chars().peekable();
    let file = origin.peek().and_then(|&c| File::try_from(c).ok());
    file.and_then(|_| origin.next());
    let rank = origin.peek().and_then(|&c| Rank::try_from(c).ok());
    rank.and_then(|_| origin.next());
    origin.next().is_none().then_some(Wanted { piece, file, rank, to, promotion })
}

fn castling(own: &Own, to: File) -> Wanted {
    let to = Square::new(to, Rank::First.relative_to(own.side()));
    let file = Some(File::E);
    Wanted { piece: Piece::King, file, rank: None, to, promotion: None }
}

/// The text without its promotion, and what is promoted to.
fn promotion(text: &str) -> Option<(&str, Option<Piece>)> {
    let Some((text, letter)) = text.split_once('=') else { return Some((text, None)) };
    match piece(letter) {
        (Piece::Pawn | Piece::King, _) => None,
        (piece, "") => Some((text, Some(piece))),
        _ => None,
    }
}

/// The piece that the text starts with, and the rest.
fn piece(text: &str) -> (Piece, &str) {
    let letters = [
        ('N', Piece::Knight),
        ('B', Piece::Bishop),
        ('R', Piece::Rook),
        ('Q', Piece::Queen),
        ('K', Piece::King),
    ];
    let named = letters.iter().find_map(|&(c, piece)| Some((piece, text.strip_prefix(c)?)));
    named.unwrap_or((Piece::Pawn, text))
}
