//! The slow searches, asked the same questions as the solver.

use games::geister::Position;
use geister::reference::{Puzzle, Techniques};
use search::{AlphaBeta, AndOr, Budget, DepthSearch, Limits, Steps, Verdict, deepen};

/// Deepening alpha-beta with a table and without techniques, whoever moves.
pub(crate) fn alpha_beta(position: &Position, depth: u32, nodes: u64) -> Verdict {
    let mut search = AlphaBeta::with_table(4 << 20);
    asked(&mut search, position, Techniques::NONE, depth, nodes)
}

/// Any deepening search, with or without techniques, for odd depths with the bottom side to move.
pub(crate) fn asked(
    search: &mut impl DepthSearch<Puzzle>,
    position: &Position,
    techniques: Techniques,
    depth: u32,
    nodes: u64,
) -> Verdict {
    let puzzle = Puzzle::new(*position, techniques);
    let mut budget = Budget::new(&Limits { depth, nodes: Some(nodes), ..Limits::default() });
    deepen(search, &puzzle, Steps::default(), &mut budget, &mut ())
}

/// Whether OR wins within `depth` plies, by alpha-beta alone; `None` after too many nodes.
pub(crate) fn wins<P: AndOr>(position: &P, depth: u32, nodes: u64) -> Option<bool> {
    let mut budget = Budget::new(&Limits { nodes: Some(nodes), ..Limits::default() });
    AlphaBeta::with_table(4 << 20).prove(position, depth, &mut budget).ok()
}

/// [`wins`] for a puzzle as it stands, whoever moves.
pub(crate) fn position_wins(position: &Position, depth: u32, nodes: u64) -> Option<bool> {
    wins(&Puzzle::new(*position, Techniques::NONE), depth, nodes)
}
