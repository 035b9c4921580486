//! What the games here have in common, as a few small traits.

use std::fmt;

/// Enough of a game to walk its tree.
pub trait Rules: Clone {
    /// A move, cheap to copy.
    type Move: Copy;

    /// Every legal move, in a fixed order; empty exactly when the game is over or chance is to
    /// move (see [`Chance`]).
    fn legal_moves(&self) -> Vec<Self::Move>;

    /// The position after `mv`, which must be one of [`Rules::legal_moves`].
    fn play_unchecked(&self, mv: Self::Move) -> Self;
}

/// A move that the position does not allow; it was not played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalMove<M>(
    /// The refused move.
    pub M,
);

impl<M: fmt::Display> fmt::Display for IllegalMove<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not a legal move here", self.0)
    }
}

impl<M: fmt::Debug + fmt::Display> std::error::Error for IllegalMove<M> {}

/// A position with a hash key.
pub trait Keyed {
    /// Equal positions have equal keys, on every machine and in every run; different ones have
    /// different keys but for accidents of one in 2^64.
    fn key(&self) -> u64;
}

/// One of the two players of a game, by who begins it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Seat {
    /// Makes the first move of a game.
    First,
    /// Answers it.
    Second,
}

impl Seat {
    /// Both seats, in order.
    pub const ALL: [Seat; 2] = [Seat::First, Seat::Second];

    /// 0 for the first seat and 1 for the second, to index arrays by seat.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other player.
    #[must_use]
    pub const fn opponent(self) -> Seat {
        match self {
            Seat::First => Seat::Second,
            Seat::Second => Seat::First,
        }
    }
}

/// How a game of two players ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ending {
    /// This player won.
    Win(Seat),
    /// Nobody did.
    Draw,
}

impl Ending {
    /// The one who won, if anybody did.
    pub const fn winner(self) -> Option<Seat> {
        match self {
            Ending::Win(seat) => Some(seat),
            Ending::Draw => None,
        }
    }
}

/// A game of two players without chance. They need not take turns.
pub trait TwoPlayer: Rules {
    /// The player to move. When the game is over it means nothing.
    fn seat(&self) -> Seat;

    /// How the game ended; `None` exactly when there are legal moves.
    fn ending(&self) -> Option<Ending>;
}

/// A game in which chance makes moves too.
pub trait Chance: Rules {
    /// Something that chance may do, cheap to copy.
    type Event: Copy;

    /// Everything that chance may do now and how probable it is, in a fixed order; empty exactly
    /// when a player is to move or the game is over. The probabilities are above 0 and their sum
    /// is 1 but for rounding.
    fn events(&self) -> Vec<(Self::Event, f64)>;

    /// The position after `event`, which must be one of [`Chance::events`].
    fn after_event(&self, event: Self::Event) -> Self;
}

/// Counts the leaves `depth` plies below `position`: the lines of play of exactly that length.
///
/// Lines that end sooner are not counted, and chance makes no move here. This is the usual check of
/// a move generator against another one.
pub fn perft<R: Rules>(position: &R, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.legal_moves().len() as u64,
        _ => position
            .legal_moves()
            .iter()
            .map(|&mv| perft(&position.play_unchecked(mv), depth - 1))
            .sum(),
    }
}
