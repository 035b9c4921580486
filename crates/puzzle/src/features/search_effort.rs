//! Features of the search effort of the reference df-pn: 17 to 20.
//!
//! It is the search of P1, lower bounds included, with iterative deepening in steps of two plies.
//! The root's numbers are recalculated whenever a leaf is expanded, as P1 describes after Ishitobi,
//! and those of the depth that proves the puzzle count. Slow: computed once and stored.

use super::{Feature, Features};
use games::geister::Position;
use geister::reference::{Puzzle as Reference, Techniques};
use search::{Budget, DfPn, Limits, Steps, Verdict, deepen};

/// The size of its transposition table in bytes.
const MEMORY: usize = 64 << 20;

/// Sets the features of the reference search, if it proves the win of `m_win` plies with at most
/// `nodes` nodes; else they stay unknown.
pub(super) fn fill(position: &Position, m_win: u32, nodes: u64, features: &mut Features) {
    let reference = Reference::new(*position, Techniques::ALL);
    let limits = Limits { depth: m_win, nodes: Some(nodes), ..Limits::default() };
    let mut search = DfPn::new(MEMORY).recording_root();
    let steps = Steps::default();
    let verdict = deepen(&mut search, &reference, steps, &mut Budget::new(&limits), &mut ());
    let Some(maxima) = search.root_maxima().filter(|_| verdict == Verdict::Win(m_win)) else {
        return;
    };
    features.set(Feature::RootProof, f64::from(maxima.proof));
    features.set(Feature::RootDisproof, f64::from(maxima.disproof));
    features.set(Feature::NodesInAll, search.expanded() as f64);
    features.set(Feature::NodesAtLastDepth, search.expanded_at_last_depth() as f64);
}
