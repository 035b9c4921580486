//! The simulated umpire: the announcements that a search assumes (P2, section 3), and what a move
//! does to the opponent's king.

use super::super::{Announcement, Capture, CapturedKind, Check, Piece, Square, Try};
use super::bitboards::{self, Attacks};
use super::{Checks, KING, Metaposition, PAWN};
use cozy_chess::get_pawn_attacks;

impl Metaposition {
    /// The most likely announcement after an own try, which is assumed to be legal. The try captures
    /// if a pawn leaves its file, if a piece moves to a square that is certainly occupied, or if it
    /// is the last illegal try shortened by one square; a pawn is captured, unless none can stand
    /// there. The opponent has a pawn try if one of its pawns may capture the moved piece. Check is
    /// announced if it is check wherever the opponent's king may be.
    pub fn simulated_announcement(&self, attempt: Try) -> Announcement {
        let pawns = self.pseudopieces[PAWN] & get_pawn_attacks(attempt.to, self.color()).0;
        Announcement {
            to_move: !self.color(),
            capture: self.simulated_capture(attempt),
            checks: self.certain_checks(attempt),
            pawn_tries: u8::from(pawns != 0),
            termination: None,
        }
    }

    fn simulated_capture(&self, attempt: Try) -> Option<Capture> {
        let Try { from, to, .. } = attempt;
        let pawn = self.own.pieces(Piece::Pawn).has(from);
        let bit = to.bitboard().0;
        let captures = match pawn {
            true => from.file() != to.file(),
            false => self.surely_occupied() & bit != 0 || self.is_one_square_shorter(attempt),
        };
        let pawn_there = |at: Square| self.pseudopieces[PAWN] & at.bitboard().0 != 0;
        // A pawn that captures on a square where nothing can stand captures en passant.
        let passed = Square::new(to.file(), from.rank());
        let square = if pawn && self.possibly_occupied() & bit == 0 { passed } else { to };
        let kind = if pawn_there(square) { CapturedKind::Pawn } else { CapturedKind::Piece };
        captures.then_some(Capture { kind, square })
    }

    /// Whether `attempt` is the last illegal try, shortened by one square.
    fn is_one_square_shorter(&self, attempt: Try) -> bool {
        let Some(last) = self.last_refused.filter(|last| last.from == attempt.from) else {
            return false;
        };
        let offset = |to: Square| {
            let from = attempt.from;
            (to.file() as i8 - from.file() as i8, to.rank() as i8 - from.rank() as i8)
        };
        let ((x, y), (file, rank)) = (offset(last.to), offset(attempt.to));
        let is_line = x == 0 || y == 0 || x.abs() == y.abs();
        is_line && (file, rank) == (x - x.signum(), y - y.signum()) && (file, rank) != (0, 0)
    }

    /// The checks that a move gives wherever the opponent's king may be.
    fn certain_checks(&self, attempt: Try) -> Checks {
        let own = self.own.moved(attempt);
        let free = !(own.all().0 | self.possible_non_kings());
        let king = self.pseudopieces[KING] & !attempt.to.bitboard().0;
        let attacks = Attacks::of(&own, free).by_check();
        let is_certain = |&(_, attacked): &(Check, u64)| king != 0 && king & !attacked == 0;
        Check::ALL.into_iter().zip(attacks).filter(is_certain).map(|(check, _)| check).collect()
    }

    /// The assumed announcement after a move of the opponent: no capture, no check, no pawn tries.
    pub const fn silent_announcement(&self) -> Announcement {
        Announcement {
            to_move: self.color(),
            capture: None,
            checks: Checks::NONE,
            pawn_tries: 0,
            termination: None,
        }
    }

    /// The squares that own pieces certainly attack wherever the opponent's king stands, so that it
    /// cannot move there.
    pub fn surely_attacked(&self) -> super::BitBoard {
        let free = !(self.own.all().0 | self.possible_non_kings());
        super::BitBoard(Attacks::of(&self.own, free).all())
    }

    /// The squares to which the opponent's king may be able to move without a capture, from any of
    /// the squares where it may stand; empty if it certainly cannot move.
    pub fn king_mobility(&self) -> super::BitBoard {
        let around = bitboards::king_attacks(self.pseudopieces[KING]) & self.empty;
        super::BitBoard(around & !self.surely_attacked().0)
    }

    /// The squares where the opponent's king may be unable to move: where the move from `before`, in
    /// which it was not in check, may have mated it, and where it may have stalemated it. Own sliders
    /// are assumed to reach past everything that is not certain, and the opponent's blocked pawns to
    /// be where they may be.
    pub fn immobile_king_squares(&self, before: &Metaposition) -> [super::BitBoard; 2] {
        let attacked = self.possibly_attacked();
        let blocked = attacked | self.blocked_pawns().0;
        let stuck = self.pseudopieces[KING] & !bitboards::king_attacks(!blocked);
        // Lines that existed before were blocked, or the king would have been in check.
        let new = attacked & !before.possibly_attacked() | self.surely_attacked().0;
        [super::BitBoard(stuck & new), super::BitBoard(stuck & !new)]
    }

    fn possibly_attacked(&self) -> u64 {
        Attacks::of(&self.own, !(self.own.all().0 | self.surely_occupied())).all()
    }

    /// The squares where a pawn of the opponent would be blocked by an own piece.
    pub fn blocked_pawns(&self) -> super::BitBoard {
        let fronts = bitboards::pawn_pushes(self.color(), self.own.all().0);
        super::BitBoard(self.pseudopieces[PAWN] & fronts)
    }
}
