//! The information state: all that a seat has observed of a game.

use super::{ActionError, HiddenGame};
use crate::Seat;
use std::fmt;

/// One step as a seat perceived it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Perceived<G: HiddenGame> {
    /// What the seat saw before.
    pub before: G::Observation,
    /// What it perceived of the step.
    pub event: G::Event,
}

/// A seat's information state: the public start, and everything the seat has observed since, in
/// order.
///
/// Two games that a seat cannot tell apart give equal information states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InformationState<G: HiddenGame> {
    start: G::Start,
    seat: Seat,
    steps: Vec<Perceived<G>>,
    now: G::Observation,
}

impl<G: HiddenGame> InformationState<G> {
    /// The information state of a seat that has seen nothing but `now`. Usually that is the first
    /// observation of a game.
    pub const fn new(start: G::Start, seat: Seat, now: G::Observation) -> InformationState<G> {
        InformationState { start, seat, steps: Vec::new(), now }
    }

    /// The information states of both seats in `game`, which has just begun from `start`.
    pub fn both(start: &G::Start, game: &G) -> [InformationState<G>; 2] {
        Seat::ALL.map(|seat| InformationState::new(start.clone(), seat, game.observe(seat)))
    }

    /// The information state of `seat` after these actions from the start of a game.
    ///
    /// # Errors
    ///
    /// If an action cannot be applied.
    pub fn replay(
        start: &G::Start,
        setups: [G::Setup; 2],
        actions: &[G::Action],
        seat: Seat,
    ) -> Result<InformationState<G>, ReplayError> {
        let mut game = G::begin(start, setups);
        let mut information = InformationState::new(start.clone(), seat, game.observe(seat));
        for (index, &action) in actions.iter().enumerate() {
            let step = game.apply(action).map_err(|error| ReplayError { index, error })?;
            let [first, second] = step.perceived;
            information.extend(if seat == Seat::First { first } else { second }, &game);
        }
        Ok(information)
    }

    /// Adds what the seat perceived of a step that led to `game`, if it perceived anything.
    pub fn extend(&mut self, event: Option<G::Event>, game: &G) {
        if let Some(event) = event {
            self.see(event, game.observe(self.seat));
        }
    }

    /// Adds an event and what is seen after it.
    pub fn see(&mut self, event: G::Event, after: G::Observation) {
        let before = std::mem::replace(&mut self.now, after);
        self.steps.push(Perceived { before, event });
    }

    /// The public start of the game.
    pub const fn start(&self) -> &G::Start {
        &self.start
    }

    /// The seat that observed this.
    pub const fn seat(&self) -> Seat {
        self.seat
    }

    /// What the seat sees now.
    pub const fn now(&self) -> &G::Observation {
        &self.now
    }

    /// The actions that may be legal as far as the seat knows: see [`HiddenGame::candidates`].
    pub fn candidates(&self) -> Vec<G::Action> {
        G::candidates(self)
    }

    /// What the seat has perceived, in order.
    pub fn steps(&self) -> &[Perceived<G>] {
        &self.steps
    }

    /// The events alone, in order.
    pub fn events(&self) -> impl DoubleEndedIterator<Item = &G::Event> + ExactSizeIterator + Clone {
        self.steps.iter().map(|step| &step.event)
    }
}

/// An action of a game's history that cannot be applied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReplayError {
    /// Its index among the actions.
    pub index: usize,
    /// Why it cannot be applied.
    pub error: ActionError,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "action {} cannot be applied: {}", self.index + 1, self.error)
    }
}

impl std::error::Error for ReplayError {}
