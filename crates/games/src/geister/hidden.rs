//! Geister as a game of hidden information: the colours of the opponent's ghosts are not seen.

use super::board::{Bitboard, Board, Square};
use super::game::{Game, Placement, PlacementError};
use super::moves::Move;
use super::observation::Observation;
use super::outcome::{Outcome, Reason};
use super::position::Position;
use super::setup::Ghost;
use crate::hidden::{
    ActionError, GameOutcome, HiddenGame, InformationState, Metaposition, ReplayError, Reply,
    Resample, Step,
};
use crate::{IllegalMove, Seat};
use rand::Rng;
use rand::seq::IteratorRandom;
use std::fmt;
use std::str::FromStr;

/// Plies of both sides after which a game without a winner is drawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DrawLimit(pub u32);

impl Default for DrawLimit {
    /// 300 plies.
    fn default() -> DrawLimit {
        DrawLimit(Game::<super::Standard>::USUAL_DRAW_LIMIT)
    }
}

impl fmt::Display for DrawLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for DrawLimit {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<DrawLimit, Self::Err> {
        text.parse().map(DrawLimit)
    }
}

impl<B: Board> HiddenGame for Game<B> {
    type Start = DrawLimit;
    type Setup = Placement<B>;
    type Action = Move;
    /// The move. The colour of what it captured shows in the next observation.
    type Event = Move;
    type Observation = Observation<B>;
    type Outcome = Outcome;

    const NAME: &'static str = "geister";

    fn setups(_: &DrawLimit) -> Vec<Placement<B>> {
        Placement::all().collect()
    }

    fn begin(&DrawLimit(plies): &DrawLimit, [bottom, top]: [Placement<B>; 2]) -> Game<B> {
        Game::new(bottom, top, plies)
    }

    fn turn(&self) -> Seat {
        self.turn()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome()
    }

    fn legal_actions(&self) -> Vec<Move> {
        self.legal_moves()
    }

    fn apply(&mut self, mv: Move) -> Result<Step<Move>, ActionError> {
        if self.outcome().is_some() {
            return Err(ActionError::GameOver);
        }
        *self = self.play(mv).map_err(|IllegalMove(_)| ActionError::Illegal)?;
        let perceived = Seat::ALL.map(|seat| Some(Self::turned(mv, seat)));
        Ok(Step { reply: Reply::Played, perceived })
    }

    fn observe(&self, seat: Seat) -> Observation<B> {
        self.observe(seat)
    }

    fn candidates(information: &InformationState<Self>) -> Vec<Move> {
        information.now().legal_moves()
    }

    fn turned(mv: Move, seat: Seat) -> Move {
        match seat {
            Seat::First => mv,
            Seat::Second => mv.map(B::turned),
        }
    }
}

impl<B: Board> Game<B> {
    /// All that `seat` has observed if it saw this game and then `moves`.
    ///
    /// # Errors
    ///
    /// If a move is not legal.
    pub fn information_state(
        &self,
        moves: &[Move],
        seat: Seat,
    ) -> Result<InformationState<Game<B>>, ReplayError> {
        let mut game = *self;
        let mut information = InformationState::from(game.observe(seat));
        for (index, &mv) in moves.iter().enumerate() {
            game.apply(mv).map_err(|error| ReplayError { index, error })?;
            information.see(Self::turned(mv, seat), game.observe(seat));
        }
        Ok(information)
    }
}

impl<B: Board> Observation<B> {
    /// The viewer's legal moves, in its own view; empty unless it is its turn in a game that
    /// continues. Which of the opponent's ghosts are blue changes none of them.
    pub fn legal_moves(&self) -> Vec<Move> {
        let game = self.colourings().next().and_then(|blue| self.resample(blue));
        match game {
            Some(game) if self.to_move() => {
                game.legal_moves().into_iter().map(|mv| self.seen(mv)).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The information state of somebody who joins a game and has seen nothing but this.
impl<B: Board> From<Observation<B>> for InformationState<Game<B>> {
    fn from(now: Observation<B>) -> InformationState<Game<B>> {
        InformationState::new(DrawLimit(now.draw_limit()), now.viewer(), now)
    }
}

impl<B: Board> Resample for Game<B> {
    /// Every colouring of the opponent's ghosts that the captures leave possible is equally
    /// likely. Moves say nothing for sure about colours, so that these are all that agree.
    fn resample<R: Rng + ?Sized>(
        information: &InformationState<Self>,
        count: usize,
        rng: &mut R,
    ) -> Vec<Game<B>> {
        let now = information.now();
        (0..count).map_while(|_| now.resample(now.colourings().choose(rng)?)).collect()
    }
}

/// The purple position contains every game with the same ghosts on the same squares, the same
/// own colours and the same number of blue ghosts of the opponent.
impl<B: Board> Metaposition<Game<B>> for Position<B> {
    fn fold(information: &InformationState<Game<B>>) -> Position<B> {
        let now = information.now();
        let none = Bitboard::EMPTY;
        let ghosts = [now.own().blue, now.own().red, none, none, now.opponent()];
        let position = Position::from_ghosts(ghosts, now.opponent_blue());
        if now.to_move() { position } else { position.passed() }
    }

    fn contains(&self, game: &Game<B>, seat: Seat) -> bool {
        let seen = game.observe(seat);
        let shown = self.ghosts(Ghost::ShownBlue) | self.ghosts(Ghost::ShownRed);
        let turn = if seen.to_move() { Seat::First } else { Seat::Second };
        self.ghosts(Ghost::OwnBlue) == seen.own().blue
            && self.ghosts(Ghost::OwnRed) == seen.own().red
            && self.ghosts(Ghost::Hidden) | shown == seen.opponent()
            && self.blue_count() == seen.opponent_blue()
            && self.turn() == turn
            && self.shows_truth(game, seat)
    }
}

impl<B: Board> Position<B> {
    /// Whether the ghosts that this position shows have the colours they have in `game`.
    fn shows_truth(&self, game: &Game<B>, seat: Seat) -> bool {
        let army = game.army(seat.opponent());
        let seen = |square: Square| if seat == Seat::First { square } else { B::turned(square) };
        let [blue, red]: [Bitboard; 2] = [army.blue, army.red].map(|set| set.map(seen).collect());
        self.ghosts(Ghost::ShownBlue).without(blue).is_empty()
            && self.ghosts(Ghost::ShownRed).without(red).is_empty()
    }
}

impl GameOutcome for Outcome {
    const REASONS: &'static [&'static str] = &["escape", "last-blue", "last-red", "draw"];

    fn winner(self) -> Option<Seat> {
        self.winner()
    }

    fn reason(self) -> &'static str {
        match self {
            Outcome::Win { reason: Reason::Escape, .. } => "escape",
            Outcome::Win { reason: Reason::BluesCaptured, .. } => "last-blue",
            Outcome::Win { reason: Reason::RedsCaptured, .. } => "last-red",
            Outcome::Draw => "draw",
        }
    }
}

/// The squares of the reds, such as `b1,c1,d1,e1`.
impl<B: Board> fmt::Display for Placement<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.red().map(|square| square.to_string()).collect();
        f.write_str(&names.join(","))
    }
}

impl<B: Board> FromStr for Placement<B> {
    type Err = PlacementError;

    /// Reads the squares of the reds in any order. A square that is named twice is refused.
    fn from_str(text: &str) -> Result<Placement<B>, PlacementError> {
        let mut red = Bitboard::EMPTY;
        for name in text.split(',') {
            let square = Square::from_name(name).ok_or(PlacementError)?;
            if red.has(square) {
                return Err(PlacementError);
            }
            red |= square.bit();
        }
        Placement::with_red(red)
    }
}
