//! Captures where it knows of something to capture.

use games::hidden::InformationState;
use games::kriegspiel::{Game, Observation, Piece, Square, Try};
use play::Player;
use play::Thinking;
use play::uniform;

/// Tries the captures by pawn that the umpire announces, then to recapture where something was
/// captured, then anything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl Player<Game> for Greedy {
    fn choose(&mut self, information: &InformationState<Game>, thinking: &Thinking) -> Try {
        let (tries, seen) = (information.candidates(), information.now());
        let by_pawn = |attempt: &Try| {
            seen.own.pieces(Piece::Pawn).has(attempt.from)
                && attempt.from.file() != attempt.to.file()
        };
        let lost = lost(seen);
        let retakes = |attempt: &Try| Some(attempt.to) == lost;
        let wanted: [&dyn Fn(&Try) -> bool; 2] = [&by_pawn, &retakes];
        for wanted in wanted {
            let some: Vec<Try> = tries.iter().copied().filter(wanted).collect();
            if !some.is_empty() {
                return uniform(&some, information, thinking);
            }
        }
        uniform(&tries, information, thinking)
    }
}

/// Where the other side has just captured.
fn lost(seen: &Observation) -> Option<Square> {
    Some(seen.announcement?.capture?.square)
}
