//! What one side may know of a game.

use super::board::{Bitboard, Board, Standard};
use super::game::{Army, Game, subsets};
use super::moves::Move;
use super::outcome::Outcome;
use super::position::Position;
use super::setup::{Ghost, Setup};
use crate::Seat;
use std::fmt;
use std::marker::PhantomData;

/// The game as one player sees it at one moment: own colours, the opponent's ghosts without
/// theirs, what has been captured, and how far the game is.
///
/// It is an observation in the strict sense: two games that differ only in what the player cannot
/// see give equal observations, and it may forget (it does not say how the ghosts got there). A
/// player that wants to remember keeps the observations it was given.
///
/// The board is always seen with the own home at the bottom: for the top side it is turned by
/// half, and so are the moves ([`Observation::seen`] and [`Observation::played`] translate).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Observation<B: Board = Standard> {
    viewer: Seat,
    own: Army,
    opponent: Bitboard,
    own_captured: (u32, u32),
    opponent_captured: (u32, u32),
    to_move: bool,
    ply: u32,
    draw_limit: u32,
    outcome: Option<Outcome>,
    board: PhantomData<B>,
}

/// The parts of an [`Observation`], for a client that is told about a game but does not have the
/// game itself; [`Observation::from_parts`] checks them.
///
/// Squares are those of the viewer, its home at the bottom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ObservationParts {
    /// Who sees this.
    pub viewer: Seat,
    /// The viewer's ghosts on the board.
    pub own: Army,
    /// The squares of the opponent's ghosts.
    pub opponent: Bitboard,
    /// How many blue and red ghosts the viewer has lost.
    pub own_captured: (u32, u32),
    /// How many blue and red ghosts the viewer has captured.
    pub opponent_captured: (u32, u32),
    /// Whether it is the viewer's turn.
    pub to_move: bool,
    /// Plies played so far.
    pub ply: u32,
    /// Plies after which the game is drawn.
    pub draw_limit: u32,
}

/// Why parts are not an observation of an unfinished game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObservationError {
    /// A ghost stands outside the board.
    OffBoard,
    /// Two ghosts stand on one square.
    TwoOnASquare,
    /// The viewer's ghosts, on the board and captured, are not those a game starts with, or one of
    /// its colours is gone.
    OwnCount,
    /// The opponent's ghosts, on the board and captured, are not those a game starts with, or one of
    /// its colours is gone.
    OpponentCount,
    /// The bottom side moves at even plies, the top side at odd ones.
    Turn,
    /// The draw limit is reached.
    Drawn,
}

impl fmt::Display for ObservationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ObservationError::OffBoard => "a ghost stands outside the board",
            ObservationError::TwoOnASquare => "two ghosts stand on one square",
            ObservationError::OwnCount => "the own ghosts do not add up, or a colour is gone",
            ObservationError::OpponentCount => {
                "the other side's ghosts do not add up, or a colour is gone"
            }
            ObservationError::Turn => "it cannot be this side's turn after so many plies",
            ObservationError::Drawn => "the draw limit is reached",
        })
    }
}

impl std::error::Error for ObservationError {}

impl ObservationParts {
    /// What keeps the parts from being an observation, if anything does.
    fn refusal<B: Board>(&self) -> Option<ObservationError> {
        let Army { blue, red } = self.own;
        let all = blue | red | self.opponent;
        let start = B::GHOSTS_OF_A_COLOUR;
        let adds_up =
            |left: Bitboard, captured: u32| captured < start && left.count() + captured == start;
        let own_fits = adds_up(blue, self.own_captured.0) && adds_up(red, self.own_captured.1);
        let (captured_blue, captured_red) = self.opponent_captured;
        let opponent_fits = captured_blue < start
            && captured_red < start
            && self.opponent.count() + captured_blue + captured_red == 2 * start;
        let bottom_moves = self.to_move == (self.viewer == Seat::First);
        let checks = [
            (all.without(B::FULL).is_empty(), ObservationError::OffBoard),
            (
                all.count() == blue.count() + red.count() + self.opponent.count(),
                ObservationError::TwoOnASquare,
            ),
            (own_fits, ObservationError::OwnCount),
            (opponent_fits, ObservationError::OpponentCount),
            (bottom_moves == self.ply.is_multiple_of(2), ObservationError::Turn),
            (self.ply < self.draw_limit, ObservationError::Drawn),
        ];
        checks.into_iter().find(|(holds, _)| !holds).map(|(_, error)| error)
    }
}

impl<B: Board> Game<B> {
    /// What `viewer` may see.
    pub fn observe(&self, viewer: Seat) -> Observation<B> {
        let seen = |square| Observation::<B>::turn_for(viewer, square);
        let opponent = viewer.opponent();
        Observation {
            viewer,
            own: self.army(viewer).map(seen),
            opponent: self.army(opponent).all().map(seen).collect(),
            own_captured: self.captured(viewer),
            opponent_captured: self.captured(opponent),
            to_move: self.turn() == viewer,
            ply: self.ply(),
            draw_limit: self.draw_limit(),
            outcome: self.outcome(),
            board: PhantomData,
        }
    }
}

impl<B: Board> Observation<B> {
    /// The observation of an unfinished game, from its parts. It equals what [`Game::observe`] gives
    /// for such a game; whether play can lead there is not checked.
    ///
    /// # Errors
    ///
    /// If no unfinished game looks like this.
    pub fn from_parts(parts: &ObservationParts) -> Result<Observation<B>, ObservationError> {
        if let Some(error) = parts.refusal::<B>() {
            return Err(error);
        }
        Ok(Observation {
            viewer: parts.viewer,
            own: parts.own,
            opponent: parts.opponent,
            own_captured: parts.own_captured,
            opponent_captured: parts.opponent_captured,
            to_move: parts.to_move,
            ply: parts.ply,
            draw_limit: parts.draw_limit,
            outcome: None,
            board: PhantomData,
        })
    }

    fn turn_for(viewer: Seat, square: super::Square) -> super::Square {
        match viewer {
            Seat::First => square,
            Seat::Second => B::turned(square),
        }
    }

    /// Who sees this.
    pub const fn viewer(&self) -> Seat {
        self.viewer
    }

    /// The viewer's ghosts on the board.
    pub const fn own(&self) -> Army {
        self.own
    }

    /// The squares of the opponent's ghosts.
    pub const fn opponent(&self) -> Bitboard {
        self.opponent
    }

    /// How many blue and red ghosts the viewer has lost.
    pub const fn own_captured(&self) -> (u32, u32) {
        self.own_captured
    }

    /// How many blue and red ghosts the viewer has captured.
    pub const fn opponent_captured(&self) -> (u32, u32) {
        self.opponent_captured
    }

    /// How many of the opponent's ghosts on the board are blue. This much is public: captured
    /// ghosts show their colours, and one that leaves is blue.
    pub fn opponent_blue(&self) -> u32 {
        self.opponent.count() - self.opponent_red()
    }

    fn opponent_red(&self) -> u32 {
        B::GHOSTS_OF_A_COLOUR - self.opponent_captured.1
    }

    /// Whether it is the viewer's turn.
    pub const fn to_move(&self) -> bool {
        self.to_move
    }

    /// Plies played so far.
    pub const fn ply(&self) -> u32 {
        self.ply
    }

    /// Plies after which the game is drawn.
    pub const fn draw_limit(&self) -> u32 {
        self.draw_limit
    }

    /// How the game ended, or `None` if it is not over.
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// A move of the game as the viewer sees it.
    pub fn seen(&self, mv: Move) -> Move {
        mv.map(|square| Self::turn_for(self.viewer, square))
    }

    /// A move of the viewer as the game takes it.
    pub fn played(&self, mv: Move) -> Move {
        self.seen(mv) // turning by half is its own inverse
    }

    /// Every way the opponent's ghosts on the board may be coloured, as the set of its blue
    /// ones, in a fixed order. The true one is among them.
    pub fn colourings(&self) -> impl Iterator<Item = Bitboard> + use<B> {
        subsets(self.opponent, self.opponent_blue())
    }

    /// A game that looks like this one to the viewer, in which the opponent's blue ghosts are
    /// `blue`: the way to turn a guess into a game. `None` if `blue` is none of
    /// [`Observation::colourings`] or the game is over.
    pub fn resample(&self, blue: Bitboard) -> Option<Game<B>> {
        let fits = blue.without(self.opponent).is_empty() && blue.count() == self.opponent_blue();
        if !fits || self.outcome.is_some() {
            return None;
        }
        let seen = |square| Self::turn_for(self.viewer, square);
        let own = self.own.map(seen);
        let opponent = Army { blue, red: self.opponent.without(blue) }.map(seen);
        let turn = if self.to_move { self.viewer } else { self.viewer.opponent() };
        let (bottom, top) = match self.viewer {
            Seat::First => (own, opponent),
            Seat::Second => (opponent, own),
        };
        Some(Game::resumed(bottom, top, turn, self.ply, self.draw_limit))
    }

    /// The purple position the viewer is in, with all of the opponent's ghosts hidden; `None`
    /// unless the game is not over and it is the viewer's turn.
    pub fn purple(&self) -> Option<Position<B>> {
        if !self.to_move || self.outcome.is_some() {
            return None;
        }
        let mut setup = Setup::empty();
        let kinds = [
            (self.own.blue, Ghost::OwnBlue),
            (self.own.red, Ghost::OwnRed),
            (self.opponent, Ghost::Hidden),
        ];
        for (squares, ghost) in kinds {
            squares.for_each(|square| setup.set(square, Some(ghost)));
        }
        setup.blue = self.opponent_blue();
        Position::from_setup(setup).ok()
    }
}
