//! Policies of the lone king in experiments. Unlike players they see the whole board.

use games::kriegspiel::{Position, Ruling, Square, Termination, Try, umpire};
use rand::Rng;
use rand::seq::IndexedRandom;

/// How the lone king moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KingPolicy {
    /// Plays a random legal move.
    Random,
    /// Captures if it can, avoids mate in one, and keeps to the centre.
    Fleeing,
}

impl KingPolicy {
    /// Chooses a move; `None` only if there is no legal one.
    pub fn choose(self, position: &Position, rng: &mut impl Rng) -> Option<Try> {
        let moves = position.legal_moves();
        if self == KingPolicy::Random {
            return moves.choose(rng).copied();
        }
        let best = moves.iter().map(|&attempt| evaluate(position, attempt)).max()?;
        let best: Vec<Try> =
            moves.into_iter().filter(|&attempt| evaluate(position, attempt) == best).collect();
        best.choose(rng).copied()
    }
}

/// The value of a move for the fleeing king.
fn evaluate(position: &Position, attempt: Try) -> i32 {
    let Ruling::Legal { announcement, after } = umpire(position, attempt) else { return i32::MIN };
    if announcement.capture.is_some()
        || announcement.termination == Some(Termination::InsufficientMaterial)
    {
        return 1000;
    }
    let king = attempt.to;
    let (mut mate, mut mobility) = (false, i32::MAX);
    for reply in after.legal_moves() {
        let Ruling::Legal { announcement, after } = umpire(&after, reply) else { continue };
        mate |= announcement.termination == Some(Termination::Checkmate);
        mobility = mobility.min(after.legal_moves().len() as i32);
    }
    let attacker = after.board().king(after.turn());
    let danger = if mate { -500 } else { 0 };
    danger + 20 * centrality(king) + 4 * mobility.min(3) + 3 * distance(king, attacker)
}

/// The distance from the edge, 0 to 3.
fn centrality(square: Square) -> i32 {
    let from_edge = |at: i32| at.min(7 - at);
    from_edge(square.file() as i32).min(from_edge(square.rank() as i32))
}

fn distance(one: Square, other: Square) -> i32 {
    let files = one.file() as i32 - other.file() as i32;
    let ranks = one.rank() as i32 - other.rank() as i32;
    files.abs().max(ranks.abs())
}
