//! What one side observes of a game.

use super::{Announcement, Color, OwnPieces, Termination, Try};

/// Something that a side has observed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Event {
    /// An own try was illegal. The opponent does not hear of it.
    Refused(Try),
    /// An own try was legal and was played.
    Moved {
        /// The move.
        played: Try,
        /// What the umpire announced to both sides.
        announcement: Announcement,
    },
    /// The opponent has moved, with this announcement.
    Opponent(Announcement),
}

/// The game as one side sees it at one moment: its own pieces and the last announcement.
///
/// Two games that differ only in what the side cannot know give equal observations. The clock of
/// the fifty-move rule is not part of it, since the opponent's pawn moves are not announced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Observation {
    /// The own pieces on the board.
    pub own: OwnPieces,
    /// Whether this side is to move, or would be if the game were not over.
    pub to_move: bool,
    /// The last announcement; `None` before the first move.
    pub announcement: Option<Announcement>,
    /// Why the game ended, or `None` while it is in progress.
    pub termination: Option<Termination>,
}

impl Observation {
    /// The color of the observing side.
    pub const fn color(&self) -> Color {
        self.own.color()
    }

    /// The tries that may be legal as far as this side knows, except those already `refused` in this
    /// turn. Pawn captures are included only if the umpire announced pawn tries.
    pub fn candidates(&self, refused: &[Try]) -> Vec<Try> {
        // Before the first move of a game nothing is announced.
        let pawn_captures = self.announcement.is_none_or(|last| last.pawn_tries > 0);
        let mut tries = self.own.tries(pawn_captures);
        tries.retain(|attempt| !refused.contains(attempt));
        tries
    }
}

/// The tries refused in the current turn of the side that observed `events`, the last one first.
pub fn refused_tries<'a>(events: impl DoubleEndedIterator<Item = &'a Event>) -> Vec<Try> {
    let refused = |event: &Event| match *event {
        Event::Refused(attempt) => Some(attempt),
        _ => None,
    };
    events.rev().map_while(refused).collect()
}
