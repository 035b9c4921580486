//! True states that agree with what was observed.

use super::{HiddenGame, InformationState};
use rand::Rng;

/// A game whose hidden part can be drawn at random.
pub trait Resample: HiddenGame {
    /// Draws a true state that agrees with everything that the seat observed: its own replay would
    /// give the seat the same information state. Every such state has a positive probability; the
    /// distribution is otherwise the game's own and documented there.
    ///
    /// `None` if the game is over, or if none was found within the bounds of the game.
    fn resample<R: Rng + ?Sized>(information: &InformationState<Self>, rng: &mut R)
    -> Option<Self>;

    /// Draws `count` such states, or none at all. They need not be independent of each other: a
    /// game whose draws are costly shares the work.
    fn resample_many<R: Rng + ?Sized>(
        information: &InformationState<Self>,
        count: usize,
        rng: &mut R,
    ) -> Vec<Self> {
        (0..count).map_while(|_| Self::resample(information, rng)).collect()
    }
}
