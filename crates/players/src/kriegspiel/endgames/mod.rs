//! Endgames against a bare king, played by search over what is known of it.

mod estimate;
mod kings;
pub mod solver;
mod trial;

pub use estimate::Prices;
pub use kings::King;
pub use solver::Hunter;
pub use trial::{Kind, KindError, Tally, trial, trial_of};

use super::placements::Placements;
use games::kriegspiel::{LoneKing, Observation, Piece, Try};

/// Plies without a capture or a move of a pawn after which a pawn is moved if there is one.
const LATE: u16 = 80;

/// What it costs to stand where the own men have stood before, in moves.
fn repeating(times: u32) -> f32 {
    match times {
        0 => 0.0,
        1 => 0.8,
        _ => 12.0,
    }
}

/// The best try that was not refused in this turn.
pub fn choose(
    hunter: &Hunter,
    now: &LoneKing,
    seen: &Observation<'_>,
    placements: &Placements,
    clock: u16,
) -> Option<Try> {
    let ranked = hunter.ranked(now, |own| repeating(placements.count(own)));
    let tries = ranked.into_iter().map(|one| one.1);
    let mut tries: Vec<Try> =
        tries.filter(|attempt| !seen.refused().any(|refused| refused == *attempt)).collect();
    if clock >= LATE {
        let pawns = now.own().men(Piece::Pawn);
        tries.sort_by_key(|attempt| !pawns.has(attempt.from));
    }
    tries.first().copied().or_else(|| seen.tries().first().copied())
}
