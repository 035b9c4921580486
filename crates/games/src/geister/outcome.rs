//! How a game ends.

use crate::{Ending, Seat};
use std::fmt;

/// The name of a side of the board. The first player sits at the bottom, with exits in the top row;
/// in a puzzle the bottom side is the solver and the top side defends.
pub const fn side_name(seat: Seat) -> &'static str {
    match seat {
        Seat::First => "bottom",
        Seat::Second => "top",
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
        winner: Seat,
        /// By which rule.
        reason: Reason,
    },
    /// The draw limit was reached. Puzzles have none.
    Draw,
}

impl Outcome {
    /// A win of `winner` by `reason`.
    pub const fn win(winner: Seat, reason: Reason) -> Outcome {
        Outcome::Win { winner, reason }
    }

    /// Who won, if anybody did.
    pub const fn winner(self) -> Option<Seat> {
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
        let (winner, loser) = (side_name(*winner), side_name(winner.opponent()));
        match reason {
            Reason::Escape => write!(f, "{winner} wins: a blue ghost left the board"),
            Reason::BluesCaptured => write!(f, "{winner} wins: all blues of {loser} are captured"),
            Reason::RedsCaptured => write!(f, "{winner} wins: {loser} captured all its reds"),
        }
    }
}

impl From<Outcome> for Ending {
    fn from(outcome: Outcome) -> Ending {
        outcome.winner().map_or(Ending::Draw, Ending::Win)
    }
}
