//! Endgames against a lone king, played by a search over the belief about its square.

mod endgame_search;
mod evaluation;
mod king_policy;
mod mate_search;
mod tablebase;
mod tablebase_evaluation;
mod trials;

pub use endgame_search::EndgameSearch;
pub use evaluation::EvaluationWeights;
pub use king_policy::KingPolicy;
pub use mate_search::MateSearch;
pub use tablebase::Tablebase;
pub use trials::{Material, MaterialError, Tally, min_capture_risk, play_trial, run_trials};

use super::repetitions::RepetitionTable;
use games::kriegspiel::{LoneKing, OwnPieces, Piece, Try};

/// Plies without a capture or a pawn move after which pawn moves come first, because of the
/// fifty-move rule.
const PAWN_MOVE_CLOCK: u16 = 80;

/// Forced mates are searched for if the king may be on at most this many squares.
const MAX_MATE_SEARCH_SQUARES: u32 = 8;

/// The longest forced mate that is searched for.
const MAX_MATE_SEARCH_MOVES: u8 = 10;

/// The budget of a search for a forced mate.
const MAX_MATE_SEARCH_TRIES: u32 = 5_000;

/// The cost of repeating a placement of the own pieces, in moves.
fn repetition_cost(times: u32) -> f32 {
    match times {
        0 => 0.0,
        1 => 0.8,
        _ => 12.0,
    }
}

/// The cost of keeping the own king where it has stood before, in moves: while it walks in circles,
/// moves of the other pieces make no progress.
fn king_repetition_cost(repetitions: &RepetitionTable, own: &OwnPieces) -> f32 {
    0.3 * repetitions.count_of_kind(own, Piece::King) as f32
}

/// The first try of a short forced mate, if the king may be on few squares only.
fn forced_mate(now: &LoneKing) -> Option<Try> {
    if now.squares().len() > MAX_MATE_SEARCH_SQUARES {
        return None;
    }
    let mut search = MateSearch::new(Tablebase::of(now.own())?, MAX_MATE_SEARCH_TRIES);
    search.mate(now, MAX_MATE_SEARCH_MOVES).map(|(attempt, _)| attempt)
}

/// Chooses the best of the candidates, which do not include tries refused in this turn.
pub fn choose(
    search: &EndgameSearch,
    now: &LoneKing,
    candidates: &[Try],
    repetitions: &RepetitionTable,
    clock: u16,
) -> Option<Try> {
    // A third repetition might be a draw.
    let is_safe = |attempt: &Try| repetitions.count(&now.own().moved(*attempt)) < 2;
    if let Some(attempt) = forced_mate(now).filter(is_safe) {
        return Some(attempt);
    }
    let extra = |own: &OwnPieces| {
        repetition_cost(repetitions.count(own)) + king_repetition_cost(repetitions, own)
    };
    let ranked = search.ranked(now, extra);
    let tries = ranked.into_iter().map(|one| one.1);
    let mut tries: Vec<Try> = tries.filter(|attempt| candidates.contains(attempt)).collect();
    if clock >= PAWN_MOVE_CLOCK {
        let pawns = now.own().pieces(Piece::Pawn);
        tries.sort_by_key(|attempt| !pawns.has(attempt.from));
    }
    tries.first().copied().or_else(|| candidates.first().copied())
}
