//! What one side may know of a game.

use super::{Announcement, Color, End, Own, Try};

/// Something that a side has lived through.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Event {
    /// An own try was illegal. The other side does not hear of it.
    Refused(Try),
    /// An own try was the move.
    Moved {
        /// The move.
        played: Try,
        /// What both sides heard.
        announcement: Announcement,
    },
    /// The other side has moved.
    Opponent(Announcement),
}

/// The game as one side sees it: its own men, and all it has heard since the start.
///
/// Two games that differ only in what the side cannot know give equal observations. The clock of
/// the fifty-move rule is not in it, since the other side's moves of pawns are not announced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Observation<'game> {
    /// The own men on the board.
    pub own: Own,
    /// Whether it is this side's turn, or would be if the game were not over.
    pub to_move: bool,
    /// What the side has heard, in its order.
    pub events: &'game [Event],
    /// How the game ended, or `None` if it goes on.
    pub end: Option<End>,
}

impl Observation<'_> {
    /// Whose observation it is.
    pub const fn side(&self) -> Color {
        self.own.side()
    }

    /// What was announced last; `None` before the first move.
    pub fn announcement(&self) -> Option<Announcement> {
        self.events.iter().rev().find_map(|event| match *event {
            Event::Refused(_) => None,
            Event::Moved { announcement, .. } | Event::Opponent(announcement) => Some(announcement),
        })
    }

    /// The tries of this turn that were illegal.
    pub fn refused(&self) -> impl Iterator<Item = Try> {
        self.events.iter().rev().map_while(|event| match *event {
            Event::Refused(attempt) => Some(attempt),
            _ => None,
        })
    }

    /// The tries that may be legal as far as this side can tell, those that were refused in this
    /// turn left out. Captures by pawns are among them only if the umpire announced some.
    pub fn tries(&self) -> Vec<Try> {
        // Before the first move of a game nothing is announced.
        let pawn_captures = self.announcement().is_none_or(|heard| heard.pawn_tries > 0);
        let mut tries = self.own.tries(pawn_captures);
        tries.retain(|&attempt| !self.refused().any(|refused| refused == attempt));
        tries
    }
}
