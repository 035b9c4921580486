//! FEN of a true position, with the reasons for refusing one.

use super::{BitBoard, Color, File, Piece, Position, Rank, Square, color_name};
use cozy_chess::{Board, BoardBuilder, BoardBuilderError, CastleRights, get_king_moves};
use std::fmt;
use std::str::FromStr;

/// A longer text cannot be a FEN and is refused unread.
const MAX_FEN_BYTES: usize = 120;

/// Why a text is not the FEN of a valid position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FenError {
    /// Longer than any FEN.
    TooLong {
        /// The length of the text.
        bytes: usize,
    },
    /// Not six fields.
    Fields {
        /// The number of fields.
        found: usize,
    },
    /// Not eight ranks.
    Ranks {
        /// The number of ranks.
        found: usize,
    },
    /// A rank that has not eight squares.
    Width {
        /// The number of the rank, from 1.
        rank: usize,
        /// The number of squares.
        found: usize,
    },
    /// A character that is not a piece.
    Letter {
        /// The character.
        letter: char,
    },
    /// The second field is neither `w` nor `b`.
    Turn,
    /// A side does not have exactly one king.
    Kings {
        /// The color of the side.
        color: Color,
        /// The number of its kings.
        found: u32,
    },
    /// A side has more than 16 pieces or more than 8 pawns.
    TooMany {
        /// The color of the side.
        color: Color,
    },
    /// A pawn on the first or the last rank.
    Pawn {
        /// The square of the pawn.
        square: Square,
    },
    /// The kings stand on adjacent squares.
    KingsTouch,
    /// The side that is not to move is in check.
    Check {
        /// The color of that side.
        color: Color,
    },
    /// More than two pieces give check.
    Checkers,
    /// The third field is not a selection of `KQkq`, in this order, or `-`.
    Castling,
    /// Castling rights for a king or rook that is not on its home square.
    NotAtHome {
        /// The letter in the third field.
        letter: char,
    },
    /// The fourth field is not a square behind a pawn that can just have made a double step.
    EnPassant,
    /// The fifth field is not a number from 0 to 65535.
    Clock,
    /// The sixth field is not a number from 1 to 65535.
    Number,
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            FenError::TooLong { bytes } => {
                write!(f, "the text has {bytes} bytes and no FEN has over {MAX_FEN_BYTES}")
            }
            FenError::Fields { found } => write!(
                f,
                "a FEN has six fields (pieces, side to move, castling, en passant, clock, move) and there are {found}"
            ),
            FenError::Ranks { found } => {
                write!(f, "there are {found} ranks instead of 8; separate them by /")
            }
            FenError::Width { rank, found } => {
                write!(f, "rank {rank} has {found} squares instead of 8")
            }
            FenError::Letter { letter } => {
                write!(f, "{letter:?} is not a piece; use KQRBNP, kqrbnp, and digits for empty squares")
            }
            FenError::Turn => f.write_str("the side to move is neither w nor b"),
            FenError::Kings { color, found } => {
                write!(f, "{} has {found} kings; put exactly one on the board", color_name(color))
            }
            FenError::TooMany { color } => {
                write!(f, "{} has more than 16 pieces or more than 8 pawns; remove some", color_name(color))
            }
            FenError::Pawn { square } => {
                write!(f, "a pawn stands on {square}, where none can; move or promote it")
            }
            FenError::KingsTouch => {
                f.write_str("the kings stand side by side, which no move can cause; move one away")
            }
            FenError::Check { color } => {
                let name = color_name(color);
                write!(f, "{name} is in check and not to move; change the side to move")
            }
            FenError::Checkers => {
                f.write_str("more than two pieces give check, which no move can cause; remove some")
            }
            FenError::Castling => {
                f.write_str("the castling rights are neither - nor some of KQkq in this order")
            }
            FenError::NotAtHome { letter } => write!(
                f,
                "castling by {letter} is allowed, but king or rook is not at home; remove the letter"
            ),
            FenError::EnPassant => f.write_str(
                "the en-passant square is not behind a pawn that has just made a double step; write - there",
            ),
            FenError::Clock => f.write_str(
                "the half-move clock is not a number from 0 to 65535; write 0 if it does not matter",
            ),
            FenError::Number => f.write_str(
                "the move number is not a number from 1 to 65535; write 1 if it does not matter",
            ),
        }
    }
}

impl std::error::Error for FenError {}

impl FromStr for Position {
    type Err = FenError;

    /// Reads a FEN of six fields. The half-move clock may be over 100. An en passant square without
    /// a legal capture is dropped when the position is written again.
    fn from_str(text: &str) -> Result<Position, FenError> {
        let text = text.trim_ascii();
        if text.len() > MAX_FEN_BYTES {
            return Err(FenError::TooLong { bytes: text.len() });
        }
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        let &[placement, turn, castling, en_passant, clock, number] = fields.as_slice() else {
            return Err(FenError::Fields { found: fields.len() });
        };
        let mut builder = BoardBuilder::empty();
        read_placement(&mut builder, placement)?;
        builder.side_to_move = read_turn(turn)?;
        check_placement(&builder)?;
        read_castling(&mut builder, castling)?;
        builder.en_passant = read_en_passant(en_passant)?;
        let clock = read_number(clock).ok_or(FenError::Clock)?;
        builder.halfmove_clock = clock.min(100) as u8;
        builder.fullmove_number = read_number(number).filter(|&n| n > 0).ok_or(FenError::Number)?;
        let board = builder.build().map_err(|error| board_error(error, builder.side_to_move))?;
        if get_king_moves(board.king(Color::White)).has(board.king(Color::Black)) {
            return Err(FenError::KingsTouch);
        }
        if board.checkers().len() > 2 {
            return Err(FenError::Checkers);
        }
        Ok(Position::new(board, clock))
    }
}

/// The errors that cozy-chess can still find after the pieces have been checked.
fn board_error(error: BoardBuilderError, turn: Color) -> FenError {
    match error {
        BoardBuilderError::InvalidBoard => FenError::Check { color: !turn },
        BoardBuilderError::InvalidCastlingRights => FenError::Castling,
        BoardBuilderError::InvalidEnPassant => FenError::EnPassant,
        BoardBuilderError::InvalidHalfMoveClock => FenError::Clock,
        BoardBuilderError::InvalidFullmoveNumber => FenError::Number,
    }
}

fn read_placement(builder: &mut BoardBuilder, text: &str) -> Result<(), FenError> {
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
            let piece = read_piece(letter)?;
            if let Some(square) = square(file, rank) {
                *builder.square_mut(square) = Some(piece);
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

fn read_piece(letter: char) -> Result<(Piece, Color), FenError> {
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

fn check_placement(builder: &BoardBuilder) -> Result<(), FenError> {
    let mut pieces = [BitBoard::EMPTY; 2];
    let (mut kings, mut pawns) = (pieces, pieces);
    for square in Square::ALL {
        if let Some((piece, color)) = builder.square(square) {
            let bit = square.bitboard();
            pieces[color as usize] |= bit;
            match piece {
                Piece::King => kings[color as usize] |= bit,
                Piece::Pawn => pawns[color as usize] |= bit,
                _ => {}
            }
        }
    }
    for color in Color::ALL {
        let of = |sets: [BitBoard; 2]| sets[color as usize];
        let found = of(kings).len();
        if found != 1 {
            return Err(FenError::Kings { color, found });
        }
        if of(pieces).len() > 16 || of(pawns).len() > 8 {
            return Err(FenError::TooMany { color });
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
    let rights_by_letter = [
        ('K', Color::White, File::H),
        ('Q', Color::White, File::A),
        ('k', Color::Black, File::H),
        ('q', Color::Black, File::A),
    ];
    let mut letters = text.chars().peekable();
    for (letter, color, file) in rights_by_letter {
        if letters.next_if_eq(&letter).is_none() {
            continue;
        }
        let home = Rank::First.relative_to(color);
        let at = |file, piece| builder.square(Square::new(file, home)) == Some((piece, color));
        if !at(File::E, Piece::King) || !at(file, Piece::Rook) {
            return Err(FenError::NotAtHome { letter });
        }
        let rights = builder.castle_rights_mut(color);
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

/// The FEN, with the en passant square only if a capture there is legal.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&placement_text(self.board()))?;
        f.write_str(if self.turn() == Color::White { " w " } else { " b " })?;
        f.write_str(&castling_text(self.board()))?;
        match self.en_passant() {
            Some(square) => write!(f, " {square}")?,
            None => f.write_str(" -")?,
        }
        write!(f, " {} {}", self.clock(), self.board().fullmove_number())
    }
}

fn placement_text(board: &Board) -> String {
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
    let [white, black] = Color::ALL.map(|color| *board.castle_rights(color));
    let rights = [(white.short, 'K'), (white.long, 'Q'), (black.short, 'k'), (black.long, 'q')];
    let text: String =
        rights.iter().filter(|right| right.0.is_some()).map(|right| right.1).collect();
    if text.is_empty() { "-".into() } else { text }
}
