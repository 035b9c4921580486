//! A player that chooses at random.

use crate::{Player, Thinking};
use games::hidden::{HiddenGame, InformationState};
use rand::Rng;

/// Chooses any candidate, each with the same probability.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

/// A set-up, each with the same probability.
pub fn random_setup<G: HiddenGame>(start: &G::Start, rng: &mut impl Rng) -> G::Setup {
    let all = G::setups(start);
    all[rng.random_range(0..all.len())]
}

/// One of `actions`, each with the same probability; the random numbers are those of the step.
///
/// # Panics
/// If there is none.
pub fn uniform<G: HiddenGame>(
    actions: &[G::Action],
    information: &InformationState<G>,
    thinking: &Thinking,
) -> G::Action {
    let mut rng = thinking.rng(information.steps().len() as u32);
    actions[rng.random_range(0..actions.len())]
}

impl<G: HiddenGame> Player<G> for Random {
    fn choose(&mut self, information: &InformationState<G>, thinking: &Thinking) -> G::Action {
        uniform(&information.candidates(), information, thinking)
    }
}
