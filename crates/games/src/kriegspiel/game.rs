//! A game: the true position, its history, and what each side has heard.

use super::{Announcement, Color, Event, Observation, Position, Ruling, Termination, Try, umpire};
use std::fmt;

/// So many plies without a capture or a move of a pawn are a draw.
const FIFTY_MOVES: u16 = 100;

/// A game in progress, or over, with everything known: the truth that neither side sees.
///
/// Each side gets an [`Observation`] of it, and nothing else. Repetition and fifty moves end it
/// by themselves, since nobody who does not see the board can claim them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    start: Position,
    position: Position,
    /// Keys of the positions since the last capture or move of a pawn, the present one included.
    keys: Vec<u64>,
    moves: Vec<Turn>,
    /// What White and Black have seen.
    events: [Vec<Event>; 2],
    /// What has been refused in the present turn.
    refused: Vec<Try>,
    termination: Option<Termination>,
}

/// One turn of a game: the tries that were refused, the move, and what was announced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The illegal tries, in their order.
    pub refused: Vec<Try>,
    /// The move.
    pub played: Try,
    /// What both sides heard.
    pub announcement: Announcement,
}

/// What the one who tries hears.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reply {
    /// Not a legal move: it is still the same side's turn.
    Illegal,
    /// The move is made, and this is what both sides hear.
    Legal(Announcement),
}

/// A try after the end of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameOver(pub Termination);

impl fmt::Display for GameOver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = match self.0 {
            Termination::Checkmate => "checkmate",
            Termination::Stalemate => "stalemate",
            Termination::InsufficientMaterial => "lack of material",
            Termination::Repetition => "repetition",
            Termination::FiftyMoves => "the fifty-move rule",
        };
        write!(f, "the game has ended by {how} and takes no more tries; start a new one")
    }
}

impl std::error::Error for GameOver {}

impl Default for Game {
    fn default() -> Game {
        Game::new(Position::start())
    }
}

impl Game {
    /// A game that starts from `position`, where it may be over already.
    pub fn new(position: Position) -> Game {
        let termination = position
            .termination()
            .or_else(|| (position.clock() >= FIFTY_MOVES).then_some(Termination::FiftyMoves));
        Game {
            start: position.clone(),
            keys: vec![position.key()],
            moves: Vec::new(),
            events: [Vec::new(), Vec::new()],
            refused: Vec::new(),
            termination,
            position,
        }
    }

    /// Where the game started.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The true position.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Color {
        self.position.turn()
    }

    /// The turns that have been finished.
    pub fn turns(&self) -> &[Turn] {
        &self.moves
    }

    /// The illegal tries of the present turn.
    pub fn refused(&self) -> &[Try] {
        &self.refused
    }

    /// How the game ended, or `None` if it goes on.
    pub const fn termination(&self) -> Option<Termination> {
        self.termination
    }

    /// Who won; `None` for a draw and while the game goes on.
    pub fn winner(&self) -> Option<Color> {
        self.termination?.winner(self.turn())
    }

    /// What `side` sees now.
    pub fn observe(&self, side: Color) -> Observation {
        Observation {
            own: self.position.own(side),
            to_move: self.turn() == side,
            announcement: self.moves.last().map(|turn| turn.announcement),
            termination: self.termination,
        }
    }

    /// What `side` has lived through since the start, in order.
    pub fn events(&self, side: Color) -> &[Event] {
        &self.events[side as usize]
    }

    /// The tries of the side to move that may be legal as far as it can tell, without those
    /// refused in this turn.
    pub fn candidates(&self) -> Vec<Try> {
        self.observe(self.turn()).candidates(&self.refused)
    }

    /// Every try so far, refused or played, in order.
    pub fn attempts(&self) -> impl Iterator<Item = Try> {
        let turns = self.moves.iter();
        let tries = turns.flat_map(|turn| turn.refused.iter().chain([&turn.played]));
        tries.chain(&self.refused).copied()
    }

    /// What both sides would hear if the side to move made this try; `None` if it is illegal or
    /// the game is over.
    pub fn announce(&self, attempt: Try) -> Option<Announcement> {
        match umpire(&self.position, attempt) {
            Ruling::Legal { announcement, after } if self.termination.is_none() => {
                Some(self.judged(&after, announcement))
            }
            _ => None,
        }
    }

    /// Puts a try of the side to move before the umpire.
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

    /// The announcement of the move to `after`, which the history may turn into a draw.
    fn judged(&self, after: &Position, announcement: Announcement) -> Announcement {
        let key = after.key();
        let earlier: &[u64] = if after.clock() == 0 { &[] } else { &self.keys };
        let repeated = earlier.iter().filter(|&&earlier| earlier == key).count() >= 2;
        let drawn = match announcement.termination {
            Some(_) => None,
            None if repeated => Some(Termination::Repetition),
            None => (after.clock() >= FIFTY_MOVES).then_some(Termination::FiftyMoves),
        };
        drawn.map_or(announcement, |termination| announcement.ended(termination))
    }

    /// Moves on to `after` and says what is announced.
    fn advance(&mut self, after: Position, announcement: Announcement) -> Announcement {
        let announcement = self.judged(&after, announcement);
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
        self.moves.push(Turn { refused, played, announcement });
    }
}
