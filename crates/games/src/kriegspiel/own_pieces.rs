//! What a side sees of the board: its own pieces.

use super::{BitBoard, Color, File, Piece, Rank, Square, Try};
use cozy_chess::{
    Board, get_between_rays, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_pawn_quiets, get_rook_moves,
};

/// The castling rights of a side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Castling {
    /// With the rook on the h-file.
    pub short: bool,
    /// With the rook on the a-file.
    pub long: bool,
}

/// The pieces of one side and its castling rights.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OwnPieces {
    color: Color,
    pieces: [BitBoard; Piece::NUM],
    castling: Castling,
}

/// The pieces that a pawn can promote to, the best first.
const PROMOTIONS: [Piece; 4] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];

impl OwnPieces {
    pub(super) fn of(board: &Board, color: Color) -> OwnPieces {
        let rights = board.castle_rights(color);
        OwnPieces {
            color,
            pieces: Piece::ALL.map(|piece| board.colored_pieces(color, piece)),
            castling: Castling { short: rights.short.is_some(), long: rights.long.is_some() },
        }
    }

    /// Pieces on these squares, indexed by [`Piece`], without castling rights.
    pub const fn new(color: Color, pieces: [BitBoard; Piece::NUM]) -> OwnPieces {
        OwnPieces { color, pieces, castling: Castling { short: false, long: false } }
    }

    /// The color of the pieces.
    pub const fn color(&self) -> Color {
        self.color
    }

    /// The squares of all pieces of this kind.
    pub const fn pieces(&self, piece: Piece) -> BitBoard {
        self.pieces[piece as usize]
    }

    /// The squares of all pieces.
    pub fn all(&self) -> BitBoard {
        self.pieces.iter().fold(BitBoard::EMPTY, |all, &pieces| all | pieces)
    }

    /// The castling rights.
    pub const fn castling(&self) -> Castling {
        self.castling
    }

    /// The piece on a square.
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        Piece::ALL.into_iter().find(|&piece| self.pieces(piece).has(square))
    }

    /// The square of the king; never `None` for pieces taken from a [`Position`](super::Position).
    pub fn king(&self) -> Option<Square> {
        self.pieces(Piece::King).next_square()
    }

    /// Every try that may be legal if nothing but these pieces is known, in a fixed order. Pawn
    /// captures are included only if `pawn_captures`, which the umpire announces.
    pub fn tries(&self, pawn_captures: bool) -> Vec<Try> {
        let mut tries = Vec::with_capacity(64);
        self.for_each_try(pawn_captures, |attempt| tries.push(attempt));
        tries
    }

    /// Calls `visit` with each of [`OwnPieces::tries`].
    pub fn for_each_try(&self, pawn_captures: bool, mut visit: impl FnMut(Try)) {
        let all = self.all();
        for piece in Piece::ALL {
            for from in self.pieces(piece) {
                let to = self.destinations(piece, from, all, pawn_captures);
                for to in to & !all {
                    self.each_promotion(piece, Try::new(from, to), &mut visit);
                }
            }
        }
    }

    fn each_promotion(&self, piece: Piece, attempt: Try, visit: &mut impl FnMut(Try)) {
        if piece == Piece::Pawn && attempt.to.rank() == Rank::Eighth.relative_to(self.color) {
            PROMOTIONS.into_iter().for_each(|piece| {
                visit(Try { promotion: Some(piece), ..attempt });
            });
        } else {
            visit(attempt);
        }
    }

    fn destinations(
        &self,
        piece: Piece,
        from: Square,
        all: BitBoard,
        pawn_captures: bool,
    ) -> BitBoard {
        match piece {
            Piece::Pawn => {
                let captures = get_pawn_attacks(from, self.color);
                let captures = if pawn_captures { captures } else { BitBoard::EMPTY };
                get_pawn_quiets(from, self.color, all) | captures
            }
            Piece::King => get_king_moves(from) | self.castling_targets(from, all),
            _ => attacks(piece, from, self.color, all),
        }
    }

    fn castling_targets(&self, king: Square, all: BitBoard) -> BitBoard {
        let options =
            [(self.castling.short, File::H, File::G), (self.castling.long, File::A, File::C)];
        let mut targets = BitBoard::EMPTY;
        for (allowed, rook, to) in options {
            let between = get_between_rays(king, Square::new(rook, king.rank()));
            if allowed && (between & all).is_empty() {
                targets |= Square::new(to, king.rank()).bitboard();
            }
        }
        targets
    }

    /// The pieces after a legal move of this side.
    #[must_use]
    pub fn moved(&self, attempt: Try) -> OwnPieces {
        let mut after = *self;
        let Try { from, to, promotion } = attempt;
        let Some(piece) = self.piece_on(from) else { return after };
        after.pieces[piece as usize] ^= from.bitboard();
        after.pieces[promotion.unwrap_or(piece) as usize] |= to.bitboard();
        if piece == Piece::King {
            if !get_king_moves(from).has(to) {
                after.castle_rook(to);
            }
            after.castling = Castling::default();
        }
        after.revoke_castling(from);
        after
    }

    fn castle_rook(&mut self, king: Square) {
        let (from, to) =
            if king.file() == File::G { (File::H, File::F) } else { (File::A, File::D) };
        let rooks = &mut self.pieces[Piece::Rook as usize];
        *rooks ^= Square::new(from, king.rank()).bitboard();
        *rooks |= Square::new(to, king.rank()).bitboard();
    }

    /// The pieces after the one on `square` was captured.
    #[must_use]
    pub fn captured(&self, square: Square) -> OwnPieces {
        let mut after = *self;
        after.pieces.iter_mut().for_each(|pieces| *pieces &= !square.bitboard());
        after.revoke_castling(square);
        after
    }

    /// A rook that leaves its corner or is captured there loses the right to castle.
    fn revoke_castling(&mut self, square: Square) {
        if square.rank() == Rank::First.relative_to(self.color) {
            self.castling.short &= square.file() != File::H;
            self.castling.long &= square.file() != File::A;
        }
    }

    /// The squares that these pieces attack with `blockers` on the board.
    pub fn attacked(&self, blockers: BitBoard) -> BitBoard {
        let mut attacked = BitBoard::EMPTY;
        for piece in Piece::ALL {
            for from in self.pieces(piece) {
                attacked |= attacks(piece, from, self.color, blockers);
            }
        }
        attacked
    }
}

/// The squares that a piece attacks.
pub(super) fn attacks(piece: Piece, from: Square, color: Color, blockers: BitBoard) -> BitBoard {
    match piece {
        Piece::Pawn => get_pawn_attacks(from, color),
        Piece::Knight => get_knight_moves(from),
        Piece::Bishop => get_bishop_moves(from, blockers),
        Piece::Rook => get_rook_moves(from, blockers),
        Piece::Queen => get_bishop_moves(from, blockers) | get_rook_moves(from, blockers),
        Piece::King => get_king_moves(from),
    }
}
