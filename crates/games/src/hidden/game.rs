//! The true state of a game, which neither player sees.

use super::{GameOutcome, InformationState};
use crate::Seat;
use std::fmt::{self, Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

/// The true state of a two-player game of which each player sees a part.
///
/// Actions of the true state are in one system of coordinates, that of the first seat. Players
/// see the board from their own side: events, observations and candidates are in the coordinates
/// of the seat they belong to, and [`HiddenGame::turned`] translates.
pub trait HiddenGame: Clone + PartialEq + Debug + Send + Sync + 'static {
    /// What both players know before they set up: a starting position, or limits.
    type Start: Clone + PartialEq + Debug + Display + FromStr<Err: Display> + Send + Sync;
    /// The secret set-up of a seat; [`NoSetup`](super::NoSetup) where there is none.
    type Setup: Copy + Eq + Debug + Display + FromStr<Err: Display> + Send + Sync;
    /// A move, or a try that may be refused.
    type Action: Copy + Ord + Hash + Debug + Display + FromStr<Err: Display> + Send + Sync;
    /// What one seat perceives of one step.
    type Event: Clone + Eq + Debug + Send + Sync;
    /// What a seat sees at one moment. It may forget.
    type Observation: Clone + Eq + Debug + Send + Sync;
    /// How a game ended.
    type Outcome: GameOutcome;

    /// The name of the game, the same on every board.
    const NAME: &'static str;

    /// Every set-up that a seat may choose, in a fixed order; never empty.
    fn setups(start: &Self::Start) -> Vec<Self::Setup>;

    /// A new game with the set-ups of the first and the second seat.
    fn begin(start: &Self::Start, setups: [Self::Setup; 2]) -> Self;

    /// The seat to move; meaningless when the game is over.
    fn turn(&self) -> Seat;

    /// How the game ended, or `None` while it continues.
    fn outcome(&self) -> Option<Self::Outcome>;

    /// The actions that would be played if they were tried now; empty exactly when the game is
    /// over. The order is fixed for equal states.
    fn legal_actions(&self) -> Vec<Self::Action>;

    /// Applies an action of the seat to move, and reports what each seat perceives of it.
    ///
    /// # Errors
    ///
    /// If the game is over, or if the seat itself can know that the action is not legal. The state
    /// is unchanged then.
    fn apply(&mut self, action: Self::Action) -> Result<Step<Self::Event>, ActionError>;

    /// What `seat` sees now.
    fn observe(&self, seat: Seat) -> Self::Observation;

    /// The actions that may be legal as far as the seat to move knows, in its own coordinates and
    /// in a fixed order, without those refused in this turn. Every legal action is among them.
    fn candidates(information: &InformationState<Self>) -> Vec<Self::Action>;

    /// Translates an action between the coordinates of the first seat and those of `seat`, in
    /// both directions: it is its own inverse. Most games show both players the same board.
    #[must_use]
    fn turned(action: Self::Action, seat: Seat) -> Self::Action {
        let _ = seat;
        action
    }
}

/// Whether an action was played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reply {
    /// The action was played.
    Played,
    /// The action is not legal, which the seat could not know. It is still to move, and the
    /// opponent perceives nothing.
    Refused,
}

/// The result of an action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step<E> {
    /// Whether it was played.
    pub reply: Reply,
    /// What the first and the second seat perceive; `None` is nothing.
    pub perceived: [Option<E>; 2],
}

/// Why an action could not be applied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ActionError {
    /// The game is over.
    GameOver,
    /// The action is not legal, and the seat to move can know that.
    Illegal,
}

impl Display for ActionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ActionError::GameOver => "the game is over",
            ActionError::Illegal => "this is not a legal move here",
        })
    }
}

impl std::error::Error for ActionError {}
