//! How a game ends.

use crate::{Ending, Seat};
use std::fmt;

/// One of the two players. The bottom side's exits are in the top row, and the other way round.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// Starts in the rows 1 and 2; in a puzzle the side that solves.
    Bottom,
    /// Starts in the two top rows; in a puzzle the side that defends.
    Top,
}

impl Side {
    /// The other player.
    #[must_use]
    pub const fn opponent(self) -> Side {
        match self {
            Side::Bottom => Side::Top,
            Side::Top => Side::Bottom,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Bottom => "bottom",
            Side::Top => "top",
        })
    }
}

/// Which of the three victory rules decided.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// The winner's blue ghost left the board.
    Escape,
    /// The winner captured the last blue ghost of the loser.
    BluesCaptured,
    /// The loser captured the last red ghost of the winner.
    RedsCaptured,
}

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// Somebody won.
    Win {
        /// Who.
        winner: Side,
        /// By which rule.
        reason: Reason,
    },
    /// The draw limit was reached. Puzzles have none.
    Draw,
}

impl Outcome {
    /// A win of `winner` by `reason`.
    pub const fn win(winner: Side, reason: Reason) -> Outcome {
        Outcome::Win { winner, reason }
    }

    /// Who won, if anybody did.
    pub const fn winner(self) -> Option<Side> {
        match self {
            Outcome::Win { winner, .. } => Some(winner),
            Outcome::Draw => None,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Outcome::Win { winner, reason } = self else {
            return f.write_str("draw: the limit of plies is reached");
        };
        let loser = winner.opponent();
        match reason {
            Reason::Escape => write!(f, "{winner} wins: a blue ghost left the board"),
            Reason::BluesCaptured => write!(f, "{winner} wins: all blues of {loser} are captured"),
            Reason::RedsCaptured => write!(f, "{winner} wins: {loser} captured all its reds"),
        }
    }
}

impl From<Side> for Seat {
    /// The bottom side begins.
    fn from(side: Side) -> Seat {
        match side {
            Side::Bottom => Seat::First,
            Side::Top => Seat::Second,
        }
    }
}

impl From<Outcome> for Ending {
    fn from(outcome: Outcome) -> Ending {
        outcome.winner().map_or(Ending::Draw, |side| Ending::Win(side.into()))
    }
}
