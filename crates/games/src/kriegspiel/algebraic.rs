//! Tries in algebraic notation, resolved by the own pieces alone, since the player sees no others.

use super::{File, OwnPieces, Piece, Rank, Square, Try};
use std::fmt;

/// Why a text does not denote exactly one try.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AlgebraicError {
    /// Not algebraic notation.
    Syntax,
    /// No own piece can make the move.
    NoMatch,
    /// Several own pieces can make the move.
    Ambiguous {
        /// The tries that match.
        tries: Vec<Try>,
    },
}

impl fmt::Display for AlgebraicError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AlgebraicError::Syntax => {
                f.write_str("this is no move; write it like Nf3, exd5, O-O, e8=Q or e2e4")
            }
            AlgebraicError::NoMatch => {
                f.write_str("none of your pieces can make this move; try another one")
            }
            AlgebraicError::Ambiguous { tries } => {
                let tries: Vec<String> = tries.iter().map(Try::to_string).collect();
                write!(f, "this may be {}; write one of them", tries.join(" or "))
            }
        }
    }
}

impl std::error::Error for AlgebraicError {}

/// The parts of a move in algebraic notation.
struct Pattern {
    piece: Piece,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Piece>,
}

/// Parses a try in algebraic notation: `Nf3`, `Rad1`, `exd5`, `O-O`, `e8=Q`, each optionally
/// followed by `+` or `#`. Whether a piece captures is not checked, since the player cannot know.
///
/// # Errors
///
/// If the text is not algebraic notation, or if no try or more than one matches.
pub fn algebraic(text: &str, own: &OwnPieces) -> Result<Try, AlgebraicError> {
    let text = text.trim_ascii().trim_end_matches(['+', '#', '!', '?']);
    let pattern = parse(text, own).ok_or(AlgebraicError::Syntax)?;
    let mut tries = own.tries(true);
    tries.retain(|&attempt| pattern.matches(attempt, own));
    match tries.as_slice() {
        [] => Err(AlgebraicError::NoMatch),
        &[attempt] => Ok(attempt),
        _ => Err(AlgebraicError::Ambiguous { tries }),
    }
}

impl Pattern {
    fn matches(&self, attempt: Try, own: &OwnPieces) -> bool {
        let Try { from, to, promotion } = attempt;
        let straight = self.piece != Piece::Pawn || self.file.is_some() || from.file() == to.file();
        own.pieces(self.piece).has(from)
            && straight
            && to == self.to
            && promotion == self.promotion
            && self.file.is_none_or(|file| file == from.file())
            && self.rank.is_none_or(|rank| rank == from.rank())
    }
}

fn parse(text: &str, own: &OwnPieces) -> Option<Pattern> {
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
    origin.next().is_none().then_some(Pattern { piece, file, rank, to, promotion })
}

fn castling(own: &OwnPieces, to: File) -> Pattern {
    let to = Square::new(to, Rank::First.relative_to(own.color()));
    let file = Some(File::E);
    Pattern { piece: Piece::King, file, rank: None, to, promotion: None }
}

/// Splits the promotion off the text.
fn promotion(text: &str) -> Option<(&str, Option<Piece>)> {
    let Some((text, letter)) = text.split_once('=') else { return Some((text, None)) };
    match piece(letter) {
        (Piece::Pawn | Piece::King, _) => None,
        (piece, "") => Some((text, Some(piece))),
        _ => None,
    }
}

/// Splits the leading piece letter off the text; a pawn has none.
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
