//! Looking ahead. The own side does its best; the others, who are thought to know every colour, do
//! their worst; what is hidden from the own side counts by how likely it is; and at the end the model
//! says how it stands.
//!
//! To think that the others know everything is too dark, and yet it pays: with it the champion won
//! 85 of 100 games against a program of earlier tournaments in place of 65 with games that were
//! played on by chance (docs/results/champion.md).

use super::steps::{Step, steps};
use super::view::View;
use super::weights::{Weights, logit, squeezed};
use games::geister::{Bitboard, Board, Square, Standard};
use std::time::Instant;

/// How likely a ghost of the others is blue, by the number of its square.
pub type Chances = [f32; Square::COUNT];

/// Steps that are worse than the best by more than this are not looked at to the end: then their
/// worth is at least what they are really worth.
const CLOSE: f32 = 0.1;

/// Positions between two looks at the clock.
const UNHURRIED: u32 = 64;

/// If all others who stand on exits are surely blue, nothing more needs to be known.
const SURE: f32 = 0.005;

/// Looks ahead until a deadline.
pub struct Ahead<'a> {
    weights: &'a Weights,
    /// By the squares of a step of the others, how well it refuted what the own side did.
    refuted: Box<[[u32; Square::COUNT]; Square::COUNT]>,
    positions: u32,
    deadline: Option<Instant>,
    stopped: bool,
}

/// What is seen, and what is thought of what is not seen.
#[derive(Clone, Copy)]
struct Sight {
    view: View,
    chances: Chances,
}

/// What may come of it.
#[derive(Clone, Copy)]
struct Window {
    low: f32,
    high: f32,
}

impl Window {
    const WHOLE: Window = Window { low: 0.0, high: 1.0 };
}

impl Sight {
    /// After an own step to where one of the others stands, who turns out to be blue or red; or how
    /// that ends the game.
    fn captured(&self, from: Square, to: Square, was_blue: bool) -> Result<Sight, f32> {
        let mut view = self.view.stepped(from, to);
        view.others_blue -= u32::from(was_blue);
        if view.others_blue == 0 {
            return Err(1.0);
        }
        if view.others_red() == 0 {
            return Err(0.0);
        }
        Ok(Sight { view, chances: balanced(&self.chances, &view) })
    }

    /// After a step of the others, or how that ends the game.
    fn answered(&self, from: Square, to: Square) -> Result<Sight, f32> {
        let mut after = *self;
        after.view.others = self.view.others.without(from.bit()) | to.bit();
        after.view.blue = self.view.blue.without(to.bit());
        after.view.red = self.view.red.without(to.bit());
        if after.view.blue.is_empty() {
            return Err(0.0);
        }
        if after.view.red.is_empty() {
            return Err(1.0);
        }
        after.chances[to.index()] = self.chances[from.index()];
        Ok(after)
    }

    /// How likely nobody leaves at once who stands on an exit; whoever stays is red.
    fn stay(&mut self) -> f32 {
        let mut stay = 1.0;
        for at in self.view.others & Standard::TOP_EXITS {
            stay *= 1.0 - self.chances[at.index()];
            self.chances[at.index()] = 0.0;
        }
        stay
    }
}

/// The chances of those who are left, so that they add up to the number of blues again.
fn balanced(chances: &Chances, view: &View) -> Chances {
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

impl<'a> Ahead<'a> {
    /// With this model.
    pub fn new(weights: &'a Weights) -> Ahead<'a> {
        let refuted = Box::new([[0; Square::COUNT]; Square::COUNT]);
        Ahead { weights, refuted, positions: 0, deadline: None, stopped: false }
    }

    /// Looks `least` plies ahead, and then deeper until the deadline or `most`; both are odd, for
    /// the model judges after own steps. The steps come with what they are worth at sight and get
    /// what they are worth at the last depth that was finished, which is given back; the best is
    /// first. Those that are clearly worse are worth no more than stands there.
    pub fn refine(
        &mut self,
        view: &View,
        chances: &Chances,
        candidates: &mut Vec<Step>,
        (least, most): (u32, u32),
        deadline: Instant,
    ) -> u32 {
        let sight = Sight { view: *view, chances: *chances };
        let mut depth = 1;
        sort(candidates);
        while depth + 2 <= most && candidates.len() > 1 {
            self.deadline = (depth >= least).then_some(deadline);
            let Some(next) = self.deepen(&sight, candidates, depth + 2) else { break };
            (*candidates, depth) = (next, depth + 2);
            sort(candidates);
        }
        depth
    }

    /// The steps with their worth at a depth; nothing if time ran out.
    fn deepen(&mut self, sight: &Sight, candidates: &[Step], depth: u32) -> Option<Vec<Step>> {
        self.stopped = false;
        let mut found = candidates.to_vec();
        let mut best = 0.0_f32;
        for step in &mut found {
            let window = Window { low: (best - CLOSE).max(0.0), high: 1.0 };
            let chance = self.after(sight, step, depth, window);
            if self.stopped {
                return None;
            }
            best = best.max(chance);
            step.worth = logit(chance);
        }
        Some(found)
    }

    /// The chance to win after an own step, `depth` plies from before it.
    fn after(&mut self, sight: &Sight, step: &Step, depth: u32, window: Window) -> f32 {
        if !sight.view.others.has(step.to) {
            let mut after = *sight;
            after.view = sight.view.stepped(step.from, step.to);
            return self.theirs(after, depth - 1, window);
        }
        let is_blue = sight.chances[step.to.index()];
        let [blue, red] = [(is_blue, true), (1.0 - is_blue, false)].map(|(likely, was_blue)| {
            let chance = match sight.captured(step.from, step.to, was_blue) {
                _ if likely <= 0.0 => 0.0,
                Err(ended) => ended,
                // What one colour may come to says little of both together.
                Ok(after) => self.theirs(after, depth - 1, Window::WHOLE),
            };
            likely * chance
        });
        blue + red
    }

    /// The chance to win with the own side to move.
    fn own(&mut self, sight: &Sight, depth: u32, mut window: Window) -> f32 {
        if sight.view.can_leave() {
            return 1.0;
        }
        if self.is_late() {
            return 0.0;
        }
        let mut found = Vec::with_capacity(32);
        steps(self.weights, &sight.view, |at| sight.chances[at.index()], &mut found);
        if depth == 1 {
            return squeezed(found.iter().map(|step| step.worth).fold(f32::MIN, f32::max));
        }
        sort(&mut found);
        let mut best = 0.0_f32;
        for step in &found {
            best = best.max(self.after(sight, step, depth, window));
            window.low = window.low.max(best);
            if window.low >= window.high {
                break;
            }
        }
        best
    }

    /// The chance to win with the others to move.
    fn theirs(&mut self, mut sight: Sight, depth: u32, window: Window) -> f32 {
        let stay = sight.stay();
        if stay < SURE || window.low >= stay {
            return stay.min(window.low);
        }
        let low = window.low / stay;
        let mut high = (window.high / stay).min(1.0);
        let mut least = 1.0_f32;
        for (from, to) in self.answers(&sight.view) {
            let chance = match sight.answered(from, to) {
                Err(ended) => ended,
                Ok(after) => self.own(&after, depth - 1, Window { low, high }),
            };
            least = least.min(chance);
            high = high.min(least);
            if high <= low {
                self.refuted[from.index()][to.index()] += depth * depth;
                break;
            }
        }
        stay * least
    }

    /// The steps of the others: captures of blues first, of reds last, in between what has refuted
    /// other steps before.
    fn answers(&self, view: &View) -> Vec<(Square, Square)> {
        let mut found = Vec::with_capacity(32);
        for from in view.others {
            for to in Bitboard::neighbours::<Standard>(from.bit()).without(view.others) {
                found.push((from, to));
            }
        }
        found.sort_by_key(|&(from, to)| {
            let refuted = self.refuted[from.index()][to.index()];
            (!view.blue.has(to), view.red.has(to), std::cmp::Reverse(refuted))
        });
        found
    }

    fn is_late(&mut self) -> bool {
        self.positions = self.positions.wrapping_add(1);
        if self.positions.is_multiple_of(UNHURRIED) {
            self.stopped |= self.deadline.is_some_and(|deadline| Instant::now() > deadline);
        }
        self.stopped
    }
}

fn sort(steps: &mut [Step]) {
    steps.sort_by(|one, other| other.worth.total_cmp(&one.worth));
}

#[cfg(test)]
mod tests {
    use super::super::weights::tests::samples;
    use super::*;

    /// What lies ahead, summed up without leaving anything out.
    struct Slow<'a>(&'a Weights);

    impl Slow<'_> {
        fn after(&self, sight: &Sight, step: &Step, depth: u32) -> f32 {
            if !sight.view.others.has(step.to) {
                let view = sight.view.stepped(step.from, step.to);
                return self.theirs(Sight { view, ..*sight }, depth - 1);
            }
            let is_blue = sight.chances[step.to.index()];
            let of = |was_blue| match sight.captured(step.from, step.to, was_blue) {
                Ok(after) => self.theirs(after, depth - 1),
                Err(ended) => ended,
            };
            is_blue * of(true) + (1.0 - is_blue) * of(false)
        }

        fn theirs(&self, mut sight: Sight, depth: u32) -> f32 {
            let stay = sight.stay();
            let after = |(from, to)| match sight.answered(from, to) {
                Ok(after) => self.own(&after, depth - 1),
                Err(ended) => ended,
            };
            stay * Ahead::new(self.0)
                .answers(&sight.view)
                .into_iter()
                .map(after)
                .fold(1.0, f32::min)
        }

        fn own(&self, sight: &Sight, depth: u32) -> f32 {
            if sight.view.can_leave() {
                return 1.0;
            }
            let found = at_sight(self.0, sight);
            let worth = found.iter().map(|step| match depth {
                1 => squeezed(step.worth),
                _ => self.after(sight, step, depth),
            });
            worth.fold(0.0, f32::max)
        }
    }

    fn at_sight(weights: &Weights, sight: &Sight) -> Vec<Step> {
        let mut found = Vec::new();
        steps(weights, &sight.view, |at| sight.chances[at.index()], &mut found);
        found
    }

    /// Positions, each ghost of the others being blue with another chance.
    fn sights() -> Vec<Sight> {
        let (views, _) = samples();
        let views = views.into_iter().filter(|view| !view.can_leave()).step_by(60);
        let uneven = |view: View| {
            let mut chances = [0.0; Square::COUNT];
            for (number, at) in view.others.enumerate() {
                chances[at.index()] = 0.1 + 0.1 * number as f32;
            }
            Sight { view, chances: balanced(&chances, &view) }
        };
        views.map(uneven).collect()
    }

    #[test]
    fn leaving_out_what_does_not_matter_changes_nothing() {
        let weights = Weights::shipped();
        for sight in sights() {
            let mut found = at_sight(&weights, &sight);
            let now = Instant::now();
            let depth =
                Ahead::new(&weights).refine(&sight.view, &sight.chances, &mut found, (3, 3), now);
            assert_eq!(depth, 3);
            let slow: Vec<f32> =
                found.iter().map(|step| Slow(&weights).after(&sight, step, 3)).collect();
            let best = slow.iter().copied().fold(0.0, f32::max);
            for (step, slow) in found.iter().zip(slow) {
                let fast = squeezed(step.worth);
                if slow > best - CLOSE + 1e-3 {
                    assert!((fast - slow).abs() < 1e-3, "{fast} or {slow} in {:?}", sight.view);
                } else {
                    assert!(fast < best, "{fast} or {slow}, and the best is {best}");
                }
            }
        }
    }

    #[test]
    fn chances_add_up_to_the_number_of_blues() {
        for Sight { view, chances } in sights() {
            let sum: f32 = view.others.map(|at| chances[at.index()]).sum();
            assert!((sum - view.others_blue as f32).abs() < 1e-3, "{sum} in {view:?}");
            assert!(
                view.others.map(|at| chances[at.index()]).all(|one| (0.0..=1.0).contains(&one))
            );
        }
    }

    #[test]
    fn without_time_it_looks_as_far_as_it_must() {
        let weights = Weights::shipped();
        let sight = sights()[0];
        for least in [1, 3] {
            let mut found = at_sight(&weights, &sight);
            let mut ahead = Ahead::new(&weights);
            let most = 11;
            let depth = ahead.refine(
                &sight.view,
                &sight.chances,
                &mut found,
                (least, most),
                Instant::now(),
            );
            assert_eq!(depth, least);
        }
    }
}
