//! The umpire's words that a search takes for granted (P2, section 3).

use super::super::{Announcement, Capture, CapturedKind, Check, Piece, Square, Try};
use super::lines::{self, Attacks};
use super::{Checks, KING, Metaposition, PAWN};
use cozy_chess::get_pawn_attacks;

impl Metaposition {
    /// The likeliest answer to an own try: it is legal. It captures if a pawn leaves its file, if a
    /// piece goes where a man surely stands, or if it is the last illegal try again and one square
    /// shorter; a pawn is captured, unless none can stand there. The other side has a pawn try if
    /// one of its pawns may take the man that has moved. Check is announced where the other king
    /// cannot be but in check.
    pub fn simulated_answer(&self, attempt: Try) -> Announcement {
        let pawns = self.ghosts[PAWN] & get_pawn_attacks(attempt.to, self.side()).0;
        Announcement {
            to_move: !self.side(),
            capture: self.simulated_capture(attempt),
            checks: self.sure_checks(attempt),
            pawn_tries: u8::from(pawns != 0),
            termination: None,
        }
    }

    fn simulated_capture(&self, attempt: Try) -> Option<Capture> {
        let Try { from, to, .. } = attempt;
        let pawn = self.own.men(Piece::Pawn).has(from);
        let bit = to.bitboard().0;
        let captures = match pawn {
            true => from.file() != to.file(),
            false => self.must() & bit != 0 || self.is_shorter(attempt),
        };
        let pawn_there = |at: Square| self.ghosts[PAWN] & at.bitboard().0 != 0;
        // A pawn that takes where nothing can stand takes en passant.
        let passed = Square::new(to.file(), from.rank());
        let square = if pawn && self.union() & bit == 0 { passed } else { to };
        let kind = if pawn_there(square) { CapturedKind::Pawn } else { CapturedKind::Piece };
        captures.then_some(Capture { kind, square })
    }

    /// Whether `attempt` is the last illegal try, one square shorter.
    fn is_shorter(&self, attempt: Try) -> bool {
        let Some(last) = self.last_refused.filter(|last| last.from == attempt.from) else {
            return false;
        };
        let way = |to: Square| {
            let from = attempt.from;
            (to.file() as i8 - from.file() as i8, to.rank() as i8 - from.rank() as i8)
        };
        let ((x, y), (file, rank)) = (way(last.to), way(attempt.to));
        let line = x == 0 || y == 0 || x.abs() == y.abs();
        line && (file, rank) == (x - x.signum(), y - y.signum()) && (file, rank) != (0, 0)
    }

    /// The checks that a move gives wherever the other king is.
    fn sure_checks(&self, attempt: Try) -> Checks {
        let own = self.own.moved(attempt);
        let free = !(own.all().0 | self.others());
        let king = self.ghosts[KING] & !attempt.to.bitboard().0;
        let attacks = Attacks::of(&own, free).by_check();
        let sure = |&(_, attacked): &(Check, u64)| king != 0 && king & !attacked == 0;
        Check::ALL.into_iter().zip(attacks).filter(sure).map(|(check, _)| check).collect()
    }

    /// What is taken for granted of the other side's move: nothing is captured, no check, no pawn
    /// tries.
    pub const fn silence(&self) -> Announcement {
        Announcement {
            to_move: self.side(),
            capture: None,
            checks: Checks::NONE,
            pawn_tries: 0,
            termination: None,
        }
    }

    /// The squares that own men surely attack, as far as the other king is concerned: where it
    /// cannot go.
    pub fn surely_attacked(&self) -> super::BitBoard {
        let free = !(self.own.all().0 | self.others());
        super::BitBoard(Attacks::of(&self.own, free).all())
    }

    /// Where the other king could go without a capture if it were on any of its squares: empty if
    /// it surely cannot move, whatever else could.
    pub fn king_moves(&self) -> super::BitBoard {
        let around = lines::around(self.ghosts[KING]) & self.empty;
        super::BitBoard(around & !self.surely_attacked().0)
    }

    /// The squares of the other king where it has nowhere to go, if own sliders reach past
    /// everything that is not certain, and its pawns stand where they are stopped: those where the move from `before`, when it was not in
    /// check, may give check, and those where it does not.
    pub fn cornered(&self, before: &Metaposition) -> [super::BitBoard; 2] {
        let attacked = self.perhaps_attacked();
        let blocked = attacked | self.stopped_pawns().0;
        let stuck = self.ghosts[KING] & !lines::around(!blocked);
        // Lines that were there before were closed, or it would have been in check.
        let new = attacked & !before.perhaps_attacked() | self.surely_attacked().0;
        [super::BitBoard(stuck & new), super::BitBoard(stuck & !new)]
    }

    fn perhaps_attacked(&self) -> u64 {
        Attacks::of(&self.own, !(self.own.all().0 | self.must())).all()
    }

    /// The squares of the other side's pawns that an own man stops.
    pub fn stopped_pawns(&self) -> super::BitBoard {
        let fronts = lines::forward(self.side(), self.own.all().0);
        super::BitBoard(self.ghosts[PAWN] & fronts)
    }
}
