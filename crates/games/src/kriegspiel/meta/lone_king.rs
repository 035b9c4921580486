//! The belief about a lone king: exact, and small enough to be searched.

use super::bitboards::{self, Attacks};
use super::{KING, Metaposition};
use crate::kriegspiel::{BitBoard, OwnPieces, Piece, Square, Try};
use cozy_chess::{get_between_rays, get_king_moves};

/// A position against a lone king on an unknown square, with the own side to move: the own pieces and
/// every square where the king may be. It holds exactly what [`Metaposition`] knows of a lone king.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LoneKing {
    own: OwnPieces,
    squares: u64,
    /// The squares that own pieces attack, also through the king: where it cannot stay or move.
    attacked: u64,
}

/// A possible result of an own try: the squares of the king that lead to the same answer of the
/// umpire, and what is known after it. The results partition the squares where the king was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TryResult {
    /// The try is illegal.
    Refused(LoneKing),
    /// The king is mated.
    Checkmate(BitBoard),
    /// The king is stalemated.
    Stalemate(BitBoard),
    /// The king has to move.
    Moves {
        /// The squares where it was.
        from: BitBoard,
        /// What is known after it has moved without a capture; no squares if it cannot.
        after: LoneKing,
        /// The own pieces that it may capture instead.
        capturable: BitBoard,
    },
}

impl LoneKing {
    /// These pieces against a king on one of these squares.
    pub fn new(own: OwnPieces, squares: BitBoard) -> LoneKing {
        let attacked = Attacks::of(&own, !own.all().0).all();
        LoneKing { own, squares: squares.0, attacked }
    }

    /// The own pieces.
    pub const fn own(&self) -> &OwnPieces {
        &self.own
    }

    /// The squares where the king may be.
    pub const fn squares(&self) -> BitBoard {
        BitBoard(self.squares)
    }

    /// The squares that own pieces attack, also through the king.
    pub const fn attacked(&self) -> BitBoard {
        BitBoard(self.attacked)
    }

    /// Every square that the king could reach in any number of moves if the own pieces did not move.
    pub fn region(&self) -> BitBoard {
        let free = !(self.attacked | self.own.all().0);
        let mut region = self.squares;
        loop {
            let wider = region | bitboards::king_attacks(region) & free;
            if wider == region {
                return BitBoard(region);
            }
            region = wider;
        }
    }

    /// The squares of the king that make `attempt`, one of [`OwnPieces::tries`], illegal.
    pub fn refusing(&self, attempt: Try) -> BitBoard {
        let Try { from, to, .. } = attempt;
        let path = get_between_rays(from, to) | to.bitboard();
        if self.own.pieces(Piece::King).has(from) {
            // Castling passes squares that the king may attack, and those beside the rook.
            let passed = if get_king_moves(from).has(to) {
                to.bitboard()
            } else {
                path | from.rank().bitboard()
            };
            BitBoard(self.squares & (bitboards::king_attacks(passed.0) | passed.0))
        } else {
            BitBoard(self.squares & path.0)
        }
    }

    /// Calls `visit` with every possible result of `attempt`.
    pub fn for_each_result(&self, attempt: Try, mut visit: impl FnMut(TryResult)) {
        let refusing = self.refusing(attempt).0;
        if refusing != 0 {
            visit(TryResult::Refused(LoneKing { squares: refusing, ..*self }));
        }
        let legal = self.squares & !refusing;
        if legal == 0 {
            return;
        }
        let own = self.own.moved(attempt);
        let attacks = Attacks::of(&own, !own.all().0);
        let attacked = attacks.all();
        let stuck = legal & !bitboards::king_attacks(!attacked);
        if stuck & attacked != 0 {
            visit(TryResult::Checkmate(BitBoard(stuck & attacked)));
        }
        if stuck & !attacked != 0 {
            visit(TryResult::Stalemate(BitBoard(stuck & !attacked)));
        }
        let after = LoneKing { own, squares: 0, attacked };
        for_each_check_class(legal & !stuck, &attacks, |from| visit(after.king_moves(from)));
    }

    /// The result if the king has to move from one of these squares.
    fn king_moves(&self, from: u64) -> TryResult {
        let (reach, own) = (bitboards::king_attacks(from) & !self.attacked, self.own.all().0);
        let after = LoneKing { squares: reach & !own, ..*self };
        TryResult::Moves { from: BitBoard(from), after, capturable: BitBoard(reach & own) }
    }

    /// What is known after the king has captured the piece on `square`.
    #[must_use]
    pub fn captured(&self, square: Square) -> LoneKing {
        LoneKing::new(self.own.captured(square), square.bitboard())
    }
}

/// Partitions the squares of a king by the checks that are announced there.
fn for_each_check_class(squares: u64, attacks: &Attacks, mut visit: impl FnMut(u64)) {
    let mut remaining = squares;
    while remaining != 0 {
        let first = remaining & remaining.wrapping_neg();
        let class = attacks.by_check().into_iter().fold(remaining, |class, attacked| {
            class & if attacked & first == 0 { !attacked } else { attacked }
        });
        visit(class);
        remaining &= !class;
    }
}

impl Metaposition {
    /// What is known of a lone king; `None` while the opponent has other pieces.
    pub fn as_lone_king(&self) -> Option<LoneKing> {
        (self.count == 1).then(|| LoneKing::new(self.own, BitBoard(self.pseudopieces[KING])))
    }
}
