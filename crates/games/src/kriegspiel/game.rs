//! A game: the true position, its history, and the events that each side has observed.

use super::{Announcement, Color, Event, Observation, Position, Ruling, Termination, Try, umpire};
use std::fmt;

/// Plies without a capture or a pawn move after which the game is drawn.
const FIFTY_MOVE_PLIES: u16 = 100;

/// The true state of a game in progress or over, which neither side sees.
///
/// Each side gets only an [`Observation`] of it. Threefold repetition and the fifty-move rule end
/// the game automatically, since a player who does not see the board cannot claim them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    start: Position,
    position: Position,
    /// Keys of the positions since the last capture or pawn move, including the current one.
    keys: Vec<u64>,
    turns: Vec<Turn>,
    /// The events observed by White and by Black.
    events: [Vec<Event>; 2],
    /// The tries refused in the current turn.
    refused: Vec<Try>,
    termination: Option<Termination>,
}

/// A finished turn: the refused tries, the move, and its announcement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The illegal tries, in order.
    pub refused: Vec<Try>,
    /// The move.
    pub played: Try,
    /// What the umpire announced to both sides.
    pub announcement: Announcement,
}

/// What a player hears after a try.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reply {
    /// The try is illegal: the same side tries again.
    Illegal,
    /// The try was played, with this announcement to both sides.
    Legal(Announcement),
}

/// The error of a try after the end of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameOver(pub Termination);

impl fmt::Display for GameOver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = match self.0 {
            Termination::Checkmate => "checkmate",
            Termination::Stalemate => "stalemate",
            Termination::InsufficientMaterial => "lack of material",
            Termination::Repetition => "repetition",
            Termination::FiftyMoves => "the fifty-move rule",
        };
        write!(f, "the game has ended by {reason} and takes no more tries; start a new one")
    }
}

impl std::error::Error for GameOver {}

impl Default for Game {
    fn default() -> Game {
        Game::new(Position::start())
    }
}

impl Game {
    /// Starts a game from `position`, where it may already be over.
    pub fn new(position: Position) -> Game {
        let termination = position
            .termination()
            .or_else(|| (position.clock() >= FIFTY_MOVE_PLIES).then_some(Termination::FiftyMoves));
        Game {
            start: position.clone(),
            keys: vec![position.key()],
            turns: Vec::new(),
            events: [Vec::new(), Vec::new()],
            refused: Vec::new(),
            termination,
            position,
        }
    }

    /// The starting position.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The true position.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.position.turn()
    }

    /// The finished turns.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The illegal tries of the current turn.
    pub fn refused(&self) -> &[Try] {
        &self.refused
    }

    /// Why the game ended, or `None` while it is in progress.
    pub const fn termination(&self) -> Option<Termination> {
        self.termination
    }

    /// The winner; `None` for a draw and while the game is in progress.
    pub fn winner(&self) -> Option<Color> {
        self.termination?.winner(self.turn())
    }

    /// What `color` sees now.
    pub fn observe(&self, color: Color) -> Observation {
        Observation {
            own: self.position.own(color),
            to_move: self.turn() == color,
            announcement: self.turns.last().map(|turn| turn.announcement),
            termination: self.termination,
        }
    }

    /// What `color` has observed since the start, in order.
    pub fn events(&self, color: Color) -> &[Event] {
        &self.events[color as usize]
    }

    /// The tries of the side to move that may be legal as far as it knows, except those already
    /// refused in this turn.
    pub fn candidates(&self) -> Vec<Try> {
        self.observe(self.turn()).candidates(&self.refused)
    }

    /// Every try so far, refused or played, in order.
    pub fn attempts(&self) -> impl Iterator<Item = Try> {
        let turns = self.turns.iter();
        let tries = turns.flat_map(|turn| turn.refused.iter().chain([&turn.played]));
        tries.chain(&self.refused).copied()
    }

    /// The announcement that would follow this try of the side to move; `None` if the try is illegal
    /// or the game is over.
    pub fn announce(&self, attempt: Try) -> Option<Announcement> {
        match umpire(&self.position, attempt) {
            Ruling::Legal { announcement, after } if self.termination.is_none() => {
                Some(self.with_draw_by_history(&after, announcement))
            }
            _ => None,
        }
    }

    /// Submits a try of the side to move to the umpire.
    ///
    /// # Errors
    ///
    /// If the game is over.
    pub fn attempt(&mut self, attempt: Try) -> Result<Reply, GameOver> {
        if let Some(termination) = self.termination {
            return Err(GameOver(termination));
        }
        let mover = self.turn();
        match umpire(&self.position, attempt) {
            Ruling::Illegal => {
                self.refused.push(attempt);
                self.events[mover as usize].push(Event::Refused(attempt));
                Ok(Reply::Illegal)
            }
            Ruling::Legal { announcement, after } => {
                let announcement = self.advance(after, announcement);
                self.record(mover, attempt, announcement);
                Ok(Reply::Legal(announcement))
            }
        }
    }

    /// Completes the announcement of the move to `after` with a draw by repetition or by fifty moves.
    fn with_draw_by_history(&self, after: &Position, announcement: Announcement) -> Announcement {
        let key = after.key();
        let earlier: &[u64] = if after.clock() == 0 { &[] } else { &self.keys };
        let repeated = earlier.iter().filter(|&&earlier| earlier == key).count() >= 2;
        let drawn = match announcement.termination {
            Some(_) => None,
            None if repeated => Some(Termination::Repetition),
            None => (after.clock() >= FIFTY_MOVE_PLIES).then_some(Termination::FiftyMoves),
        };
        drawn.map_or(announcement, |termination| announcement.ended(termination))
    }

    /// Makes `after` the current position and returns the complete announcement.
    fn advance(&mut self, after: Position, announcement: Announcement) -> Announcement {
        let announcement = self.with_draw_by_history(&after, announcement);
        if after.clock() == 0 {
            self.keys.clear();
        }
        self.keys.push(after.key());
        self.termination = announcement.termination;
        self.position = after;
        announcement
    }

    fn record(&mut self, mover: Color, played: Try, announcement: Announcement) {
        self.events[mover as usize].push(Event::Moved { played, announcement });
        self.events[!mover as usize].push(Event::Opponent(announcement));
        let refused = std::mem::take(&mut self.refused);
        self.turns.push(Turn { refused, played, announcement });
    }
}
