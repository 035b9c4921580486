//! The traits that all games here share.

use std::fmt;

/// The rules of a game: enough to walk its tree.
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
    /// different keys, except for collisions with a probability of 2^-64.
    fn key(&self) -> u64;
}

/// One of the two players of a game, named by turn order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Seat {
    /// Makes the first move of a game.
    First,
    /// Makes the second move.
    Second,
}

impl Seat {
    /// Both seats, in order.
    pub const ALL: [Seat; 2] = [Seat::First, Seat::Second];

    /// 0 for the first seat and 1 for the second, to index arrays by seat.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The opponent.
    #[must_use]
    pub const fn opponent(self) -> Seat {
        match self {
            Seat::First => Seat::Second,
            Seat::Second => Seat::First,
        }
    }
}

/// The result of a game of two players.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ending {
    /// This player won.
    Win(Seat),
    /// Nobody won.
    Draw,
}

impl Ending {
    /// The winner; `None` for a draw.
    pub const fn winner(self) -> Option<Seat> {
        match self {
            Ending::Win(seat) => Some(seat),
            Ending::Draw => None,
        }
    }
}

/// A game of two players without chance. The players need not alternate.
pub trait TwoPlayer: Rules {
    /// The player to move; meaningless when the game is over.
    fn seat(&self) -> Seat;

    /// How the game ended; `None` exactly when there are legal moves.
    fn ending(&self) -> Option<Ending>;
}

/// A game with chance nodes.
pub trait Chance: Rules {
    /// A chance event, cheap to copy.
    type Event: Copy;

    /// The chance events with their probabilities, in a fixed order; empty exactly when a player
    /// is to move or the game is over. The probabilities are above 0 and sum to 1, except for
    /// rounding.
    fn events(&self) -> Vec<(Self::Event, f64)>;

    /// The position after `event`, which must be one of [`Chance::events`].
    fn after_event(&self, event: Self::Event) -> Self;
}

/// Counts the leaves `depth` plies below `position`: the lines of play of exactly that length.
///
/// Lines that end sooner are not counted, and chance nodes have no leaves here. This is the
/// usual test of a move generator.
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
