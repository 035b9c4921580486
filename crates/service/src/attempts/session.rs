//! The state machine of an attempt: what a move, a hint or a takeback changes. Nothing here waits or
//! writes; the caller stores the result.

use crate::catalogue::Entry;
use crate::error::ServiceError;
use crate::store::{Attempt, AttemptState};
use games::geister::{Move, Position, Reason};
use geister::judge::{Judgement, Ply, Worth};

/// The longest attempt, in plies.
const MAX_PLIES: usize = 400;

/// An attempt with its position.
#[derive(Clone, Debug)]
pub struct AttemptSession {
    /// The attempt.
    pub attempt: Attempt,
    /// Where it stands.
    pub position: Position,
    /// What happened so far.
    pub events: Vec<Ply>,
}

impl AttemptSession {
    /// Plays an attempt's moves.
    ///
    /// # Errors
    /// If they cannot be played, which happens only if the database is damaged.
    pub fn new(entry: &Entry, attempt: Attempt) -> Result<AttemptSession, ServiceError> {
        let mut session =
            AttemptSession { position: entry.puzzle.position, attempt, events: Vec::new() };
        for text in session.attempt.moves.clone().split_whitespace() {
            let mv: Move = text.parse().map_err(|_| ServiceError::NOT_FOUND)?;
            session.play(mv).map_err(|()| ServiceError::NOT_FOUND)?;
        }
        Ok(session)
    }

    fn play(&mut self, mv: Move) -> Result<(), ()> {
        let after = self.position.play(mv).map_err(|_| ())?;
        self.events.push(Ply::new(&self.position, mv));
        self.position = after;
        Ok(())
    }

    /// Nothing more can be played: it was won, or the solution was shown.
    pub fn is_over(&self) -> bool {
        matches!(self.attempt.state, AttemptState::Solved | AttemptState::Shown)
    }

    /// Whether `mv` can be judged now: how many plies the shortest win takes from here.
    ///
    /// # Errors
    /// If the attempt is over, the win is lost already, or the move is not legal.
    pub fn expect_move(&self, mv: Move) -> Result<u32, ServiceError> {
        if self.is_over() {
            return Err(ServiceError::conflict("attempt-over"));
        }
        let Some(plies) = self.attempt.plies else {
            return Err(ServiceError::conflict("take-back-first"));
        };
        if !self.position.is_legal(mv) {
            return Err(ServiceError::bad("illegal-move"));
        }
        if self.events.len() >= MAX_PLIES {
            return Err(ServiceError::conflict("too-long"));
        }
        Ok(plies)
    }

    /// Plays a move that was judged, and its reply. Returns the outcome if that decides the attempt.
    pub fn advance(&mut self, mv: Move, judgement: &Judgement, m_win: u32) -> Option<AttemptState> {
        let before = self.attempt.plies;
        for mv in [Some(mv), judgement.reply].into_iter().flatten() {
            // A judged move and its reply are legal.
            let _ = self.play(mv);
        }
        self.attempt.moves = texts(&self.events);
        self.attempt.plies = judgement.left;
        // A hint was for the position before; that there was one is kept.
        self.attempt.hint = self.attempt.hint.take().map(|_| String::new());
        self.attempt.back_plies = if judgement.worth == Worth::Right { None } else { before };
        match judgement.worth {
            Worth::Lost { .. } => {
                let first = self.attempt.state == AttemptState::Open;
                self.attempt.state = AttemptState::Failed;
                first.then_some(AttemptState::Failed)
            }
            Worth::Right | Worth::Longer(_) if judgement.left == Some(0) => {
                let first = self.attempt.state == AttemptState::Open;
                self.attempt.state = AttemptState::Solved;
                self.attempt.back_plies = None;
                self.attempt.longer_by = (self.events.len() as u32).saturating_sub(m_win);
                first.then_some(AttemptState::Solved)
            }
            Worth::Right | Worth::Longer(_) | Worth::Unclear { .. } => None,
        }
    }

    /// Takes the last own move and its reply back.
    ///
    /// # Errors
    /// If that is not allowed: a right move cannot be taken back.
    pub fn back(&mut self, entry: &Entry) -> Result<(), ServiceError> {
        let Some(plies) = self.attempt.back_plies.filter(|_| !self.is_over()) else {
            return Err(ServiceError::conflict("nothing-to-take-back"));
        };
        // An own move that ended the game has no reply.
        let last_is_own = self.events.len() % 2 == 1;
        let keep = self.events.len().saturating_sub(if last_is_own { 1 } else { 2 });
        let moves: Vec<Move> = self.events.drain(..).take(keep).map(|ply| ply.mv).collect();
        self.position = entry.puzzle.position;
        for mv in moves {
            let _ = self.play(mv);
        }
        self.attempt.moves = texts(&self.events);
        (self.attempt.plies, self.attempt.back_plies) = (Some(plies), None);
        Ok(())
    }
}

fn texts(events: &[Ply]) -> String {
    events.iter().map(|ply| ply.mv.to_string()).collect::<Vec<_>>().join(" ")
}

/// The name of a rule that ended a game.
pub const fn rule(reason: Reason) -> &'static str {
    match reason {
        Reason::Escape => "escape",
        Reason::BluesCaptured => "last-blue",
        Reason::RedsCaptured => "last-red",
    }
}
