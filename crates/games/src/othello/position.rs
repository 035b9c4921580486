//! The position as two bitboards and the side to move.

use super::flips::{flips, mobility};
use super::moves::{Move, Square};
use crate::{Ending, IllegalMove, Keyed, Rules, Seat, TwoPlayer};
use common::rng::hash_all;

/// Any placement of discs with a side to move. The first player has the discs `X` (black).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The discs of the player to move.
    own: u64,
    /// The discs of the opponent.
    other: u64,
    turn: Seat,
}

impl Position {
    /// The start of a game.
    pub const START: Position =
        Position { own: 1 << 28 | 1 << 35, other: 1 << 27 | 1 << 36, turn: Seat::First };

    /// The position with these discs, a1 in the lowest bit, then b1 and so on row by row. A square
    /// given to both is the mover's.
    pub const fn new(own: u64, other: u64, turn: Seat) -> Position {
        Position { own, other: other & !own, turn }
    }

    /// The discs of the player to move, as bits.
    #[inline]
    pub const fn own(&self) -> u64 {
        self.own
    }

    /// The discs of the opponent, as bits.
    #[inline]
    pub const fn other(&self) -> u64 {
        self.other
    }

    /// The empty squares, as bits.
    #[inline]
    pub const fn empty(&self) -> u64 {
        !(self.own | self.other)
    }

    /// The player to move.
    pub const fn turn(&self) -> Seat {
        self.turn
    }

    /// Whose disc lies on `square`.
    pub const fn get(&self, square: Square) -> Option<Seat> {
        if self.own & square.bit() != 0 {
            Some(self.turn)
        } else if self.other & square.bit() != 0 {
            Some(self.turn.opponent())
        } else {
            None
        }
    }

    /// Whether neither side can place a disc.
    pub const fn is_over(&self) -> bool {
        mobility(self.own, self.other) == 0 && mobility(self.other, self.own) == 0
    }

    /// The final score of a finished game for the player to move: own discs minus the
    /// opponent's, with the empty squares given to the winner, as in tournaments.
    pub const fn final_score(&self) -> i32 {
        let difference = self.own.count_ones() as i32 - self.other.count_ones() as i32;
        difference + difference.signum() * self.empty().count_ones() as i32
    }

    /// How the game ended, or `None` while it continues.
    pub fn ending(&self) -> Option<Ending> {
        self.is_over().then(|| match self.final_score().signum() {
            1 => Ending::Win(self.turn),
            -1 => Ending::Win(self.turn.opponent()),
            _ => Ending::Draw,
        })
    }

    /// Every legal move in the order of the squares, or the pass. Empty exactly when the game is
    /// over.
    pub fn legal_moves(&self) -> Vec<Move> {
        let places = mobility(self.own, self.other);
        if places == 0 && !self.is_over() {
            return vec![Move::Pass];
        }
        Square::all_of(places).map(Move::Place).collect()
    }

    /// The position after `mv`.
    ///
    /// # Errors
    ///
    /// If the move is not legal here.
    pub fn play(&self, mv: Move) -> Result<Position, IllegalMove<Move>> {
        if self.legal_moves().contains(&mv) {
            Ok(self.play_unchecked(mv))
        } else {
            Err(IllegalMove(mv))
        }
    }

    /// The position after `mv`, which the caller knows to be legal. Never panics, but after an
    /// illegal move the position means nothing.
    #[must_use]
    pub const fn play_unchecked(&self, mv: Move) -> Position {
        let (placed, turned) = match mv {
            Move::Place(square) => (square.bit(), flips(self.own, self.other, square.index())),
            Move::Pass => (0, 0),
        };
        Position {
            own: self.other & !turned,
            other: self.own | placed | turned,
            turn: self.turn.opponent(),
        }
    }
}

impl Rules for Position {
    type Move = Move;

    fn legal_moves(&self) -> Vec<Move> {
        self.legal_moves()
    }

    fn play_unchecked(&self, mv: Move) -> Position {
        self.play_unchecked(mv)
    }
}

impl TwoPlayer for Position {
    fn seat(&self) -> Seat {
        self.turn
    }

    fn ending(&self) -> Option<Ending> {
        self.ending()
    }
}

impl Keyed for Position {
    fn key(&self) -> u64 {
        hash_all([self.own, self.other, self.turn as u64])
    }
}
