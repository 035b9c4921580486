//! What a side sees of the board: its own men.

use super::{BitBoard, Color, File, Piece, Rank, Square, Try};
use cozy_chess::{
    Board, get_between_rays, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_pawn_quiets, get_rook_moves,
};

/// What a side may still castle to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Castling {
    /// With the rook on the h-file.
    pub short: bool,
    /// With the rook on the a-file.
    pub long: bool,
}

/// The men of one side, and how it may castle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Own {
    side: Color,
    men: [BitBoard; Piece::NUM],
    castling: Castling,
}

/// What a pawn may become, the best first.
const PROMOTIONS: [Piece; 4] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];

impl Own {
    pub(super) fn of(board: &Board, side: Color) -> Own {
        let rights = board.castle_rights(side);
        Own {
            side,
            men: Piece::ALL.map(|piece| board.colored_pieces(side, piece)),
            castling: Castling { short: rights.short.is_some(), long: rights.long.is_some() },
        }
    }

    /// Men on these squares, by kind; they have moved, so that they may not castle.
    pub const fn new(side: Color, men: [BitBoard; Piece::NUM]) -> Own {
        Own { side, men, castling: Castling { short: false, long: false } }
    }

    /// Whose men they are.
    pub const fn side(&self) -> Color {
        self.side
    }

    /// The squares of the men of one kind.
    pub const fn men(&self, piece: Piece) -> BitBoard {
        self.men[piece as usize]
    }

    /// The squares of all of them.
    pub fn all(&self) -> BitBoard {
        self.men.iter().fold(BitBoard::EMPTY, |all, &men| all | men)
    }

    /// How the side may castle.
    pub const fn castling(&self) -> Castling {
        self.castling
    }

    /// The man on a square.
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        Piece::ALL.into_iter().find(|&piece| self.men(piece).has(square))
    }

    /// The square of the king; `None` does not happen to men out of a [`Position`](super::Position).
    pub fn king(&self) -> Option<Square> {
        self.men(Piece::King).next_square()
    }

    /// Every try that could be legal as far as these men alone tell: those of pawns onto other
    /// files only if `pawn_captures`, which the umpire announces. In a fixed order.
    pub fn tries(&self, pawn_captures: bool) -> Vec<Try> {
        let mut tries = Vec::with_capacity(64);
        self.for_each_try(pawn_captures, |attempt| tries.push(attempt));
        tries
    }

    /// Calls `visit` with each of [`Own::tries`].
    pub fn for_each_try(&self, pawn_captures: bool, mut visit: impl FnMut(Try)) {
        let all = self.all();
        for piece in Piece::ALL {
            for from in self.men(piece) {
                let to = self.reach(piece, from, all, pawn_captures);
                for to in to & !all {
                    self.each_promotion(piece, Try::new(from, to), &mut visit);
                }
            }
        }
    }

    fn each_promotion(&self, piece: Piece, attempt: Try, visit: &mut impl FnMut(Try)) {
        if piece == Piece::Pawn && attempt.to.rank() == Rank::Eighth.relative_to(self.side) {
            PROMOTIONS.into_iter().for_each(|piece| {
                visit(Try { promotion: Some(piece), ..attempt });
            });
        } else {
            visit(attempt);
        }
    }

    fn reach(&self, piece: Piece, from: Square, all: BitBoard, pawn_captures: bool) -> BitBoard {
        match piece {
            Piece::Pawn => {
                let captures = get_pawn_attacks(from, self.side);
                let captures = if pawn_captures { captures } else { BitBoard::EMPTY };
                get_pawn_quiets(from, self.side, all) | captures
            }
            Piece::King => get_king_moves(from) | self.castling_targets(from, all),
            _ => attacks(piece, from, self.side, all),
        }
    }

    fn castling_targets(&self, king: Square, all: BitBoard) -> BitBoard {
        let ways =
            [(self.castling.short, File::H, File::G), (self.castling.long, File::A, File::C)];
        let mut targets = BitBoard::EMPTY;
        for (may, rook, to) in ways {
            let between = get_between_rays(king, Square::new(rook, king.rank()));
            if may && (between & all).is_empty() {
                targets |= Square::new(to, king.rank()).bitboard();
            }
        }
        targets
    }

    /// The men after a legal move of theirs.
    #[must_use]
    pub fn moved(&self, attempt: Try) -> Own {
        let mut after = *self;
        let Try { from, to, promotion } = attempt;
        let Some(piece) = self.piece_on(from) else { return after };
        after.men[piece as usize] ^= from.bitboard();
        after.men[promotion.unwrap_or(piece) as usize] |= to.bitboard();
        if piece == Piece::King {
            if !get_king_moves(from).has(to) {
                after.castle_rook(to);
            }
            after.castling = Castling::default();
        }
        after.forget_castling(from);
        after
    }

    fn castle_rook(&mut self, king: Square) {
        let (from, to) =
            if king.file() == File::G { (File::H, File::F) } else { (File::A, File::D) };
        let rooks = &mut self.men[Piece::Rook as usize];
        *rooks ^= Square::new(from, king.rank()).bitboard();
        *rooks |= Square::new(to, king.rank()).bitboard();
    }

    /// The men after the one on `square` was captured.
    #[must_use]
    pub fn captured(&self, square: Square) -> Own {
        let mut after = *self;
        after.men.iter_mut().for_each(|men| *men &= !square.bitboard());
        after.forget_castling(square);
        after
    }

    /// A rook that leaves its corner, or is captured there, ends castling with it.
    fn forget_castling(&mut self, square: Square) {
        if square.rank() == Rank::First.relative_to(self.side) {
            self.castling.short &= square.file() != File::H;
            self.castling.long &= square.file() != File::A;
        }
    }

    /// The squares that these men attack if `blockers` stand on the board.
    pub fn attacked(&self, blockers: BitBoard) -> BitBoard {
        let mut attacked = BitBoard::EMPTY;
        for piece in Piece::ALL {
            for from in self.men(piece) {
                attacked |= attacks(piece, from, self.side, blockers);
            }
        }
        attacked
    }
}

/// The squares that a man attacks.
pub(super) fn attacks(piece: Piece, from: Square, side: Color, blockers: BitBoard) -> BitBoard {
    match piece {
        Piece::Pawn => get_pawn_attacks(from, side),
        Piece::Knight => get_knight_moves(from),
        Piece::Bishop => get_bishop_moves(from, blockers),
        Piece::Rook => get_rook_moves(from, blockers),
        Piece::Queen => get_bishop_moves(from, blockers) | get_rook_moves(from, blockers),
        Piece::King => get_king_moves(from),
    }
}
