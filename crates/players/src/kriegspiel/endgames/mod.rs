//! Endgames against a bare king, played by search over what is known of it.

mod estimate;
mod forced;
mod glimpse;
mod kings;
mod sighted;
pub mod solver;
mod trial;

pub use estimate::Prices;
pub use forced::Forced;
pub use kings::King;
pub use sighted::Sighted;
pub use solver::Hunter;
pub use trial::{Kind, KindError, Tally, least_risk, trial, trial_of};

use super::placements::Placements;
use games::kriegspiel::{LoneKing, OwnPieces, Piece, Try};

/// Plies without a capture or a move of a pawn after which a pawn is moved if there is one.
const LATE: u16 = 80;

/// Forced mates are looked for if the king is on one of so few squares, within so many moves, and by
/// the answers to so many tries.
const FEW: u32 = 8;
const NEAR: u8 = 10;
const WORK: u32 = 5_000;

/// What it costs to stand where the own men have stood before, in moves.
fn repeating(times: u32) -> f32 {
    match times {
        0 => 0.0,
        1 => 0.8,
        _ => 12.0,
    }
}

/// What it costs to keep the king where it has stood before, in moves: one that goes in circles while
/// the other men change their places gets nowhere.
fn weary(placements: &Placements, own: &OwnPieces) -> f32 {
    0.3 * placements.alike(own, Piece::King) as f32
}

/// The first try of a mate that nothing can prevent, if the king is nearly found and the mate is near.
fn forced_mate(now: &LoneKing) -> Option<Try> {
    if now.squares().len() > FEW {
        return None;
    }
    let found = Forced::new(Sighted::of(now.own())?, WORK).mate(now, NEAR);
    found.map(|(attempt, _)| attempt)
}

/// The best of the candidates, which are without those refused in this turn.
pub fn choose(
    hunter: &Hunter,
    now: &LoneKing,
    candidates: &[Try],
    placements: &Placements,
    clock: u16,
) -> Option<Try> {
    // The third time might be a draw.
    let fresh = |attempt: &Try| placements.count(&now.own().moved(*attempt)) < 2;
    if let Some(attempt) = forced_mate(now).filter(fresh) {
        return Some(attempt);
    }
    let extra = |own: &OwnPieces| repeating(placements.count(own)) + weary(placements, own);
    let ranked = hunter.ranked(now, extra);
    let tries = ranked.into_iter().map(|one| one.1);
    let mut tries: Vec<Try> = tries.filter(|attempt| candidates.contains(attempt)).collect();
    if clock >= LATE {
        let pawns = now.own().pieces(Piece::Pawn);
        tries.sort_by_key(|attempt| !pawns.has(attempt.from));
    }
    tries.first().copied().or_else(|| candidates.first().copied())
}
