//! How good a puzzle is, measure by measure.

use games::geister::Square;

/// What is measured of a puzzle.
#[derive(Clone, Debug, PartialEq)]
pub struct Quality {
    /// First moves that keep the shortest win. One is a *unique key*.
    pub keys: u32,
    /// First moves that win at all, within the depth that was looked at.
    pub winning_first_moves: u32,
    /// The share of own moves on the main line without an equally short choice, from 0 to 1.
    pub purity: f64,
    /// Where the idle ghosts stand: each could be taken off without changing length or key.
    pub idle: Vec<Square>,
    /// Plies that attacks of the top side add without a point.
    pub futile_plies: u32,
}

impl Quality {
    /// Whether there is only one first move that keeps the shortest win.
    pub fn has_unique_key(&self) -> bool {
        self.keys == 1
    }
}
