//! What one side may know of a game.

use super::{Announcement, Color, Own, Termination, Try};

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

/// The game as one side sees it at one moment: its own pieces, and what was announced last.
///
/// Two games that differ only in what the side cannot know give equal observations. The clock of
/// the fifty-move rule is not in it, since the other side's moves of pawns are not announced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Observation {
    /// The own men on the board.
    pub own: Own,
    /// Whether it is this side's turn, or would be if the game were not over.
    pub to_move: bool,
    /// What was announced last; `None` before the first move.
    pub announcement: Option<Announcement>,
    /// How the game ended, or `None` if it goes on.
    pub termination: Option<Termination>,
}

impl Observation {
    /// Whose observation it is.
    pub const fn side(&self) -> Color {
        self.own.side()
    }

    /// The tries that may be legal as far as this side can tell, without those `refused` in this
    /// turn. Captures by pawns are among them only if the umpire announced some.
    pub fn candidates(&self, refused: &[Try]) -> Vec<Try> {
        // Before the first move of a game nothing is announced.
        let pawn_captures = self.announcement.is_none_or(|heard| heard.pawn_tries > 0);
        let mut tries = self.own.tries(pawn_captures);
        tries.retain(|attempt| !refused.contains(attempt));
        tries
    }
}

/// The tries that were illegal in the present turn of the side that lived through `events`, the
/// last one first.
pub fn refused_tries<'a>(events: impl DoubleEndedIterator<Item = &'a Event>) -> Vec<Try> {
    let refused = |event: &Event| match *event {
        Event::Refused(attempt) => Some(attempt),
        _ => None,
    };
    events.rev().map_while(refused).collect()
}
