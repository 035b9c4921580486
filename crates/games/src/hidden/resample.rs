//! True states that agree with what was observed.

use super::{HiddenGame, InformationState};
use rand::Rng;

/// A game whose hidden part can be drawn at random.
pub trait Resample: HiddenGame {
    /// Draws `count` true states that agree with everything that the seat observed: their own
    /// replay would give the seat the same information state. Every such state has a positive
    /// probability; the distribution is otherwise the game's own and documented there. The draws
    /// need not be independent of each other: a game whose draws are costly shares the work.
    ///
    /// Empty if the game is over, or if no state was found within the bounds of the game.
    fn resample<R: Rng + ?Sized>(
        information: &InformationState<Self>,
        count: usize,
        rng: &mut R,
    ) -> Vec<Self>;
}
