//! The full game as people play it: true colours, captured ghosts, a draw limit.

use super::board::{Bitboard, Board, Square, Standard};
use super::moves::{Move, generate};
use super::outcome::{Outcome, Reason, side_name};
use crate::{Ending, IllegalMove, Rules, Seat, TwoPlayer};
use std::fmt;
use std::marker::PhantomData;

/// One side's ghosts on the board, with their colours.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Army {
    /// The squares of the blue ones.
    pub blue: Bitboard,
    /// The squares of the red ones.
    pub red: Bitboard,
}

impl Army {
    /// The squares of all of them.
    #[inline]
    pub const fn all(self) -> Bitboard {
        Bitboard(self.blue.0 | self.red.0)
    }

    /// The outcome by captures if these pieces of `owner` are all that is left, or `None` while it
    /// has both colours.
    #[inline]
    pub const fn outcome(self, owner: Seat) -> Option<Outcome> {
        Outcome::by_captures(owner, self.blue.count(), self.red.count())
    }

    /// Every step of a piece: its target, and the pieces after it. Captures take nothing from
    /// the opponent here.
    pub fn steps<B: Board>(self) -> impl Iterator<Item = (Square, Army)> {
        self.all().steps::<B>(!self.all()).map(move |(from, to)| (to, self.after(from, to)))
    }

    /// The pieces after one of them went from `from` to the empty square `to`.
    #[inline]
    #[must_use]
    pub const fn after(self, from: Square, to: Square) -> Army {
        let step = from.bit().0 | to.bit().0;
        if self.blue.has(from) {
            Army { blue: Bitboard(self.blue.0 ^ step), ..self }
        } else {
            Army { red: Bitboard(self.red.0 ^ step), ..self }
        }
    }

    fn take(&mut self, square: Bitboard) {
        self.blue = self.blue.without(square);
        self.red = self.red.without(square);
    }

    pub(super) fn map(self, map: impl Fn(Square) -> Square + Copy) -> Army {
        Army { blue: self.blue.map(map).collect(), red: self.red.map(map).collect() }
    }
}

/// How one side sets up its ghosts: the home squares, half of them red.
///
/// Squares are those of the side itself, which sees its home in rows 1 and 2.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Placement<B: Board = Standard> {
    red: Bitboard,
    board: PhantomData<B>,
}

/// A set of squares that is no placement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlacementError;

impl fmt::Display for PlacementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a placement makes exactly half of the home squares red, and no other square")
    }
}

impl std::error::Error for PlacementError {}

impl<B: Board> Placement<B> {
    /// The placement with red ghosts on these squares and blue ones on the rest of the home.
    ///
    /// # Errors
    ///
    /// If a square is outside the home or their number is wrong.
    pub fn with_red(red: Bitboard) -> Result<Placement<B>, PlacementError> {
        let fits = red.without(B::HOME).is_empty() && red.count() == B::GHOSTS_OF_A_COLOUR;
        if fits { Ok(Placement { red, board: PhantomData }) } else { Err(PlacementError) }
    }

    /// Every placement, in a fixed order: 70 on the 6x6 board, 20 on the 5x5
    /// one, 6 on the 4x5 one.
    pub fn all() -> impl Iterator<Item = Placement<B>> {
        subsets(B::HOME, B::GHOSTS_OF_A_COLOUR).filter_map(|red| Placement::with_red(red).ok())
    }

    /// The squares of the red ghosts.
    pub const fn red(self) -> Bitboard {
        self.red
    }

    fn army(self) -> Army {
        Army { blue: B::HOME.without(self.red), red: self.red }
    }
}

/// The subsets of `set` with `size` squares, in a fixed order.
pub(super) fn subsets(set: Bitboard, size: u32) -> impl Iterator<Item = Bitboard> {
    // The subsets of a mask in ascending order: subtract the mask, which carries through the gaps.
    let mut next = Some(0u64);
    std::iter::from_fn(move || {
        let subset = next?;
        let following = subset.wrapping_sub(set.0) & set.0;
        next = (following != 0).then_some(following);
        Some(Bitboard(subset))
    })
    .filter(move |subset| subset.count() == size)
}

/// A game in progress, or over, with everything known: the truth that neither player sees.
///
/// Each player gets an [`Observation`](super::Observation) of it, and nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Game<B: Board = Standard> {
    bottom: Army,
    top: Army,
    turn: Seat,
    ply: u32,
    draw_limit: u32,
    escaped: Option<Seat>,
    board: PhantomData<B>,
}

impl<B: Board> Game<B> {
    /// The usual draw limit, in plies of both sides.
    pub const USUAL_DRAW_LIMIT: u32 = 300;

    /// A new game with the bottom side to move. It is drawn when `draw_limit` plies have been
    /// played and nobody has won.
    pub fn new(bottom: Placement<B>, top: Placement<B>, draw_limit: u32) -> Game<B> {
        Game {
            bottom: bottom.army(),
            top: top.army().map(B::turned),
            turn: Seat::First,
            ply: 0,
            draw_limit,
            escaped: None,
            board: PhantomData,
        }
    }

    /// A game in the middle, from parts that an observation vouches for.
    pub(super) fn resumed(
        bottom: Army,
        top: Army,
        turn: Seat,
        ply: u32,
        draw_limit: u32,
    ) -> Game<B> {
        Game { bottom, top, turn, ply, draw_limit, escaped: None, board: PhantomData }
    }

    /// The ghosts of `side` on the board.
    pub const fn army(&self, side: Seat) -> Army {
        match side {
            Seat::First => self.bottom,
            Seat::Second => self.top,
        }
    }

    fn army_mut(&mut self, side: Seat) -> &mut Army {
        match side {
            Seat::First => &mut self.bottom,
            Seat::Second => &mut self.top,
        }
    }

    /// How many blue and red ghosts of `side` have been captured. One that left is not captured.
    pub fn captured(&self, side: Seat) -> (u32, u32) {
        let army = self.army(side);
        let left = u32::from(self.escaped == Some(side));
        let start = B::GHOSTS_OF_A_COLOUR;
        let missing = |now: u32| start.saturating_sub(now); // an unchecked move may leave nonsense
        (missing(army.blue.count() + left), missing(army.red.count()))
    }

    /// Whose turn it is.
    pub const fn turn(&self) -> Seat {
        self.turn
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
    pub fn outcome(&self) -> Option<Outcome> {
        if let Some(side) = self.escaped {
            return Some(Outcome::win(side, Reason::Escape));
        }
        let by_captures = |side| self.army(side).outcome(side);
        by_captures(Seat::First)
            .or_else(|| by_captures(Seat::Second))
            .or_else(|| (self.ply >= self.draw_limit).then_some(Outcome::Draw))
    }

    fn exits(side: Seat) -> Bitboard {
        match side {
            Seat::First => B::BOTTOM_EXITS,
            Seat::Second => B::TOP_EXITS,
        }
    }

    /// Every legal move, steps by square, then escapes. Empty exactly when the game is over.
    pub fn legal_moves(&self) -> Vec<Move> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let army = self.army(self.turn);
        generate::<B>(army.all(), army.all(), army.blue & Self::exits(self.turn))
    }

    /// The game after `mv`.
    ///
    /// # Errors
    ///
    /// If the move is not legal here.
    pub fn play(&self, mv: Move) -> Result<Game<B>, IllegalMove<Move>> {
        if self.legal_moves().contains(&mv) {
            Ok(self.play_unchecked(mv))
        } else {
            Err(IllegalMove(mv))
        }
    }

    /// The game after `mv`, which the caller knows to be legal; otherwise the result means nothing,
    /// but it is no panic.
    #[must_use]
    pub fn play_unchecked(&self, mv: Move) -> Game<B> {
        let mut after = *self;
        after.ply += 1;
        after.turn = self.turn.opponent();
        let from = mv.from().bit();
        match mv.to() {
            Some(to) => {
                let army = after.army_mut(self.turn);
                let set = if army.blue.meets(from) { &mut army.blue } else { &mut army.red };
                *set = set.without(from) | to.bit();
                after.army_mut(self.turn.opponent()).take(to.bit());
            }
            None => {
                after.army_mut(self.turn).take(from);
                after.escaped = Some(self.turn);
            }
        }
        after
    }

    /// The board as lines of text with all colours shown: `B` `R` bottom, `b` `r` top.
    pub fn diagram(&self) -> String {
        let letter = |square| match square {
            s if self.bottom.blue.has(s) => 'B',
            s if self.bottom.red.has(s) => 'R',
            s if self.top.blue.has(s) => 'b',
            s if self.top.red.has(s) => 'r',
            _ => '.',
        };
        let row = |row| -> String {
            (0..B::COLUMNS).filter_map(|column| Square::at(column, row)).map(letter).collect()
        };
        (0..B::ROWS).rev().map(row).collect::<Vec<_>>().join("\n")
    }
}

impl<B: Board> fmt::Debug for Game<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} ply {} of {}, {} to move",
            self.diagram().replace('\n', "/"),
            self.ply,
            self.draw_limit,
            side_name(self.turn)
        )
    }
}

impl<B: Board> Rules for Game<B> {
    type Move = Move;

    fn legal_moves(&self) -> Vec<Move> {
        self.legal_moves()
    }

    fn play_unchecked(&self, mv: Move) -> Game<B> {
        self.play_unchecked(mv)
    }
}

impl<B: Board> TwoPlayer for Game<B> {
    fn seat(&self) -> Seat {
        self.turn()
    }

    fn ending(&self) -> Option<Ending> {
        self.outcome().map(Ending::from)
    }
}
