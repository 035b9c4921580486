//! One game with its hidden state, and who may do what in it.

use super::hosted_game::{HostedGame, Viewer};
use super::registry::{self, HostedRules};
use crate::error::ServiceError;
use crate::store::GameRow;
use games::Seat;
use serde_json::value::RawValue;

/// Who looks at a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The player on this seat.
    Player(Seat),
    /// Anybody else: sees what is public, and everything at the end.
    Spectator,
}

impl Role {
    /// The seat of a player.
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Role::Player(seat) => Some(seat),
            Role::Spectator => None,
        }
    }
}

/// The stage of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// A seat is free.
    Waiting,
    /// A player has to set up.
    SettingUp,
    /// A player has to move.
    Playing,
    /// The game is over.
    Over,
}

impl Stage {
    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Waiting => "waiting",
            Stage::SettingUp => "setting-up",
            Stage::Playing => "playing",
            Stage::Over => "over",
        }
    }
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// What ended it: a rule of the game, or `resigned`.
    pub how: &'static str,
    /// The winner; `None` for a draw.
    pub winner: Option<Seat>,
}

/// A game that was loaded: its row and the game that the row means.
#[derive(Debug)]
pub struct GameSession {
    /// The row in the database. It is brought up to date with the game when that is stored.
    pub row: GameRow,
    /// The game with everything that is hidden, which nobody sees before the end.
    pub game: Box<dyn HostedGame>,
}

impl Clone for GameSession {
    fn clone(&self) -> GameSession {
        GameSession { row: self.row.clone(), game: self.game.boxed_clone() }
    }
}

/// The name of a seat in JSON.
pub(super) const fn seat_name(seat: Seat) -> &'static str {
    match seat {
        Seat::First => "first",
        Seat::Second => "second",
    }
}

/// The seat of this name.
pub fn seat_named(name: &str) -> Option<Seat> {
    Seat::ALL.into_iter().find(|&seat| seat_name(seat) == name)
}

impl GameSession {
    /// Opens a game from its row; `None` if the row is damaged.
    pub fn open(row: GameRow) -> Option<GameSession> {
        let game = registry::named(&row.kind)?.open(&row.setup, &row.moves)?;
        Some(GameSession { row, game })
    }

    /// Which game it is.
    pub fn rules(&self) -> &'static dyn HostedRules {
        self.game.rules()
    }

    /// The role of a person.
    pub fn role(&self, person: &str) -> Role {
        let sits = |seat: &Seat| self.row.persons[seat.index()].as_deref() == Some(person);
        Seat::ALL.into_iter().find(sits).map_or(Role::Spectator, Role::Player)
    }

    /// The program on a seat.
    pub fn program(&self, seat: Seat) -> Option<&str> {
        self.row.programs[seat.index()].as_deref()
    }

    /// Whether a person or a program sits there.
    pub fn is_taken(&self, seat: Seat) -> bool {
        self.row.persons[seat.index()].is_some() || self.program(seat).is_some()
    }

    /// Whether a seat is taken and has nothing to do before the first move.
    pub fn is_ready(&self, seat: Seat) -> bool {
        self.game.is_set_up(seat) && self.is_taken(seat)
    }

    /// The result; `None` while the game is not over.
    pub fn result(&self) -> Option<GameResult> {
        if let Some(loser) = self.row.given_up {
            let winner = if loser == 0 { Seat::Second } else { Seat::First };
            return Some(GameResult { how: "resigned", winner: Some(winner) });
        }
        self.game.result()
    }

    /// The stage.
    pub fn stage(&self) -> Stage {
        if self.result().is_some() {
            Stage::Over
        } else if !Seat::ALL.into_iter().all(|seat| self.is_taken(seat)) {
            Stage::Waiting
        } else if !Seat::ALL.into_iter().all(|seat| self.is_ready(seat)) {
            Stage::SettingUp
        } else {
            Stage::Playing
        }
    }

    /// The seat to move; `None` unless the game is being played.
    pub fn turn(&self) -> Option<Seat> {
        if self.stage() != Stage::Playing {
            return None;
        }
        self.game.turn()
    }

    /// Moves so far. Refused tries do not count.
    pub fn ply(&self) -> usize {
        self.game.ply()
    }

    /// Sets up a seat, which is done once; the same set-up sent twice counts once. Without `words`
    /// it is set up at random.
    ///
    /// # Errors
    /// If it is not a set-up, or there is nothing to set up any more.
    pub fn set_up(&mut self, seat: Seat, words: Option<&[String]>) -> Result<(), ServiceError> {
        if self.result().is_some() && !self.game.is_set_up(seat) {
            return Err(ServiceError::conflict("set-up-already"));
        }
        match words {
            Some(words) => self.game.set_up(seat, words),
            None => self.game.set_up_at_random(seat),
        }
    }

    /// Plays a move or a try of a seat, which was chosen after `ply` plies. The same one sent twice is
    /// played once; an illegal try is kept, since the umpire announced it.
    ///
    /// # Errors
    /// If it is not a move, not the seat's turn, or the position is another one by now.
    pub fn play(&mut self, seat: Seat, text: &str, ply: usize) -> Result<(), ServiceError> {
        // Only for own plies: nobody may ask what the opponent has played.
        if self.game.was_played(seat, text, ply) {
            return Ok(());
        }
        match self.stage() {
            Stage::Playing => {}
            Stage::Over => return Err(ServiceError::conflict("game-over")),
            Stage::Waiting | Stage::SettingUp => return Err(ServiceError::conflict("not-begun")),
        }
        if self.turn() != Some(seat) || ply != self.ply() {
            return Err(ServiceError::conflict("out-of-turn"));
        }
        self.game.play(text)
    }

    /// Whether a seat may take its last move back: the opponent has not answered, and nothing was
    /// learned by it.
    pub fn can_undo(&self, seat: Seat) -> bool {
        self.stage() == Stage::Playing && self.game.can_undo(seat)
    }

    /// Takes the last move of a seat back.
    ///
    /// # Errors
    /// If it may not be taken back.
    pub fn undo(&mut self, seat: Seat) -> Result<(), ServiceError> {
        if !self.can_undo(seat) {
            return Err(ServiceError::conflict("no-undo"));
        }
        self.game.undo();
        Ok(())
    }

    /// Resigns for a seat.
    ///
    /// # Errors
    /// If the game is over.
    pub fn resign(&mut self, seat: Seat) -> Result<(), ServiceError> {
        if self.result().is_some() {
            return Err(ServiceError::conflict("game-over"));
        }
        self.row.given_up = Some(seat.index() as i64);
        Ok(())
    }

    /// Writes the state to the row.
    pub(super) fn update_row(&mut self) {
        self.row.setup = self.game.setup_text();
        self.row.moves = self.game.action_text();
        self.row.over = self.stage() == Stage::Over;
        let program = self.turn().and_then(|seat| self.program(seat));
        self.row.program_to_move = program.is_some();
    }

    /// What a role sees of the game itself, as JSON.
    pub(super) fn view(&self, role: Role) -> Box<RawValue> {
        let seat = role.seat();
        self.game.view(&Viewer {
            role,
            to_move: seat.is_some() && self.turn() == seat,
            over: self.stage() == Stage::Over,
            notes: seat.map_or("", |seat| &self.row.notes[seat.index()]),
        })
    }
}
