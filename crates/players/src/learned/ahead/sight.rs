//! What is seen, what is thought of what is not seen, and what the model makes of it.

use super::super::sums::{Kind, Sums};
use super::super::view::View;
use super::super::weights::Weights;
use games::geister::{Board, Square, Standard};

/// How likely a ghost of the others is blue, by the number of its square.
pub type Chances = [f32; Square::COUNT];

/// A position in the search.
#[derive(Clone, Copy)]
pub(super) struct Sight {
    pub(super) view: View,
    pub(super) chances: Chances,
    sums: Sums,
}

impl Sight {
    pub(super) fn new(weights: &Weights, view: View, chances: Chances) -> Sight {
        Sight { view, chances, sums: Sums::of(weights, &view) }
    }

    /// What an own step is worth at sight, as a logit.
    pub(super) fn worth(&self, weights: &Weights, from: Square, to: Square) -> f32 {
        self.sums.worth(weights, &self.view, [from, to], self.chances[to.index()])
    }

    /// After an own step to an empty square.
    pub(super) fn stepped(&self, weights: &Weights, from: Square, to: Square) -> Sight {
        let kind = Kind::of_own(&self.view, from);
        Sight {
            view: self.view.stepped(from, to),
            chances: self.chances,
            sums: self.sums.stepped(weights, kind.on(from), kind.on(to)),
        }
    }

    /// After an own step to where one of the others stands, who turns out to be blue or red; or how
    /// that ends the game.
    pub(super) fn captured(
        &self,
        weights: &Weights,
        from: Square,
        to: Square,
        was_blue: bool,
    ) -> Result<Sight, f32> {
        let mut view = self.view.stepped(from, to);
        view.others_blue -= u32::from(was_blue);
        if view.others_blue == 0 {
            return Err(1.0);
        }
        if view.others_red() == 0 {
            return Err(0.0);
        }
        Ok(Sight::new(weights, view, balanced(&self.chances, &view)))
    }

    /// After a step of the others, or how that ends the game.
    pub(super) fn answered(
        &self,
        weights: &Weights,
        from: Square,
        to: Square,
    ) -> Result<Sight, f32> {
        let mut view = self.view;
        view.others = view.others.without(from.bit()) | to.bit();
        view.blue = view.blue.without(to.bit());
        view.red = view.red.without(to.bit());
        if view.blue.is_empty() {
            return Err(0.0);
        }
        if view.red.is_empty() {
            return Err(1.0);
        }
        let sums = if self.view.own().has(to) {
            Sums::of(weights, &view)
        } else {
            self.sums.stepped(weights, Kind::Other.on(from), Kind::Other.on(to))
        };
        let mut after = Sight { view, chances: self.chances, sums };
        after.chances[to.index()] = self.chances[from.index()];
        Ok(after)
    }

    /// How likely nobody leaves at once who stands on an exit; whoever stays is red.
    pub(super) fn stay(&mut self) -> f32 {
        let mut stay = 1.0;
        for at in self.view.others & Standard::TOP_EXITS {
            stay *= 1.0 - self.chances[at.index()];
            self.chances[at.index()] = 0.0;
        }
        stay
    }

    /// A number for everything that a value depends on but the depth.
    pub(super) fn key(&self, own_turn: bool) -> u64 {
        let View { blue, red, others, others_blue } = self.view;
        let seen = [blue.0, red.0, others.0, u64::from(others_blue) << 1 | u64::from(own_turn)];
        let key = seen.into_iter().fold(0, |key, part| scattered(key ^ part));
        let thought = |at: Square| {
            let chance = u64::from(self.chances[at.index()].to_bits());
            scattered(chance << 8 | at.index() as u64)
        };
        others.map(thought).fold(key, u64::wrapping_add)
    }
}

fn scattered(word: u64) -> u64 {
    let word = (word ^ 0x9E37_79B9_7F4A_7C15).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (word ^ word >> 32).wrapping_mul(0x94D0_49BB_1331_11EB) ^ word >> 29
}

/// The chances of those who are left, so that they add up to the number of blues again.
pub(super) fn balanced(chances: &Chances, view: &View) -> Chances {
    let (others, blue) = (view.others.count() as f32, view.others_blue as f32);
    let sum: f32 = view.others.map(|at| chances[at.index()]).sum();
    let mut balanced = *chances;
    for at in view.others {
        let chance = &mut balanced[at.index()];
        if sum > blue {
            *chance *= blue / sum;
        } else if sum < others {
            *chance = 1.0 - (1.0 - *chance) * (others - blue) / (others - sum);
        }
    }
    balanced
}
