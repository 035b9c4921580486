//! The purple position: perfect information made of hidden ghosts taken at their worst.

use super::board::{Bitboard, Board, Square, Standard};
use super::game::Army;
use super::moves::{Move, generate};
use super::outcome::{Outcome, Reason};
use super::setup::{Ghost, RefusedSetup, Setup};
use super::text::squares_of;
use crate::{Ending, IllegalMove, Keyed, Rules, Seat, TwoPlayer};
use std::marker::PhantomData;

/// How many ghosts there are of each kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Count {
    /// `B` on the board.
    pub own_blue: u32,
    /// `R` on the board.
    pub own_red: u32,
    /// `b` on the board.
    pub shown_blue: u32,
    /// `r` on the board.
    pub shown_red: u32,
    /// `u` on the board.
    pub hidden: u32,
    /// How many of the `u` are blue.
    pub hidden_blue: u32,
}

/// A position as the bottom side knows it, with every hidden ghost *purple*: red when the bottom
/// side captures it, blue when it leaves the board. The top side knows all colours.
///
/// Purple is taken ghost by ghost, and nothing is concluded from counting: a hidden ghost may
/// leave even if all blues are shown. The one place where counting matters is the end: the bottom
/// side has captured all reds, and lost, when no `r` is left and no more `u` than there are blues
/// among them.
///
/// A position made by [`Position::from_setup`] is valid: the game is not over, and no side has
/// more ghosts than it starts with. Positions made by playing moves or by
/// [`Position::from_ghosts`] may be over; see [`Position::outcome`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position<B: Board = Standard> {
    own_blue: Bitboard,
    own_red: Bitboard,
    shown_blue: Bitboard,
    shown_red: Bitboard,
    hidden: Bitboard,
    hidden_blue: u8,
    turn: Seat,
    escaped: Option<Seat>,
    board: PhantomData<B>,
}

impl<B: Board> Position<B> {
    /// The position of `setup` with the bottom side to move.
    ///
    /// # Errors
    ///
    /// If the setup is no position: every reason, and the setup.
    pub fn from_setup(setup: Setup<B>) -> Result<Position<B>, RefusedSetup<B>> {
        let refusals = setup.refusals();
        if !refusals.is_empty() {
            return Err(RefusedSetup { setup, refusals });
        }
        let shown_blue = squares_of(&setup, Ghost::ShownBlue);
        Ok(Position {
            own_blue: squares_of(&setup, Ghost::OwnBlue),
            own_red: squares_of(&setup, Ghost::OwnRed),
            shown_blue,
            shown_red: squares_of(&setup, Ghost::ShownRed),
            hidden: squares_of(&setup, Ghost::Hidden),
            hidden_blue: (setup.blue - shown_blue.count()) as u8,
            turn: Seat::First,
            escaped: None,
            board: PhantomData,
        })
    }

    /// The position with `ghosts` in the order of [`Ghost::ALL`], of which `hidden_blue` hidden
    /// ones are blue, and with the bottom side to move.
    ///
    /// This is for tables and searches that know what they place: nothing is refused, and the game
    /// may be over. Squares outside the board are dropped, a square given twice belongs to the kind that
    /// comes first, and `hidden_blue` is cut to the hidden ghosts.
    #[must_use]
    pub fn from_ghosts(ghosts: [Bitboard; 5], hidden_blue: u32) -> Position<B> {
        let mut free = B::FULL;
        let [own_blue, own_red, shown_blue, shown_red, hidden] = ghosts.map(|set| {
            let placed = set & free;
            free = free.without(placed);
            placed
        });
        Position {
            own_blue,
            own_red,
            shown_blue,
            shown_red,
            hidden,
            hidden_blue: hidden_blue.min(hidden.count()) as u8,
            turn: Seat::First,
            escaped: None,
            board: PhantomData,
        }
    }

    /// The squares that hold ghosts of this kind.
    #[inline]
    pub const fn ghosts(&self, ghost: Ghost) -> Bitboard {
        match ghost {
            Ghost::OwnBlue => self.own_blue,
            Ghost::OwnRed => self.own_red,
            Ghost::ShownBlue => self.shown_blue,
            Ghost::ShownRed => self.shown_red,
            Ghost::Hidden => self.hidden,
        }
    }

    /// What stands on `square`.
    pub fn get(&self, square: Square) -> Option<Ghost> {
        Ghost::ALL.into_iter().find(|&ghost| self.ghosts(ghost).has(square))
    }

    /// The squares of all ghosts of `side`.
    #[inline]
    pub const fn army(&self, side: Seat) -> Bitboard {
        match side {
            Seat::First => Bitboard(self.own_blue.0 | self.own_red.0),
            Seat::Second => Bitboard(self.shown_blue.0 | self.shown_red.0 | self.hidden.0),
        }
    }

    /// The squares of the ghosts of `side` that may leave the board, if they stand on an exit.
    #[inline]
    pub const fn leavers(&self, side: Seat) -> Bitboard {
        match side {
            Seat::First => self.own_blue,
            Seat::Second => Bitboard(self.shown_blue.0 | self.hidden.0),
        }
    }

    /// The exits of `side`.
    #[inline]
    pub const fn exits(side: Seat) -> Bitboard {
        match side {
            Seat::First => B::BOTTOM_EXITS,
            Seat::Second => B::TOP_EXITS,
        }
    }

    /// Whose turn it is.
    #[inline]
    pub const fn turn(&self) -> Seat {
        self.turn
    }

    /// How many of the hidden ghosts are blue.
    #[inline]
    pub const fn hidden_blue(&self) -> u32 {
        self.hidden_blue as u32
    }

    /// BLUE: how many of the top side's ghosts on the board are blue.
    pub const fn blue_count(&self) -> u32 {
        self.shown_blue.count() + self.hidden_blue as u32
    }

    /// The ghosts of each kind.
    pub const fn count(&self) -> Count {
        Count {
            own_blue: self.own_blue.count(),
            own_red: self.own_red.count(),
            shown_blue: self.shown_blue.count(),
            shown_red: self.shown_red.count(),
            hidden: self.hidden.count(),
            hidden_blue: self.hidden_blue as u32,
        }
    }

    /// The side whose ghost has left the board, if one has.
    #[inline]
    pub const fn escaped_side(&self) -> Option<Seat> {
        self.escaped
    }

    /// How the game ended, or `None` if it is not over.
    pub fn outcome(&self) -> Option<Outcome> {
        if let Some(side) = self.escaped {
            return Some(Outcome::win(side, Reason::Escape));
        }
        let own = Army { blue: self.own_blue, red: self.own_red };
        own.outcome(Seat::First).or_else(|| {
            let reds =
                self.shown_red.count() + self.hidden.count().saturating_sub(self.hidden_blue());
            purple_outcome(self.leavers(Seat::Second).count(), reds)
        })
    }

    /// Every legal move: steps by square, then escapes. Empty exactly when the game is over.
    pub fn legal_moves(&self) -> Vec<Move> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let army = self.army(self.turn);
        generate::<B>(army, army, self.leavers(self.turn) & Self::exits(self.turn))
    }

    /// Whether `mv` is one of [`Position::legal_moves`].
    pub fn is_legal(&self, mv: Move) -> bool {
        let army = self.army(self.turn);
        let can = match mv {
            Move::Step { from, to } => {
                army.has(from) && from.bit().neighbours::<B>().without(army).has(to)
            }
            Move::Escape { from } => (self.leavers(self.turn) & Self::exits(self.turn)).has(from),
        };
        can && self.outcome().is_none()
    }

    /// The ghost that `mv` would capture.
    pub fn captured(&self, mv: Move) -> Option<Ghost> {
        mv.to().and_then(|to| self.get(to))
    }

    /// The position after `mv`.
    ///
    /// # Errors
    ///
    /// If the move is not legal here.
    pub fn play(&self, mv: Move) -> Result<Position<B>, IllegalMove<Move>> {
        if self.is_legal(mv) { Ok(self.play_unchecked(mv)) } else { Err(IllegalMove(mv)) }
    }

    /// The position after `mv`, which the caller knows to be legal; otherwise the result means
    /// nothing, but it is no panic.
    #[must_use]
    pub fn play_unchecked(&self, mv: Move) -> Position<B> {
        let mut after = *self;
        after.turn = self.turn.opponent();
        match mv {
            Move::Step { from, to } => after.step(from.bit(), to.bit()),
            Move::Escape { from } => {
                after.leave(from.bit());
                after.escaped = Some(self.turn);
            }
        }
        after
    }

    /// The same ghosts with the other side to move, as if the side to move had passed. No rule
    /// allows that; it tells what a move is worth.
    #[must_use]
    pub fn passed(&self) -> Position<B> {
        Position { turn: self.turn.opponent(), ..*self }
    }

    /// Takes away what stands on `from`. A hidden ghost that leaves is a blue one.
    fn leave(&mut self, from: Bitboard) {
        if self.hidden.meets(from) {
            self.hidden_blue = self.hidden_blue.saturating_sub(1);
        }
        for set in self.kinds() {
            *set = set.without(from);
        }
    }

    /// Moves whatever stands on `from` to `to`, where everything else is taken away.
    fn step(&mut self, from: Bitboard, to: Bitboard) {
        let hidden_before = self.hidden;
        for set in self.kinds() {
            let moves = set.meets(from);
            *set = set.without(from | to);
            if moves {
                *set |= to;
            }
        }
        // With an `r` left, the last hidden ghosts may all be blue; then one less is.
        if self.hidden.count() < hidden_before.count() {
            self.hidden_blue = self.hidden_blue.min(self.hidden.count() as u8);
        }
    }

    fn kinds(&mut self) -> [&mut Bitboard; 5] {
        [
            &mut self.own_blue,
            &mut self.own_red,
            &mut self.shown_blue,
            &mut self.shown_red,
            &mut self.hidden,
        ]
    }

    /// The position with every square passed through `map`.
    pub(super) fn map_squares(&self, map: impl Fn(Square) -> Square) -> Position<B> {
        let mut mapped = *self;
        for set in mapped.kinds() {
            *set = set.map(&map).collect();
        }
        mapped
    }
}

/// The outcome of a purple position by the captures of the bottom side, when the top side has
/// `leavers` pieces that may leave and `reds` that count as red.
///
/// A captured hidden piece counts as red, so the last red goes before the last blue: a hidden piece
/// that is captured as the very last one loses.
#[inline]
pub const fn purple_outcome(leavers: u32, reds: u32) -> Option<Outcome> {
    match reds {
        0 => Some(Outcome::last_red_captured(Seat::Second)),
        _ => Outcome::by_captures(Seat::Second, leavers, reds),
    }
}

impl<B: Board> Rules for Position<B> {
    type Move = Move;

    fn legal_moves(&self) -> Vec<Move> {
        self.legal_moves()
    }

    fn play_unchecked(&self, mv: Move) -> Position<B> {
        self.play_unchecked(mv)
    }
}

impl<B: Board> TwoPlayer for Position<B> {
    fn seat(&self) -> Seat {
        self.turn()
    }

    fn ending(&self) -> Option<Ending> {
        self.outcome().map(Ending::from)
    }
}

impl<B: Board> Keyed for Position<B> {
    fn key(&self) -> u64 {
        self.key()
    }
}
