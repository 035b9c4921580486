//! Metapositions: all states that a seat considers possible, as one position.

use super::{HiddenGame, InformationState};
use crate::Seat;

/// All states that a seat considers possible, folded into one position. It may contain states that
/// are not possible, but it always contains the true one.
pub trait Metaposition<G: HiddenGame>: Clone {
    /// The metaposition of this information state.
    fn fold(information: &InformationState<G>) -> Self;

    /// Whether this metaposition of `seat` contains `state`.
    fn contains(&self, state: &G, seat: Seat) -> bool;
}
