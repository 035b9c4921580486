//! Captures where it knows of something to capture.

use super::player::Player;
use super::random::any;
use crate::player::Thinking;
use games::kriegspiel::{Metaposition, Observation, Piece, Square, Try};

/// Tries the captures by pawn that the umpire announces, then to recapture where something was
/// captured, then anything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl Player for Greedy {
    fn choose(&mut self, seen: &Observation<'_>, _: &Metaposition, thinking: &Thinking) -> Try {
        let tries = seen.tries();
        let by_pawn = |attempt: &Try| {
            seen.own.men(Piece::Pawn).has(attempt.from) && attempt.from.file() != attempt.to.file()
        };
        let lost = lost(seen);
        let retakes = |attempt: &Try| Some(attempt.to) == lost;
        let wanted: [&dyn Fn(&Try) -> bool; 2] = [&by_pawn, &retakes];
        for wanted in wanted {
            let some: Vec<Try> = tries.iter().copied().filter(wanted).collect();
            if !some.is_empty() {
                return any(&some, seen, thinking);
            }
        }
        any(&tries, seen, thinking)
    }
}

/// Where the other side has just captured.
fn lost(seen: &Observation<'_>) -> Option<Square> {
    Some(seen.announcement()?.capture?.square)
}
