//! Kriegspiel as a game of hidden information: a side sees its own pieces and hears the umpire.

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

/// How a game ended and who won.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// The winner; `None` for a draw.
    pub winner: Option<Seat>,
    /// Why it ended.
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
        let mut again = Game::new(self.start().clone());
        let now = HiddenGame::observe(&again, seat);
        let mut information = InformationState::new(self.start().clone(), seat, now);
        for attempt in self.attempts() {
            // What this game has answered before it answers again.
            let Ok(step) = again.apply(attempt) else { break };
            information.extend(step.perceived[seat.index()], &again);
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

/// Drawn by a particle filter: a bounded number of games is followed from the
/// start, each of which agrees with everything heard so far.
///
/// *Guaranteed*: what is drawn agrees with the information state; the opponent's refused tries,
/// which nobody hears, are left out of it. Every line of moves that agrees can be drawn. *Not
/// guaranteed*: any particular distribution, and that something is found at all: a long game whose
/// announcements are very unlikely may leave no particle, and then the answer is `None`.
impl Resample for Game {
    fn resample<R: Rng + ?Sized>(
        information: &InformationState<Game>,
        rng: &mut R,
    ) -> Option<Game> {
        Game::resample_many(information, 1, rng).pop()
    }

    fn resample_many<R: Rng + ?Sized>(
        information: &InformationState<Game>,
        count: usize,
        rng: &mut R,
    ) -> Vec<Game> {
        if information.now().termination.is_some() {
            return Vec::new();
        }
        Particles::of(information, rng).map_or_else(Vec::new, |found| found.draw(count, rng))
    }
}

impl hidden::Metaposition<Game> for Metaposition {
    fn fold(information: &InformationState<Game>) -> Metaposition {
        let known = Metaposition::known(information.start(), color(information.seat()));
        information.events().fold(known, |known, event| known.after(event))
    }

    fn contains(&self, game: &Game, seat: Seat) -> bool {
        self.side() == color(seat) && self.contains(game.position())
    }
}

impl Foresight for Metaposition {
    type Action = Try;

    fn candidates(&self) -> Vec<Try> {
        self.tries()
    }

    fn pseudo(&self, attempt: Try) -> Metaposition {
        self.pseudo(attempt, &self.simulated_answer(attempt))
    }

    fn meta(&self) -> Metaposition {
        self.meta(&self.silence())
    }
}
