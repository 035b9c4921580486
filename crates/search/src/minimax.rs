//! Full-width minimax: the reference implementation that tests compare the searches with.

use crate::and_or::{AndOr, Player, moves_of};

/// Whether OR wins within `depth` plies, by full-width minimax: no table, no pruning, and no
/// [`AndOr::static_result`]. Takes time exponential in `depth`.
#[must_use]
pub fn wins_within<P: AndOr>(position: &P, depth: u32) -> bool {
    if let Some(won) = position.decided() {
        return won;
    }
    if depth == 0 {
        return false;
    }
    let moves = moves_of(position);
    let values = moves.into_iter().map(|m| wins_within(&position.play(m), depth - 1));
    match position.to_move() {
        Player::Or => values.max().unwrap_or(false),
        Player::And => values.min().unwrap_or(true),
    }
}
