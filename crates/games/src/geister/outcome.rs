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

    /// The outcome when the last blue piece of `owner` is captured: `owner` loses.
    pub const fn last_blue_captured(owner: Seat) -> Outcome {
        Outcome::win(owner.opponent(), Reason::BluesCaptured)
    }

    /// The outcome when the last red piece of `owner` is captured: `owner` wins.
    pub const fn last_red_captured(owner: Seat) -> Outcome {
        Outcome::win(owner, Reason::RedsCaptured)
    }

    /// The outcome by captures once `owner` has this many blue and red pieces left, or `None` while
    /// it has both.
    #[inline]
    pub const fn by_captures(owner: Seat, blue: u32, red: u32) -> Option<Outcome> {
        match (blue, red) {
            (0, _) => Some(Outcome::last_blue_captured(owner)),
            (_, 0) => Some(Outcome::last_red_captured(owner)),
            _ => None,
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_blue_loses_and_the_last_red_wins() {
        let (own, opponent) = (Seat::First, Seat::Second);
        let lost = Outcome::win(opponent, Reason::BluesCaptured);
        assert_eq!(Outcome::by_captures(own, 0, 2), Some(lost));
        let won = Outcome::win(own, Reason::RedsCaptured);
        assert_eq!(Outcome::by_captures(own, 1, 0), Some(won));
        assert_eq!(Outcome::by_captures(own, 1, 1), None);
    }
}
