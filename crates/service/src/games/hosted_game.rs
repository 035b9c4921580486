//! A game of the site whose type is not known: what the rest of the service works with.

use super::game_session::{GameResult, Role};
use super::played_game::PlayedGame;
use super::player::PlayerResources;
use super::records::{RecordHeader, named_format, record_of};
use super::registry::{HostedRules, Registered};
use super::review::SeatReview;
use super::site_game::{Knowledge, Observed, ProgramGame, RecordedGame, ReviewedGame, ViewedGame};
use crate::error::ServiceError;
use games::Seat;
use play::{Thinking, random_setup};
use rand::Rng;
use serde_json::value::{RawValue, to_raw_value};
use std::fmt::Debug;

/// A game that can be registered.
pub trait HostableGame: ViewedGame + ProgramGame + RecordedGame + ReviewedGame {}

impl<G: ViewedGame + ProgramGame + RecordedGame + ReviewedGame> HostableGame for G {}

/// A game that is being played on the site, or is over.
pub trait HostedGame: Debug + Send + Sync {
    /// Which game it is.
    fn rules(&self) -> &'static dyn HostedRules;

    /// A copy.
    fn boxed_clone(&self) -> Box<dyn HostedGame>;

    /// The set-ups as they are stored.
    fn setup_text(&self) -> String;

    /// The actions as they are stored.
    fn action_text(&self) -> String;

    /// Whether a seat has nothing to set up any more.
    fn is_set_up(&self, seat: Seat) -> bool;

    /// Sets up a seat as these words of a player ask; the same set-up again changes nothing.
    ///
    /// # Errors
    /// If it is not a set-up, or another one has been made.
    fn set_up(&mut self, seat: Seat, words: &[String]) -> Result<(), ServiceError>;

    /// Sets up a seat at random.
    ///
    /// # Errors
    /// If it has been set up.
    fn set_up_at_random(&mut self, seat: Seat) -> Result<(), ServiceError>;

    /// Lets the player of this name set up a seat that has not done so.
    fn set_up_by(&mut self, seat: Seat, player: &str, thinking: &Thinking);

    /// The seat to move; `None` until both have set up.
    fn turn(&self) -> Option<Seat>;

    /// The actions played so far. Refused tries do not count.
    fn ply(&self) -> usize;

    /// The result by the rules and the limits; `None` while the game is not over.
    fn result(&self) -> Option<GameResult>;

    /// Plays an action of the seat to move, written in its own coordinates.
    ///
    /// # Errors
    /// If it is not an action, or not one of the candidates.
    fn play(&mut self, text: &str) -> Result<(), ServiceError>;

    /// Lets the player of this name make the next move; `None` if there is no such player or it
    /// finds no move.
    fn play_by(
        &mut self,
        player: &str,
        thinking: &Thinking,
        resources: &PlayerResources,
    ) -> Option<()>;

    /// Whether `seat` played this action, in its own coordinates, at this ply.
    fn was_played(&self, seat: Seat, text: &str, ply: usize) -> bool;

    /// Whether the last action was that of `seat` and it learned nothing by it.
    fn can_undo(&self, seat: Seat) -> bool;

    /// Takes the last action back.
    fn undo(&mut self);

    /// The view of a viewer as JSON.
    fn view(&self, viewer: &Viewer<'_>) -> Box<RawValue>;

    /// The record in the format of this name; `None` if the game has no such format, or was never
    /// set up.
    fn record(&self, format: &str, header: &RecordHeader) -> Option<String>;

    /// The review for both seats; `programs` are the ids of the programs that played.
    fn review(&self, programs: [Option<&str>; 2]) -> [SeatReview; 2];

    /// The position of a puzzle that `seat` had to solve before this ply, if there was one.
    fn puzzle_at(&self, seat: Seat, ply: usize) -> Option<games::geister::Position>;
}

/// Who looks at a game, and what the session knows about that.
#[derive(Clone, Copy, Debug)]
pub struct Viewer<'a> {
    /// The role.
    pub role: Role,
    /// Whether it is the viewer's turn.
    pub to_move: bool,
    /// Whether the game is over.
    pub over: bool,
    /// The viewer's own notes.
    pub notes: &'a str,
}

impl<G: HostableGame> PlayedGame<G> {
    /// All that a viewer may know.
    fn known_to<'a>(&'a self, viewer: &Viewer<'a>) -> Knowledge<'a, G> {
        let seat = viewer.role.seat();
        let observed = match (self.information(), seat) {
            (None, _) => Observed::Nothing,
            (Some(information), Some(seat)) => Observed::Own(&information[seat.index()]),
            (Some(information), None) => Observed::Public(G::public(information)),
        };
        Knowledge {
            seat,
            setup: seat.and_then(|seat| self.setups()[seat.index()]),
            to_move: viewer.to_move,
            notes: viewer.notes,
            observed,
            truth: viewer.over.then_some(self),
        }
    }
}

/// The random number generator of the system.
pub(super) fn system_rng() -> impl Rng {
    rand::TryRngCore::unwrap_err(rand::rngs::OsRng)
}

impl<G: HostableGame> HostedGame for PlayedGame<G> {
    fn rules(&self) -> &'static dyn HostedRules {
        Registered::<G>::RULES
    }

    fn boxed_clone(&self) -> Box<dyn HostedGame> {
        Box::new(self.clone())
    }

    fn setup_text(&self) -> String {
        self.setup_text()
    }

    fn action_text(&self) -> String {
        self.action_text()
    }

    fn is_set_up(&self, seat: Seat) -> bool {
        self.setups()[seat.index()].is_some()
    }

    fn set_up(&mut self, seat: Seat, words: &[String]) -> Result<(), ServiceError> {
        let setup = G::fixed_setup().or_else(|| G::setup_from_request(words));
        self.set_up(seat, setup.ok_or(ServiceError::bad("bad-set-up"))?)
    }

    fn set_up_at_random(&mut self, seat: Seat) -> Result<(), ServiceError> {
        self.set_up(seat, random_setup::<G>(&G::start(), &mut system_rng()))
    }

    fn set_up_by(&mut self, seat: Seat, player: &str, thinking: &Thinking) {
        if HostedGame::is_set_up(self, seat) {
            return;
        }
        // Nothing is to be proved yet.
        if let Some(mut player) = G::player(player, &PlayerResources::default()) {
            // The seat has not been set up.
            let _ = self.set_up(seat, player.set_up(&G::start(), thinking));
        }
    }

    fn turn(&self) -> Option<Seat> {
        self.state().map(G::turn)
    }

    fn ply(&self) -> usize {
        self.ply()
    }

    fn result(&self) -> Option<GameResult> {
        self.result()
    }

    fn play(&mut self, text: &str) -> Result<(), ServiceError> {
        self.play_text(text)
    }

    fn play_by(
        &mut self,
        player: &str,
        thinking: &Thinking,
        resources: &PlayerResources,
    ) -> Option<()> {
        let mut player = G::player(player, resources)?;
        self.play_by(player.as_mut(), thinking)
    }

    fn was_played(&self, seat: Seat, text: &str, ply: usize) -> bool {
        self.was_played(seat, text, ply)
    }

    fn can_undo(&self, seat: Seat) -> bool {
        self.can_undo(seat)
    }

    fn undo(&mut self) {
        self.undo();
    }

    fn view(&self, viewer: &Viewer<'_>) -> Box<RawValue> {
        // Nothing in it can fail to be written.
        to_raw_value(&G::view(&self.known_to(viewer))).unwrap_or_default()
    }

    fn record(&self, format: &str, header: &RecordHeader) -> Option<String> {
        named_format::<G>(format)?.write(&record_of(self, header)?).ok()
    }

    fn review(&self, programs: [Option<&str>; 2]) -> [SeatReview; 2] {
        G::review(self, programs)
    }

    fn puzzle_at(&self, seat: Seat, ply: usize) -> Option<games::geister::Position> {
        G::puzzle_at(self, seat, ply)
    }
}
