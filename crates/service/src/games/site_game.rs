//! What the site needs to know of a game beyond its rules. A game implements these traits in a
//! folder of its own and is registered once, in [`registry`](super::registry).

use super::opponents::Opponent;
use super::played_game::PlayedGame;
use super::player::PlayerResources;
use super::review::SeatReview;
use crate::error::ServiceError;
use games::Seat;
use games::hidden::{HiddenGame, InformationState};
use play::record::RecordFormat;
use play::{Player, Record};
use serde::Serialize;

/// A game that the site can hold: how it starts, how its set-ups are written, and its limits.
/// [`HiddenGame::NAME`] is its name in URLs, JSON and the database.
pub trait SiteGame: HiddenGame {
    /// Plies after which the site draws a game that the rules have not ended.
    const MAX_PLIES: Option<usize> = None;

    /// Refused tries that the site keeps of each seat; 0 for a game that refuses none. They are
    /// counted for each seat by itself: a common limit would reveal how often the opponent was
    /// refused.
    const MAX_REFUSED_TRIES: usize = 0;

    /// The error of an action that is not among the candidates of the seat.
    const NOT_A_CANDIDATE: ServiceError;

    /// What both players know before they set up.
    fn start() -> Self::Start;

    /// The set-up of both seats in a game whose players set up nothing; otherwise `None`.
    fn fixed_setup() -> Option<Self::Setup> {
        None
    }

    /// The set-up that a player asks for by a list of words, such as squares.
    fn setup_from_request(words: &[String]) -> Option<Self::Setup> {
        let _ = words;
        None
    }

    /// A set-up as one word for the database. Games with a fixed set-up store none.
    fn setup_to_stored(setup: Self::Setup) -> String {
        setup.to_string()
    }

    /// Reads a set-up from the database.
    fn setup_from_stored(word: &str) -> Option<Self::Setup> {
        word.parse().ok()
    }

    /// Whether the seat that acted learned something by it: then the action cannot be taken back.
    fn reveals(before: &Self::Observation, after: &Self::Observation) -> bool {
        let _ = (before, after);
        true
    }
}

/// All that one viewer may know of a game.
pub struct Knowledge<'a, G: ViewedGame> {
    /// The seat of the viewer; `None` for a spectator.
    pub seat: Option<Seat>,
    /// The viewer's own set-up, once it is made.
    pub setup: Option<G::Setup>,
    /// Whether it is the viewer's turn.
    pub to_move: bool,
    /// The viewer's own notes.
    pub notes: &'a str,
    /// What the viewer has observed.
    pub observed: Observed<'a, G>,
    /// Everything, once the game is over.
    pub truth: Option<&'a PlayedGame<G>>,
}

/// What a viewer has observed of a game.
pub enum Observed<'a, G: ViewedGame> {
    /// Nothing: the game has not begun.
    Nothing,
    /// A player's information state.
    Own(&'a InformationState<G>),
    /// What everybody may know.
    Public(G::Public),
}

/// A game as the browser gets it.
pub trait ViewedGame: SiteGame {
    /// What everybody may know of a game that has begun.
    type Public;
    /// The view as JSON, under the name of the game.
    type View: Serialize;

    /// What everybody may know.
    fn public(information: &[InformationState<Self>; 2]) -> Self::Public;

    /// The view of a viewer, from what it may know and nothing else.
    fn view(knowledge: &Knowledge<'_, Self>) -> Self::View;
}

/// A game with computer opponents.
pub trait ProgramGame: SiteGame {
    /// The opponents from easy to hard, at least one. The first takes over for one that fails.
    const OPPONENTS: &'static [Opponent];

    /// The player of this name.
    fn player(name: &str, resources: &PlayerResources) -> Option<Box<dyn Player<Self>>>;
}

/// A game that is exported and imported.
pub trait RecordedGame: SiteGame {
    /// The formats of its records.
    const FORMATS: &'static [&'static dyn RecordFormat<Self>];

    /// Why a valid record is of no game that could have been played here.
    fn import_refusal(record: &Record<Self>) -> Option<&'static str> {
        (record.start != Self::start()).then_some("the game does not start as games here do")
    }
}

/// A game that is reviewed once it is over.
pub trait ReviewedGame: SiteGame {
    /// The review for both seats. `programs` are the ids of the programs that played.
    fn review(game: &PlayedGame<Self>, programs: [Option<&str>; 2]) -> [SeatReview; 2];

    /// The position of a puzzle that `seat` had to solve before this ply, in a game that puzzles
    /// are made of. The puzzles of the site are positions of Geister.
    fn puzzle_at(
        game: &PlayedGame<Self>,
        seat: Seat,
        ply: usize,
    ) -> Option<games::geister::Position> {
        let _ = (game, seat, ply);
        None
    }
}
