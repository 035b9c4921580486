//! Kriegspiel as a [`HiddenGame`]: a side sees its own pieces and hears the umpire.

use super::particles::Particles;
use super::{
    Color, Event, Game, GameOver, Metaposition, Observation, Position, Reply, Termination, Try,
    refused_tries,
};
use crate::Seat;
use crate::hidden::{
    self, ActionError, Foresight, GameOutcome, HiddenGame, InformationState, NoSetup, Resample,
    Step,
};
use rand::Rng;

impl From<Color> for Seat {
    /// White has the first seat, even if a game starts with Black to move.
    fn from(color: Color) -> Seat {
        match color {
            Color::White => Seat::First,
            Color::Black => Seat::Second,
        }
    }
}

/// The colour of a seat: White has the first.
pub const fn color(seat: Seat) -> Color {
    match seat {
        Seat::First => Color::White,
        Seat::Second => Color::Black,
    }
}

/// The result of a game and its reason.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// The winner; `None` for a draw.
    pub winner: Option<Seat>,
    /// Why the game ended.
    pub termination: Termination,
}

impl GameOutcome for Outcome {
    const REASONS: &'static [&'static str] =
        &["checkmate", "stalemate", "insufficient", "repetition", "fifty-moves"];

    fn winner(self) -> Option<Seat> {
        self.winner
    }

    fn reason(self) -> &'static str {
        self.termination.id()
    }
}

impl Game {
    /// All that `seat` has observed since the start.
    pub fn information_state(&self, seat: Seat) -> InformationState<Game> {
        let mut replay = Game::new(self.start().clone());
        let now = HiddenGame::observe(&replay, seat);
        let mut information = InformationState::new(self.start().clone(), seat, now);
        for attempt in self.attempts() {
            // The same tries are applied as before, so none of them comes after the end.
            let Ok(step) = replay.apply(attempt) else { break };
            information.extend(step.perceived[seat.index()], &replay);
        }
        information
    }
}

impl HiddenGame for Game {
    /// The starting position, which both sides know.
    type Start = Position;
    type Setup = NoSetup;
    type Action = Try;
    type Event = Event;
    type Observation = Observation;
    type Outcome = Outcome;

    const NAME: &'static str = "kriegspiel";

    fn setups(_: &Position) -> Vec<NoSetup> {
        vec![NoSetup]
    }

    fn begin(start: &Position, _: [NoSetup; 2]) -> Game {
        Game::new(start.clone())
    }

    fn turn(&self) -> Seat {
        self.turn().into()
    }

    fn outcome(&self) -> Option<Outcome> {
        let termination = self.termination()?;
        Some(Outcome { winner: self.winner().map(Seat::from), termination })
    }

    fn legal_actions(&self) -> Vec<Try> {
        if self.termination().is_some() { Vec::new() } else { self.position().legal_moves() }
    }

    fn apply(&mut self, attempt: Try) -> Result<Step<Event>, ActionError> {
        let mover = Seat::from(self.turn());
        let reply = match self.attempt(attempt).map_err(|GameOver(_)| ActionError::GameOver)? {
            Reply::Illegal => hidden::Reply::Refused,
            Reply::Legal(_) => hidden::Reply::Played,
        };
        let perceived = Seat::ALL.map(|seat| {
            let perceives = reply == hidden::Reply::Played || seat == mover;
            self.events(color(seat)).last().copied().filter(|_| perceives)
        });
        Ok(Step { reply, perceived })
    }

    fn observe(&self, seat: Seat) -> Observation {
        self.observe(color(seat))
    }

    fn candidates(information: &InformationState<Game>) -> Vec<Try> {
        let now = information.now();
        if !now.to_move || now.termination.is_some() {
            return Vec::new();
        }
        now.candidates(&refused_tries(information.events()))
    }
}

/// Samples by a particle filter: a bounded number of games is followed from the start, all of them
/// consistent with everything observed so far.
///
/// *Guaranteed*: every sample is consistent with the information state; the opponent's refused
/// tries, which are never heard, are omitted. Every consistent line of moves can be sampled. *Not
/// guaranteed*: any particular distribution, nor that a sample is found: a long game with very
/// unlikely announcements may leave no particle, and then the result is empty.
impl Resample for Game {
    fn resample<R: Rng + ?Sized>(
        information: &InformationState<Game>,
        count: usize,
        rng: &mut R,
    ) -> Vec<Game> {
        if information.now().termination.is_some() {
            return Vec::new();
        }
        Particles::new(information, rng)
            .map_or_else(Vec::new, |particles| particles.sample(count, rng))
    }
}

impl hidden::Metaposition<Game> for Metaposition {
    fn fold(information: &InformationState<Game>) -> Metaposition {
        let start = Metaposition::from_position(information.start(), color(information.seat()));
        start.after_events(information.events())
    }

    fn contains(&self, game: &Game, seat: Seat) -> bool {
        self.color() == color(seat) && self.contains(game.position())
    }
}

impl Foresight for Metaposition {
    type Action = Try;

    fn candidates(&self) -> Vec<Try> {
        self.tries()
    }

    fn pseudo(&self, attempt: Try) -> Metaposition {
        self.pseudo(attempt, &self.simulated_announcement(attempt))
    }

    fn meta(&self) -> Metaposition {
        self.meta(&self.silent_announcement())
    }
}
