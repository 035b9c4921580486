//! The text of a true position: FEN, with every reason for which one is refused.

use super::{BitBoard, Color, File, Piece, Position, Rank, Square, name};
use cozy_chess::{Board, BoardBuilder, BoardBuilderError, CastleRights, get_king_moves};
use std::fmt;
use std::str::FromStr;

/// A longer text cannot be a position; nothing of it is looked at.
const LONGEST: usize = 120;

/// Text that is no true position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FenError {
    /// Longer than any position.
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// Not six fields.
    Fields {
        /// How many there are.
        found: usize,
    },
    /// Not eight ranks.
    Ranks {
        /// How many there are.
        found: usize,
    },
    /// A rank that is too short or too long.
    Width {
        /// Its number on the board.
        rank: usize,
        /// Squares found.
        found: usize,
    },
    /// A character that is no man.
    Letter {
        /// The character.
        letter: char,
    },
    /// The second field is neither `w` nor `b`.
    Turn,
    /// A side has not exactly one king.
    Kings {
        /// The side.
        side: Color,
        /// How many it has.
        found: u32,
    },
    /// A side has more than 16 men or more than 8 pawns.
    TooMany {
        /// The side.
        side: Color,
    },
    /// A pawn on the first or the last rank.
    Pawn {
        /// Where it is.
        square: Square,
    },
    /// The kings stand side by side.
    KingsTouch,
    /// The side that is not to move is in check.
    Check {
        /// That side.
        side: Color,
    },
    /// More than two men give check.
    Checkers,
    /// The third field is not a selection of `KQkq`, in this order, or `-`.
    Castling,
    /// Castling is allowed for a king or rook that is not at home.
    NotAtHome {
        /// The letter of the third field.
        letter: char,
    },
    /// The fourth field is no square behind a pawn that can just have made a double step.
    EnPassant,
    /// The fifth field is no plain number.
    Clock,
    /// The sixth field is no number from 1 to 65535.
    Number,
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            FenError::TooLong { bytes } => {
                write!(f, "the text has {bytes} bytes and no FEN has over {LONGEST}")
            }
            FenError::Fields { found } => write!(
                f,
                "a FEN has six fields (men, side to move, castling, en passant, clock, move) and there are {found}"
            ),
            FenError::Ranks { found } => {
                write!(f, "there are {found} ranks in place of 8; join them by /")
            }
            FenError::Width { rank, found } => {
                write!(f, "rank {rank} has {found} squares in place of 8")
            }
            FenError::Letter { letter } => {
                write!(f, "{letter:?} is no man; use KQRBNP, kqrbnp, and digits for empty squares")
            }
            FenError::Turn => f.write_str("the side to move is neither w nor b"),
            FenError::Kings { side, found } => {
                write!(f, "{} has {found} kings; put exactly one on the board", name(side))
            }
            FenError::TooMany { side } => {
                write!(f, "{} has more than 16 men or more than 8 pawns; take some away", name(side))
            }
            FenError::Pawn { square } => {
                write!(f, "a pawn stands on {square}, where none can; move or promote it")
            }
            FenError::KingsTouch => {
                f.write_str("the kings stand side by side, which no move leads to; move one away")
            }
            FenError::Check { side } => {
                let side = name(side);
                write!(f, "{side} is in check and not to move; change the side to move")
            }
            FenError::Checkers => {
                f.write_str("more than two men give check, which no move leads to; take some away")
            }
            FenError::Castling => {
                f.write_str("the castling rights are neither - nor some of KQkq in this order")
            }
            FenError::NotAtHome { letter } => write!(
                f,
                "castling by {letter} is allowed, but king or rook is not at home; take the letter away"
            ),
            FenError::EnPassant => f.write_str(
                "the en-passant square is not behind a pawn that has just made a double step; write - there",
            ),
            FenError::Clock => f.write_str(
                "the half-move clock is no number from 0 to 65535; write 0 if it does not matter",
            ),
            FenError::Number => f.write_str(
                "the move number is no number from 1 to 65535; write 1 if it does not matter",
            ),
        }
    }
}

impl std::error::Error for FenError {}

impl FromStr for Position {
    type Err = FenError;

    /// Reads a FEN of six fields. A half-move clock over 100 is fine; a square for a capture en
    /// passant that nobody can make is forgotten when the position is written again.
    fn from_str(text: &str) -> Result<Position, FenError> {
        let text = text.trim_ascii();
        if text.len() > LONGEST {
            return Err(FenError::TooLong { bytes: text.len() });
        }
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        let &[men, turn, castling, en_passant, clock, number] = fields.as_slice() else {
            return Err(FenError::Fields { found: fields.len() });
        };
        let mut builder = BoardBuilder::empty();
        read_men(&mut builder, men)?;
        builder.side_to_move = read_turn(turn)?;
        check_men(&builder)?;
        read_castling(&mut builder, castling)?;
        builder.en_passant = read_en_passant(en_passant)?;
        let clock = read_number(clock).ok_or(FenError::Clock)?;
        builder.halfmove_clock = clock.min(100) as u8;
        builder.fullmove_number = read_number(number).filter(|&n| n > 0).ok_or(FenError::Number)?;
        let board = builder.build().map_err(|error| refusal(error, builder.side_to_move))?;
        if get_king_moves(board.king(Color::White)).has(board.king(Color::Black)) {
            return Err(FenError::KingsTouch);
        }
        if board.checkers().len() > 2 {
            return Err(FenError::Checkers);
        }
        Ok(Position::new(board, clock))
    }
}

/// What is left for cozy-chess to find once the men are checked.
fn refusal(error: BoardBuilderError, turn: Color) -> FenError {
    match error {
        BoardBuilderError::InvalidBoard => FenError::Check { side: !turn },
        BoardBuilderError::InvalidCastlingRights => FenError::Castling,
        BoardBuilderError::InvalidEnPassant => FenError::EnPassant,
        BoardBuilderError::InvalidHalfMoveClock => FenError::Clock,
        BoardBuilderError::InvalidFullmoveNumber => FenError::Number,
    }
}

fn read_men(builder: &mut BoardBuilder, text: &str) -> Result<(), FenError> {
    let found = text.split('/').count();
    if found != 8 {
        return Err(FenError::Ranks { found });
    }
    for (rank, row) in text.rsplit('/').enumerate() {
        let mut file = 0;
        for letter in row.chars() {
            if let Some(empty) = letter.to_digit(10) {
                file += empty as usize;
                continue;
            }
            let man = read_man(letter)?;
            if let Some(square) = square(file, rank) {
                *builder.square_mut(square) = Some(man);
            }
            file += 1;
        }
        if file != 8 {
            return Err(FenError::Width { rank: rank + 1, found: file });
        }
    }
    Ok(())
}

fn square(file: usize, rank: usize) -> Option<Square> {
    Some(Square::new(File::try_index(file)?, Rank::try_index(rank)?))
}

fn read_man(letter: char) -> Result<(Piece, Color), FenError> {
    let piece = letter.to_ascii_lowercase().try_into().map_err(|_| FenError::Letter { letter })?;
    Ok((piece, if letter.is_ascii_uppercase() { Color::White } else { Color::Black }))
}

fn read_turn(text: &str) -> Result<Color, FenError> {
    match text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(FenError::Turn),
    }
}

fn check_men(builder: &BoardBuilder) -> Result<(), FenError> {
    let mut men = [BitBoard::EMPTY; 2];
    let (mut kings, mut pawns) = (men, men);
    for square in Square::ALL {
        if let Some((piece, side)) = builder.square(square) {
            let bit = square.bitboard();
            men[side as usize] |= bit;
            match piece {
                Piece::King => kings[side as usize] |= bit,
                Piece::Pawn => pawns[side as usize] |= bit,
                _ => {}
            }
        }
    }
    for side in Color::ALL {
        let of = |sets: [BitBoard; 2]| sets[side as usize];
        let found = of(kings).len();
        if found != 1 {
            return Err(FenError::Kings { side, found });
        }
        if of(men).len() > 16 || of(pawns).len() > 8 {
            return Err(FenError::TooMany { side });
        }
        let edge = Rank::First.bitboard() | Rank::Eighth.bitboard();
        if let Some(square) = (of(pawns) & edge).next_square() {
            return Err(FenError::Pawn { square });
        }
    }
    Ok(())
}

fn read_castling(builder: &mut BoardBuilder, text: &str) -> Result<(), FenError> {
    builder.castle_rights = [CastleRights::EMPTY; 2];
    if text == "-" {
        return Ok(());
    }
    let ways = [
        ('K', Color::White, File::H),
        ('Q', Color::White, File::A),
        ('k', Color::Black, File::H),
        ('q', Color::Black, File::A),
    ];
    let mut letters = text.chars().peekable();
    for (letter, side, file) in ways {
        if letters.next_if_eq(&letter).is_none() {
            continue;
        }
        let home = Rank::First.relative_to(side);
        let at = |file, piece| builder.square(Square::new(file, home)) == Some((piece, side));
        if !at(File::E, Piece::King) || !at(file, Piece::Rook) {
            return Err(FenError::NotAtHome { letter });
        }
        let rights = builder.castle_rights_mut(side);
        let right = if file == File::H { &mut rights.short } else { &mut rights.long };
        *right = Some(file);
    }
    match letters.next() {
        None if !text.is_empty() => Ok(()),
        _ => Err(FenError::Castling),
    }
}

fn read_en_passant(text: &str) -> Result<Option<Square>, FenError> {
    match text {
        "-" => Ok(None),
        _ => text.parse().map(Some).map_err(|_| FenError::EnPassant),
    }
}

fn read_number(text: &str) -> Option<u16> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| plain)
}

/// The FEN. The en-passant square is written only if a capture there is legal.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&men_text(self.board()))?;
        f.write_str(if self.turn() == Color::White { " w " } else { " b " })?;
        f.write_str(&castling_text(self.board()))?;
        match self.en_passant() {
            Some(square) => write!(f, " {square}")?,
            None => f.write_str(" -")?,
        }
        write!(f, " {} {}", self.clock(), self.board().fullmove_number())
    }
}

fn men_text(board: &Board) -> String {
    let mut text = String::with_capacity(72);
    for rank in Rank::ALL.into_iter().rev() {
        let mut empty = 0;
        let flush = |empty: &mut u8, text: &mut String| {
            if *empty > 0 {
                text.push(char::from(b'0' + *empty));
            }
            *empty = 0;
        };
        for file in File::ALL {
            let square = Square::new(file, rank);
            let Some(piece) = board.piece_on(square) else {
                empty += 1;
                continue;
            };
            flush(&mut empty, &mut text);
            let letter = char::from(piece);
            let white = board.colors(Color::White).has(square);
            text.push(if white { letter.to_ascii_uppercase() } else { letter });
        }
        flush(&mut empty, &mut text);
        if rank != Rank::First {
            text.push('/');
        }
    }
    text
}

fn castling_text(board: &Board) -> String {
    let [white, black] = Color::ALL.map(|side| *board.castle_rights(side));
    let rights = [(white.short, 'K'), (white.long, 'Q'), (black.short, 'k'), (black.long, 'q')];
    let text: String =
        rights.iter().filter(|right| right.0.is_some()).map(|right| right.1).collect();
    if text.is_empty() { "-".into() } else { text }
}
