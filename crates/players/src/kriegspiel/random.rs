//! Any try.

use super::player::Player;
use crate::player::Thinking;
use games::hidden::InformationState;
use games::kriegspiel::{Game, Try};
use rand::Rng;

/// Tries anything that its men alone do not rule out and that was not refused in this turn.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

/// One of these tries, each as likely as the others; the first of all that the men allow if there
/// are none, which does not happen in a game that goes on.
pub(super) fn any(tries: &[Try], information: &InformationState<Game>, thinking: &Thinking) -> Try {
    let mut rng = thinking.rng(information.steps().len() as u32);
    match tries {
        [] => information.now().own.tries(true)[0],
        tries => tries[rng.random_range(0..tries.len())],
    }
}

impl Player for Random {
    fn choose(&mut self, information: &InformationState<Game>, thinking: &Thinking) -> Try {
        any(&information.candidates(), information, thinking)
    }
}
