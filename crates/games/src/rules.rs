//! What every game here has in common, as one small trait.

/// Enough of a game to walk its tree.
pub trait Rules: Clone {
    /// A move, cheap to copy.
    type Move: Copy;

    /// Every legal move, in a fixed order; empty exactly when the game is over.
    fn legal_moves(&self) -> Vec<Self::Move>;

    /// The position after `mv`, which must be one of [`Rules::legal_moves`].
    fn after(&self, mv: Self::Move) -> Self;
}

/// Counts the leaves `depth` plies below `position`: the lines of play of exactly that length.
///
/// Lines that end sooner are not counted. This is the usual check of a move generator against
/// another one.
pub fn perft<R: Rules>(position: &R, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.legal_moves().len() as u64,
        _ => position.legal_moves().iter().map(|&mv| perft(&position.after(mv), depth - 1)).sum(),
    }
}
