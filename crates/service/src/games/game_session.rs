//! One game with its hidden state, and who may do what in it.

use super::geister_game::{self, GeisterGame};
use super::kriegspiel_game;
use crate::error::ServiceError;
use crate::store::GameRow;
use games::Seat;
use games::geister::{Placement, Standard};
use games::kriegspiel;

/// Which game is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameKind {
    /// Ghosts whose colours the opponent does not see.
    Geister,
    /// Chess pieces that the opponent does not see.
    Kriegspiel,
}

impl GameKind {
    /// Both games.
    pub const ALL: [GameKind; 2] = [GameKind::Geister, GameKind::Kriegspiel];

    /// Its name in URLs, JSON and the database.
    pub const fn name(self) -> &'static str {
        match self {
            GameKind::Geister => "geister",
            GameKind::Kriegspiel => "kriegspiel",
        }
    }

    /// The game of this name.
    pub fn named(name: &str) -> Option<GameKind> {
        GameKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

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

/// The full state of a game, which nobody sees before the end.
#[derive(Clone, Debug)]
pub enum GameState {
    /// A game of Geister.
    Geister(GeisterGame),
    /// A game of Kriegspiel.
    Kriegspiel(Box<kriegspiel::Game>),
}

/// A game that was loaded: its row and the state that the row means.
#[derive(Clone, Debug)]
pub struct GameSession {
    /// The row in the database. It is brought up to date with the state when the game is stored.
    pub row: GameRow,
    /// The full state.
    pub state: GameState,
}

/// The index of a seat in arrays with one entry for each seat.
pub(super) const fn seat_index(seat: Seat) -> usize {
    match seat {
        Seat::First => 0,
        Seat::Second => 1,
    }
}

pub(super) const SEATS: [Seat; 2] = [Seat::First, Seat::Second];

/// The name of a seat in JSON.
pub(super) const fn seat_name(seat: Seat) -> &'static str {
    match seat {
        Seat::First => "first",
        Seat::Second => "second",
    }
}

/// The seat of this name.
pub fn seat_named(name: &str) -> Option<Seat> {
    SEATS.into_iter().find(|&seat| seat_name(seat) == name)
}

impl GameSession {
    /// Opens a game from its row; `None` if the row is damaged.
    pub fn open(row: GameRow) -> Option<GameSession> {
        let state = match GameKind::named(&row.kind)? {
            GameKind::Geister => GameState::Geister(GeisterGame::read(&row.setup, &row.moves)?),
            GameKind::Kriegspiel => {
                GameState::Kriegspiel(Box::new(kriegspiel_game::read(&row.moves)?))
            }
        };
        Some(GameSession { row, state })
    }

    /// Which game it is.
    pub const fn kind(&self) -> GameKind {
        match self.state {
            GameState::Geister(_) => GameKind::Geister,
            GameState::Kriegspiel(_) => GameKind::Kriegspiel,
        }
    }

    /// The role of a person.
    pub fn role(&self, person: &str) -> Role {
        let sits = |seat: &Seat| self.row.persons[seat_index(*seat)].as_deref() == Some(person);
        SEATS.into_iter().find(sits).map_or(Role::Spectator, Role::Player)
    }

    /// The program on a seat.
    pub fn program(&self, seat: Seat) -> Option<&str> {
        self.row.programs[seat_index(seat)].as_deref()
    }

    /// Whether a person or a program sits there.
    pub fn is_taken(&self, seat: Seat) -> bool {
        self.row.persons[seat_index(seat)].is_some() || self.program(seat).is_some()
    }

    /// Whether a seat is taken and has nothing to do before the first move.
    pub fn is_ready(&self, seat: Seat) -> bool {
        let set_up = match &self.state {
            GameState::Geister(game) => game.placements()[seat_index(seat)].is_some(),
            GameState::Kriegspiel(_) => true,
        };
        set_up && self.is_taken(seat)
    }

    /// The result; `None` while the game is not over.
    pub fn result(&self) -> Option<GameResult> {
        if let Some(loser) = self.row.given_up {
            let winner = if loser == 0 { Seat::Second } else { Seat::First };
            return Some(GameResult { how: "resigned", winner: Some(winner) });
        }
        match &self.state {
            GameState::Geister(game) => game.result(),
            GameState::Kriegspiel(game) => kriegspiel_game::result(game),
        }
    }

    /// The stage.
    pub fn stage(&self) -> Stage {
        if self.result().is_some() {
            Stage::Over
        } else if !SEATS.into_iter().all(|seat| self.is_taken(seat)) {
            Stage::Waiting
        } else if !SEATS.into_iter().all(|seat| self.is_ready(seat)) {
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
        match &self.state {
            GameState::Geister(game) => game.now().map(|game| game.turn()),
            GameState::Kriegspiel(game) => Some(kriegspiel_game::seat(game.turn())),
        }
    }

    /// Moves so far. Refused tries do not count.
    pub fn ply(&self) -> usize {
        match &self.state {
            GameState::Geister(game) => game.moves().len(),
            GameState::Kriegspiel(game) => game.turns().len(),
        }
    }

    /// Sets up a seat, which is done once; the same set-up sent twice counts once.
    ///
    /// # Errors
    /// If there is nothing to set up any more.
    pub fn set_up(
        &mut self,
        seat: Seat,
        placement: Placement<Standard>,
    ) -> Result<(), ServiceError> {
        let over = self.result().is_some();
        match &mut self.state {
            GameState::Geister(game) => match game.placements()[seat_index(seat)] {
                Some(made) if made == placement => Ok(()),
                None if !over => {
                    game.set_up(seat_index(seat), placement);
                    Ok(())
                }
                _ => Err(ServiceError::conflict("set-up-already")),
            },
            GameState::Kriegspiel(_) => Err(ServiceError::conflict("set-up-already")),
        }
    }

    /// Plays a move or a try of a seat, which was chosen after `ply` plies. The same one sent twice is
    /// played once; an illegal try is kept, since the umpire announced it.
    ///
    /// # Errors
    /// If it is not a move, not the seat's turn, or the position is another one by now.
    pub fn play(&mut self, seat: Seat, text: &str, ply: usize) -> Result<(), ServiceError> {
        // Only for own plies: nobody may ask what the opponent has played.
        if ply % 2 == seat_index(seat) && self.was_played(text, ply) {
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
        match &mut self.state {
            GameState::Geister(game) => game.play_text(text),
            GameState::Kriegspiel(game) => kriegspiel_game::play_text(game, text),
        }
    }

    /// Whether this very move was made at this ply: its response was lost on the way.
    fn was_played(&self, text: &str, ply: usize) -> bool {
        match &self.state {
            GameState::Geister(game) => game.was_played(text, ply),
            GameState::Kriegspiel(game) => kriegspiel_game::was_played(game, text, ply),
        }
    }

    /// Whether a seat may take its last move back: the opponent has not answered, and nothing was
    /// learned by it.
    pub fn can_undo(&self, seat: Seat) -> bool {
        match &self.state {
            GameState::Geister(game) => self.stage() == Stage::Playing && game.can_undo(seat),
            GameState::Kriegspiel(_) => false,
        }
    }

    /// Takes the last move of a seat back.
    ///
    /// # Errors
    /// If it may not be taken back.
    pub fn undo(&mut self, seat: Seat) -> Result<(), ServiceError> {
        if !self.can_undo(seat) {
            return Err(ServiceError::conflict("no-undo"));
        }
        if let GameState::Geister(game) = &mut self.state {
            game.undo();
        }
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
        self.row.given_up = Some(seat_index(seat) as i64);
        Ok(())
    }

    /// Writes the state to the row.
    pub(super) fn update_row(&mut self) {
        match &self.state {
            GameState::Geister(game) => {
                self.row.setup = game.setup_text();
                self.row.moves = game.moves_text();
            }
            GameState::Kriegspiel(game) => self.row.moves = kriegspiel_game::text(game),
        }
        self.row.over = self.stage() == Stage::Over;
        let program = self.turn().and_then(|seat| self.program(seat));
        self.row.program_to_move = program.is_some();
    }

    /// The placement with these reds, for a player who sets up.
    ///
    /// # Errors
    /// If it is not a placement.
    pub fn placement(red: &[String]) -> Result<Placement<Standard>, ServiceError> {
        geister_game::placement(red).ok_or(ServiceError::bad("bad-set-up"))
    }
}
