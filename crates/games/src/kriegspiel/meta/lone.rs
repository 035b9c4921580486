//! A bare king that is hunted: what is known of it is exact, and small enough to be searched.

use super::lines::{self, Attacks};
use super::{KING, Metaposition};
use crate::kriegspiel::{BitBoard, Own, Piece, Square, Try};
use cozy_chess::{get_between_rays, get_king_moves};

/// Own men, it is their turn, and every square where the other side's bare king may be: just what
/// [`Metaposition`] knows against a bare king, as two values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LoneKing {
    own: Own,
    squares: u64,
    /// What the own men attack, the king's square transparent: where it cannot stay or go.
    attacked: u64,
}

/// What may follow an own try: the squares of the king that lead to one and the same answer, and
/// what is known after it. Each is a part of the squares where the king was before the try.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hunted {
    /// The try is illegal.
    Refused(LoneKing),
    /// The king is mated.
    Mated(BitBoard),
    /// The king is stalemated.
    Stalemated(BitBoard),
    /// The king has to move.
    Moves {
        /// Where it was.
        from: BitBoard,
        /// What is known once it has moved without a capture; no squares if it cannot.
        after: LoneKing,
        /// The own men that it may capture instead.
        prey: BitBoard,
    },
}

impl LoneKing {
    /// These men against a king on one of these squares.
    pub fn new(own: Own, squares: BitBoard) -> LoneKing {
        let attacked = Attacks::of(&own, !own.all().0).all();
        LoneKing { own, squares: squares.0, attacked }
    }

    /// The own men.
    pub const fn own(&self) -> &Own {
        &self.own
    }

    /// Where the king may be.
    pub const fn squares(&self) -> BitBoard {
        BitBoard(self.squares)
    }

    /// What the own men attack.
    pub const fn attacked(&self) -> BitBoard {
        BitBoard(self.attacked)
    }

    /// Every square that the king could reach in time if the own men stayed as they are.
    pub fn region(&self) -> BitBoard {
        let free = !(self.attacked | self.own.all().0);
        let mut region = self.squares;
        loop {
            let wider = region | lines::around(region) & free;
            if wider == region {
                return BitBoard(region);
            }
            region = wider;
        }
    }

    /// The squares of the king that make `attempt`, one of [`Own::tries`], illegal.
    pub fn refusing(&self, attempt: Try) -> BitBoard {
        let Try { from, to, .. } = attempt;
        let way = get_between_rays(from, to) | to.bitboard();
        if self.own.men(Piece::King).has(from) {
            // Castling passes over squares that the king may attack, and over those beside the rook.
            let passed = if get_king_moves(from).has(to) {
                to.bitboard()
            } else {
                way | from.rank().bitboard()
            };
            BitBoard(self.squares & (lines::around(passed.0) | passed.0))
        } else {
            BitBoard(self.squares & way.0)
        }
    }

    /// Calls `visit` with everything that may follow `attempt`.
    pub fn answers(&self, attempt: Try, mut visit: impl FnMut(Hunted)) {
        let refusing = self.refusing(attempt).0;
        if refusing != 0 {
            visit(Hunted::Refused(LoneKing { squares: refusing, ..*self }));
        }
        let legal = self.squares & !refusing;
        if legal == 0 {
            return;
        }
        let own = self.own.moved(attempt);
        let attacks = Attacks::of(&own, !own.all().0);
        let attacked = attacks.all();
        let stuck = legal & !lines::around(!attacked);
        if stuck & attacked != 0 {
            visit(Hunted::Mated(BitBoard(stuck & attacked)));
        }
        if stuck & !attacked != 0 {
            visit(Hunted::Stalemated(BitBoard(stuck & !attacked)));
        }
        let hunted = LoneKing { own, squares: 0, attacked };
        each_class(legal & !stuck, &attacks, |from| visit(hunted.moves(from)));
    }

    /// The king moves away from one of these squares.
    fn moves(&self, from: u64) -> Hunted {
        let (reach, own) = (lines::around(from) & !self.attacked, self.own.all().0);
        let after = LoneKing { squares: reach & !own, ..*self };
        Hunted::Moves { from: BitBoard(from), after, prey: BitBoard(reach & own) }
    }

    /// What is known once the king has captured the man on `square`.
    #[must_use]
    pub fn captured(&self, square: Square) -> LoneKing {
        LoneKing::new(self.own.captured(square), square.bitboard())
    }
}

/// Splits the squares of a king by the checks that are announced there.
fn each_class(squares: u64, attacks: &Attacks, mut visit: impl FnMut(u64)) {
    let mut left = squares;
    while left != 0 {
        let first = left & left.wrapping_neg();
        let alike = attacks.by_check().into_iter().fold(left, |alike, attacked| {
            alike & if attacked & first == 0 { !attacked } else { attacked }
        });
        visit(alike);
        left &= !alike;
    }
}

impl Metaposition {
    /// What is known of a bare king; `None` while it is not bare.
    pub fn hunted(&self) -> Option<LoneKing> {
        (self.men == 1).then(|| LoneKing::new(self.own, BitBoard(self.ghosts[KING])))
    }
}
