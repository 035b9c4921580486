//! Everything that may be true, as one position.

use super::{HiddenGame, InformationState};
use crate::Seat;

/// Everything that a seat thinks possible, folded into one position. It may stand for states that
/// are not possible, but it always contains the truth.
pub trait Metaposition<G: HiddenGame>: Clone {
    /// The metaposition of this information state.
    fn fold(information: &InformationState<G>) -> Self;

    /// Whether `state` is one of those that this metaposition of `seat` stands for.
    fn contains(&self, state: &G, seat: Seat) -> bool;
}
