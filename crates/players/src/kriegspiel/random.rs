//! Any try.

use super::player::Player;
use crate::player::Thinking;
use games::kriegspiel::{Metaposition, Observation, Try};
use rand::Rng;

/// Tries anything that its men alone do not rule out and that was not refused in this turn.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

/// One of these tries, each as likely as the others; the first of all that the men allow if there
/// are none, which does not happen in a game that goes on.
pub(super) fn any(tries: &[Try], seen: &Observation<'_>, thinking: &Thinking) -> Try {
    let mut rng = thinking.rng(seen.events.len() as u32);
    match tries {
        [] => seen.own.tries(true)[0],
        tries => tries[rng.random_range(0..tries.len())],
    }
}

impl Player for Random {
    fn choose(&mut self, seen: &Observation<'_>, _: &Metaposition, thinking: &Thinking) -> Try {
        any(&seen.tries(), seen, thinking)
    }
}
