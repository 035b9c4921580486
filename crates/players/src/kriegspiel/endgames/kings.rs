//! Bare kings to practise on. They see the whole board, as no player does.

use games::kriegspiel::{Position, Ruling, Square, Termination, Try, umpire};
use rand::Rng;
use rand::seq::IndexedRandom;

/// How the bare king moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum King {
    /// Anywhere it can.
    Random,
    /// It captures what it can, avoids mate at the next move, and keeps to the centre.
    Fleeing,
}

impl King {
    /// Its move; the position has a legal one.
    pub fn choose(self, position: &Position, rng: &mut impl Rng) -> Option<Try> {
        let moves = position.legal_moves();
        if self == King::Random {
            return moves.choose(rng).copied();
        }
        let best = moves.iter().map(|&attempt| worth(position, attempt)).max()?;
        let best: Vec<Try> =
            moves.into_iter().filter(|&attempt| worth(position, attempt) == best).collect();
        best.choose(rng).copied()
    }
}

/// What a move is worth to the fleeing king.
fn worth(position: &Position, attempt: Try) -> i32 {
    let Ruling::Legal { announcement, after } = umpire(position, attempt) else { return i32::MIN };
    if announcement.capture.is_some()
        || announcement.termination == Some(Termination::InsufficientMaterial)
    {
        return 1000;
    }
    let king = attempt.to;
    let (mut mate, mut least) = (false, i32::MAX);
    for reply in after.legal_moves() {
        let Ruling::Legal { announcement, after } = umpire(&after, reply) else { continue };
        mate |= announcement.termination == Some(Termination::Checkmate);
        least = least.min(after.legal_moves().len() as i32);
    }
    let hunter = after.board().king(after.turn());
    let danger = if mate { -500 } else { 0 };
    danger + 20 * centrality(king) + 4 * least.min(3) + 3 * steps(king, hunter)
}

/// Rings from the edge: 0 to 3.
fn centrality(square: Square) -> i32 {
    let ring = |at: i32| at.min(7 - at);
    ring(square.file() as i32).min(ring(square.rank() as i32))
}

fn steps(one: Square, other: Square) -> i32 {
    let files = one.file() as i32 - other.file() as i32;
    let ranks = one.rank() as i32 - other.rank() as i32;
    files.abs().max(ranks.abs())
}
