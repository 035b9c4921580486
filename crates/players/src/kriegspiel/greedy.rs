//! A player that captures where it knows of something to capture.

use games::hidden::InformationState;
use games::kriegspiel::{Game, Observation, Piece, Square, Try};
use play::Player;
use play::Thinking;
use play::uniform;

/// Tries the pawn captures that the umpire announces, then recaptures, then anything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl Player<Game> for Greedy {
    fn choose(&mut self, information: &InformationState<Game>, thinking: &Thinking) -> Try {
        let (tries, now) = (information.candidates(), information.now());
        let is_pawn_capture = |attempt: &Try| {
            now.own.pieces(Piece::Pawn).has(attempt.from)
                && attempt.from.file() != attempt.to.file()
        };
        let captured = last_capture(now);
        let is_recapture = |attempt: &Try| Some(attempt.to) == captured;
        let preferences: [&dyn Fn(&Try) -> bool; 2] = [&is_pawn_capture, &is_recapture];
        for is_preferred in preferences {
            let preferred: Vec<Try> = tries.iter().copied().filter(is_preferred).collect();
            if !preferred.is_empty() {
                return uniform(&preferred, information, thinking);
            }
        }
        uniform(&tries, information, thinking)
    }
}

/// The square where the opponent has just captured.
fn last_capture(now: &Observation) -> Option<Square> {
    Some(now.announcement?.capture?.square)
}
