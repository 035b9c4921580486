//! One game with the truth about it, and who may do what.

use super::dark::{self, Tried};
use super::ghosts::{self, Ghosts};
use crate::error::ServiceError;
use crate::store::GameRow;
use games::Seat;
use games::geister::{Move, Placement, Standard};
use games::kriegspiel::{self, Try};

/// Which game is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Ghosts whose colours the other side does not see.
    Geister,
    /// Chess men that the other side does not see.
    Kriegspiel,
}

impl Kind {
    /// Both.
    pub const ALL: [Kind; 2] = [Kind::Geister, Kind::Kriegspiel];

    /// Its name in addresses, JSON and the database.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Geister => "geister",
            Kind::Kriegspiel => "kriegspiel",
        }
    }

    /// The game of this name.
    pub fn named(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Who looks at a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Somebody who plays.
    Player(Seat),
    /// Anybody else: sees what is public, and everything at the end.
    Spectator,
}

impl Role {
    /// The seat, if it is a player's.
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Role::Player(seat) => Some(seat),
            Role::Spectator => None,
        }
    }
}

/// How far a game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// A seat is free.
    Waiting,
    /// Somebody has to set up.
    SettingUp,
    /// It is somebody's turn.
    Playing,
    /// It is over.
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

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// By what: a rule of the game, or `resigned`.
    pub how: &'static str,
    /// Who won; nobody if it was drawn.
    pub winner: Option<Seat>,
}

/// What nobody sees as a whole before the end.
#[derive(Clone, Debug)]
pub enum Truth {
    /// Of a game of Geister.
    Geister(Ghosts),
    /// Of a game of Kriegspiel.
    Kriegspiel(Box<kriegspiel::Game>),
}

/// A game, opened.
#[derive(Clone, Debug)]
pub struct Table {
    /// As it is kept.
    pub row: GameRow,
    /// What it means.
    pub truth: Truth,
}

/// The number of a seat.
pub(super) const fn number(seat: Seat) -> usize {
    match seat {
        Seat::First => 0,
        Seat::Second => 1,
    }
}

pub(super) const SEATS: [Seat; 2] = [Seat::First, Seat::Second];

impl Table {
    /// Opens a game; `None` if what is kept does not hold together.
    pub fn open(row: GameRow) -> Option<Table> {
        let truth = match Kind::named(&row.kind)? {
            Kind::Geister => Truth::Geister(Ghosts::read(&row.setup, &row.moves)?),
            Kind::Kriegspiel => Truth::Kriegspiel(Box::new(dark::read(&row.moves)?)),
        };
        Some(Table { row, truth })
    }

    /// Which game it is.
    pub const fn kind(&self) -> Kind {
        match self.truth {
            Truth::Geister(_) => Kind::Geister,
            Truth::Kriegspiel(_) => Kind::Kriegspiel,
        }
    }

    /// What this person is here.
    pub fn role(&self, person: &str) -> Role {
        let sits = |seat: &Seat| self.row.persons[number(*seat)].as_deref() == Some(person);
        SEATS.into_iter().find(sits).map_or(Role::Spectator, Role::Player)
    }

    /// The program on a seat.
    pub fn program(&self, seat: Seat) -> Option<&str> {
        self.row.programs[number(seat)].as_deref()
    }

    /// Whether somebody or something sits there.
    pub fn is_taken(&self, seat: Seat) -> bool {
        self.row.persons[number(seat)].is_some() || self.program(seat).is_some()
    }

    /// Whether a seat is taken and has nothing to do before the first move.
    pub fn is_ready(&self, seat: Seat) -> bool {
        let set_up = match &self.truth {
            Truth::Geister(ghosts) => ghosts.placements[number(seat)].is_some(),
            Truth::Kriegspiel(_) => true,
        };
        set_up && self.is_taken(seat)
    }

    /// How it ended, if it did.
    pub fn end(&self) -> Option<End> {
        if let Some(loser) = self.row.given_up {
            let winner = if loser == 0 { Seat::Second } else { Seat::First };
            return Some(End { how: "resigned", winner: Some(winner) });
        }
        match &self.truth {
            Truth::Geister(ghosts) => {
                let outcome = ghosts.now()?.outcome()?;
                let (how, winner) = players::record::end_of(Some(outcome));
                Some(End { how, winner: winner.map(|winner| SEATS[usize::from(winner)]) })
            }
            Truth::Kriegspiel(game) => {
                if let Some(end) = game.end() {
                    let winner = game.winner().map(dark::seat);
                    return Some(End { how: end.id(), winner });
                }
                // The same word as for the limit of Geister.
                dark::is_too_long(game).then_some(End { how: "draw", winner: None })
            }
        }
    }

    /// How far it is.
    pub fn stage(&self) -> Stage {
        if self.end().is_some() {
            Stage::Over
        } else if !SEATS.into_iter().all(|seat| self.is_taken(seat)) {
            Stage::Waiting
        } else if !SEATS.into_iter().all(|seat| self.is_ready(seat)) {
            Stage::SettingUp
        } else {
            Stage::Playing
        }
    }

    /// Whose turn it is; nobody's unless it is being played.
    pub fn turn(&self) -> Option<Seat> {
        if self.stage() != Stage::Playing {
            return None;
        }
        match &self.truth {
            Truth::Geister(ghosts) => ghosts.now().map(|game| game.turn()),
            Truth::Kriegspiel(game) => Some(dark::seat(game.turn())),
        }
    }

    /// Moves made so far. Tries that were refused are none.
    pub fn ply(&self) -> usize {
        match &self.truth {
            Truth::Geister(ghosts) => ghosts.moves().len(),
            Truth::Kriegspiel(game) => game.turns().len(),
        }
    }

    /// A seat sets up, which it does once; the same set-up sent twice is one.
    ///
    /// # Errors
    /// If there is nothing to set up any more.
    pub fn set_up(
        &mut self,
        seat: Seat,
        placement: Placement<Standard>,
    ) -> Result<(), ServiceError> {
        let over = self.end().is_some();
        match &mut self.truth {
            Truth::Geister(ghosts) if ghosts.placements[number(seat)] == Some(placement) => Ok(()),
            Truth::Geister(ghosts) if !over && ghosts.placements[number(seat)].is_none() => {
                ghosts.placements[number(seat)] = Some(placement);
                Ok(())
            }
            _ => Err(ServiceError::conflict("set-up-already")),
        }
    }

    /// A move or a try of a seat, made when so many plies had been played. The same one sent twice
    /// is played once; an illegal try is kept, since it was heard.
    ///
    /// # Errors
    /// If it is no move, not the seat's turn, or the position is another one by now.
    pub fn play(&mut self, seat: Seat, text: &str, ply: usize) -> Result<(), ServiceError> {
        // Nobody may ask what the other side has played.
        if ply % 2 == number(seat) && self.was_played(text, ply) {
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
        let bad = || ServiceError::bad("bad-move");
        match &mut self.truth {
            Truth::Geister(ghosts) => {
                let mv: Move = text.parse().map_err(|_| bad())?;
                if ghosts.play(mv) { Ok(()) } else { Err(ServiceError::bad("illegal-move")) }
            }
            Truth::Kriegspiel(game) => {
                let attempt: Try = text.parse().map_err(|_| bad())?;
                if game.refused().contains(&attempt) {
                    return Ok(());
                }
                if !game.candidates().contains(&attempt) {
                    return Err(ServiceError::conflict("no-try"));
                }
                match dark::try_move(game, attempt) {
                    Ok(Tried::Played | Tried::Refused) => Ok(()),
                    Ok(Tried::TooMany) => Err(ServiceError::conflict("too-many-tries")),
                    Err(_) => Err(ServiceError::conflict("game-over")),
                }
            }
        }
    }

    /// Whether this very move is the one that was made at this ply: its answer was lost on the way.
    fn was_played(&self, text: &str, ply: usize) -> bool {
        match &self.truth {
            Truth::Geister(ghosts) => {
                let (Ok(mv), Some(&played)) = (text.parse::<Move>(), ghosts.moves().get(ply))
                else {
                    return false;
                };
                let game = ghosts.course().get(ply).copied();
                game.is_some_and(|game| game.observe(game.turn()).played(mv) == played)
            }
            Truth::Kriegspiel(game) => {
                let played = game.turns().get(ply).map(|turn| turn.played);
                played.is_some() && text.parse().ok() == played
            }
        }
    }

    /// Whether a seat may take its last move back: the other one has not answered, and nothing was
    /// learned by it.
    pub fn can_undo(&self, seat: Seat) -> bool {
        match &self.truth {
            Truth::Geister(ghosts) => self.stage() == Stage::Playing && ghosts.can_undo(seat),
            Truth::Kriegspiel(_) => false,
        }
    }

    /// Takes the last move of a seat back.
    ///
    /// # Errors
    /// If it may not.
    pub fn undo(&mut self, seat: Seat) -> Result<(), ServiceError> {
        if !self.can_undo(seat) {
            return Err(ServiceError::conflict("no-undo"));
        }
        if let Truth::Geister(ghosts) = &mut self.truth {
            ghosts.undo();
        }
        Ok(())
    }

    /// A seat gives up.
    ///
    /// # Errors
    /// If the game is over.
    pub fn resign(&mut self, seat: Seat) -> Result<(), ServiceError> {
        if self.end().is_some() {
            return Err(ServiceError::conflict("game-over"));
        }
        self.row.given_up = Some(number(seat) as i64);
        Ok(())
    }

    /// The game as it is to be kept.
    pub fn into_row(mut self) -> GameRow {
        match &self.truth {
            Truth::Geister(ghosts) => {
                self.row.setup = ghosts.setup_text();
                self.row.moves = ghosts.moves_text();
            }
            Truth::Kriegspiel(game) => self.row.moves = dark::text(game),
        }
        self.row.over = self.stage() == Stage::Over;
        let program = self.turn().and_then(|seat| self.program(seat));
        self.row.program_to_move = program.is_some();
        self.row
    }

    /// The placement with these reds, for somebody who sets up.
    ///
    /// # Errors
    /// If it is none.
    pub fn placement(red: &[String]) -> Result<Placement<Standard>, ServiceError> {
        ghosts::placement(red).ok_or(ServiceError::bad("bad-set-up"))
    }
}
