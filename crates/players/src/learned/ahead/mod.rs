//! Looking ahead. The own side does its best; the others, who are thought to know every colour, do
//! their worst; what is hidden from the own side counts by how likely it is; and at the end the model
//! says how it stands.
//!
//! To think that the others know everything is too dark, and yet it pays: with it the champion won
//! 85 of 100 games against a program of earlier tournaments in place of 65 with games that were
//! played on by chance (docs/results/champion.md).

mod queue;
mod sight;
mod table;

pub use sight::Chances;

use super::steps::Step;
use super::view::View;
use super::weights::{Weights, logit, squeezed};
use games::geister::Square;
use queue::Queue;
use sight::Sight;
use std::time::Instant;
use table::Table;

/// If all others who stand on exits are surely blue, nothing more needs to be known.
const SURE: f32 = 0.005;

/// Positions in the table: 16 bytes each.
const KNOWN: usize = 1 << 16;

/// Looks ahead until a deadline.
pub struct Ahead<'a> {
    weights: &'a Weights,
    table: Table,
    /// By the squares of a step of the others, how well it refuted what the own side did.
    refuted: Box<[[u32; Square::COUNT]; Square::COUNT]>,
    deadline: Option<Instant>,
    stopped: bool,
}

/// A step to choose from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// It, with what it is worth at last, what is taken off included.
    pub step: Step,
    /// What is taken off, for reasons of which the search knows nothing.
    pub less: f32,
}

/// What may come of it.
#[derive(Clone, Copy)]
struct Window {
    low: f32,
    high: f32,
}

impl<'a> Ahead<'a> {
    /// With this model.
    pub fn new(weights: &'a Weights) -> Ahead<'a> {
        let refuted = Box::new([[0; Square::COUNT]; Square::COUNT]);
        let table = Table::new(KNOWN);
        Ahead { weights, table, refuted, deadline: None, stopped: false }
    }

    /// Looks `least` plies ahead, and then deeper until the deadline or `most`; both are odd, for
    /// the model judges after own steps. The candidates come with what they are worth at sight; then
    /// the best is first and has what it is worth at the last depth, and the others have no less than
    /// what they are worth. Gives that depth, the last that was begun if time ran out after the best
    /// of the depth before was looked at.
    pub fn sort(
        &mut self,
        view: &View,
        chances: &Chances,
        candidates: &mut [Candidate],
        (least, most): (u32, u32),
        deadline: Instant,
    ) -> u32 {
        let sight = Sight::new(self.weights, *view, *chances);
        self.stopped = false;
        let mut depth = 1;
        by_worth(candidates);
        while depth + 2 <= most && candidates.len() > 1 && !self.stopped {
            self.deadline = (depth >= least).then_some(deadline);
            if self.deepen(&sight, candidates, depth + 2) {
                depth += 2;
            }
        }
        depth
    }

    /// Looks so deep at one candidate after the other, and puts the best of those that it comes to in
    /// front; false if it comes to none.
    fn deepen(&mut self, sight: &Sight, candidates: &mut [Candidate], depth: u32) -> bool {
        let mut best: Option<Candidate> = None;
        for candidate in &mut *candidates {
            let less = candidate.less;
            let low = best.map_or(0.0, |best| squeezed(best.step.worth + less));
            let window = Window { low, high: 1.0 };
            let chance = self.after(sight, &candidate.step, depth, window);
            if self.stopped {
                break;
            }
            candidate.step.worth = logit(chance) - less;
            if best.is_none_or(|best| candidate.step.worth > best.step.worth) {
                best = Some(*candidate);
            }
        }
        if let Some(at) = best.and_then(|best| candidates.iter().position(|one| *one == best)) {
            candidates[..=at].rotate_right(1);
            if !self.stopped {
                by_worth(&mut candidates[1..]);
            }
        }
        best.is_some()
    }

    /// The chance to win after an own step, `depth` plies from before it.
    fn after(&mut self, sight: &Sight, step: &Step, depth: u32, window: Window) -> f32 {
        let Step { from, to, .. } = *step;
        if !sight.view.others.has(to) {
            return self.theirs(sight.stepped(self.weights, from, to), depth - 1, window);
        }
        let is_blue = sight.chances[to.index()];
        let mut colours = [(is_blue, true), (1.0 - is_blue, false)];
        colours.sort_by(|one, other| other.0.total_cmp(&one.0));
        let [(likely, first), (rest, second)] = colours;
        let mut of = |was_blue, share: f32, window: Window| {
            if share <= 0.0 {
                return 0.0;
            }
            let window = Window { low: window.low / share, high: window.high / share };
            share
                * match sight.captured(self.weights, from, to, was_blue) {
                    Err(ended) => ended,
                    Ok(after) => self.theirs(after, depth - 1, window),
                }
        };
        let sum = of(first, likely, Window { low: window.low - rest, high: window.high });
        if sum + rest <= window.low || sum >= window.high {
            return if sum >= window.high { sum } else { sum + rest };
        }
        sum + of(second, rest, Window { low: window.low - sum, high: window.high - sum })
    }

    /// The chance to win with the own side to move.
    fn own(&mut self, sight: &Sight, depth: u32, window: Window) -> f32 {
        if sight.view.can_leave() {
            return 1.0;
        }
        if depth == 1 {
            return self.at_sight(sight);
        }
        let key = sight.key(true);
        let known = self.table.get(key).copied();
        if let Some(value) = known.and_then(|known| known.settled(depth, window)) {
            return value;
        }
        let mut queue = Queue::new();
        sight.view.for_each_step(|from, to| {
            let first = known.is_some_and(|known| known.is_from(from, to));
            queue.push(
                from,
                to,
                if first { f32::MAX } else { sight.worth(self.weights, from, to) },
            );
        });
        let (mut best, mut found) = (0.0_f32, None);
        for step in queue {
            let low = window.low.max(best);
            let chance = self.after(sight, &step, depth, Window { low, ..window });
            if chance > best || found.is_none() {
                (best, found) = (chance, Some([step.from, step.to]));
            }
            if best >= window.high || self.stopped {
                break;
            }
        }
        if !self.stopped {
            self.table.put(key, depth, window, best, found);
        }
        best
    }

    /// The chance to win with the best own step at sight.
    fn at_sight(&self, sight: &Sight) -> f32 {
        let mut best = f32::MIN;
        sight.view.for_each_step(|from, to| best = best.max(sight.worth(self.weights, from, to)));
        squeezed(best)
    }

    /// The chance to win with the others to move.
    fn theirs(&mut self, mut sight: Sight, depth: u32, window: Window) -> f32 {
        let stay = sight.stay();
        if stay <= window.low.max(SURE) {
            return stay;
        }
        let window = Window { low: window.low / stay, high: window.high / stay };
        stay * self.answered(&sight, depth, window)
    }

    /// The same when nobody leaves.
    fn answered(&mut self, sight: &Sight, depth: u32, window: Window) -> f32 {
        if self.is_late() {
            return 0.0;
        }
        let key = sight.key(false);
        let known = self.table.get(key).copied();
        if let Some(value) = known.and_then(|known| known.settled(depth, window)) {
            return value;
        }
        let mut queue = Queue::new();
        sight.view.for_each_answer(|from, to| {
            let first = known.is_some_and(|known| known.is_from(from, to));
            queue.push(
                from,
                to,
                if first { f32::MAX } else { self.promise(&sight.view, from, to) },
            );
        });
        let (mut least, mut found) = (1.0_f32, None);
        for Step { from, to, .. } in queue {
            let high = window.high.min(least);
            let chance = match sight.answered(self.weights, from, to) {
                Err(ended) => ended,
                Ok(after) => self.own(&after, depth - 1, Window { high, ..window }),
            };
            if chance < least || found.is_none() {
                (least, found) = (chance, Some([from, to]));
            }
            if self.stopped {
                return least;
            }
            if least <= window.low {
                self.refuted[from.index()][to.index()] += depth * depth;
                break;
            }
        }
        self.table.put(key, depth, window, least, found);
        least
    }

    /// How early a step of the others is looked at: captures of blues first, of reds last, in between
    /// what has refuted other steps before.
    fn promise(&self, view: &View, from: Square, to: Square) -> f32 {
        let refuted = self.refuted[from.index()][to.index()] as f32;
        if view.blue.has(to) {
            1e9 + refuted
        } else if view.red.has(to) {
            refuted - 1e9
        } else {
            refuted
        }
    }

    fn is_late(&mut self) -> bool {
        self.stopped |= self.deadline.is_some_and(|deadline| Instant::now() > deadline);
        self.stopped
    }
}

fn by_worth(candidates: &mut [Candidate]) {
    candidates.sort_by(|one, other| other.step.worth.total_cmp(&one.step.worth));
}

#[cfg(test)]
mod tests {
    use super::super::weights::tests::samples;
    use super::sight::balanced;
    use super::*;

    /// What lies ahead, summed up without leaving anything out.
    struct Slow<'a>(&'a Weights);

    impl Slow<'_> {
        fn after(&self, sight: &Sight, from: Square, to: Square, depth: u32) -> f32 {
            if !sight.view.others.has(to) {
                let view = sight.view.stepped(from, to);
                return self.theirs(Sight::new(self.0, view, sight.chances), depth - 1);
            }
            let is_blue = sight.chances[to.index()];
            let of = |was_blue| match sight.captured(self.0, from, to, was_blue) {
                Ok(after) => self.theirs(after, depth - 1),
                Err(ended) => ended,
            };
            is_blue * of(true) + (1.0 - is_blue) * of(false)
        }

        fn theirs(&self, mut sight: Sight, depth: u32) -> f32 {
            let stay = sight.stay();
            let mut least = 1.0_f32;
            sight.view.for_each_answer(|from, to| {
                least = least.min(match sight.answered(self.0, from, to) {
                    Ok(after) => self.own(&after, depth - 1),
                    Err(ended) => ended,
                });
            });
            stay * least
        }

        fn own(&self, sight: &Sight, depth: u32) -> f32 {
            if sight.view.can_leave() {
                return 1.0;
            }
            let mut best = 0.0_f32;
            sight.view.for_each_step(|from, to| {
                best = best.max(match depth {
                    1 => squeezed(sight.worth(self.0, from, to)),
                    _ => self.after(sight, from, to, depth),
                });
            });
            best
        }
    }

    /// Positions, each ghost of the others being blue with another chance.
    fn sights(weights: &Weights) -> Vec<Sight> {
        let (views, _) = samples();
        let views = views.into_iter().filter(|view| !view.can_leave()).step_by(60);
        let uneven = |view: View| {
            let mut chances = [0.0; Square::COUNT];
            for (number, at) in view.others.enumerate() {
                chances[at.index()] = 0.1 + 0.1 * number as f32;
            }
            Sight::new(weights, view, balanced(&chances, &view))
        };
        views.map(uneven).collect()
    }

    /// Every step, with something taken off from every third.
    fn candidates(weights: &Weights, sight: &Sight) -> Vec<Candidate> {
        let mut found = Vec::new();
        sight.view.for_each_step(|from, to| {
            let less = if found.len() % 3 == 0 { 0.2 } else { 0.0 };
            let worth = sight.worth(weights, from, to) - less;
            found.push(Candidate { step: Step { from, to, worth }, less });
        });
        found
    }

    #[test]
    fn leaving_out_what_does_not_matter_changes_nothing() {
        let weights = Weights::shipped();
        let now = Instant::now();
        for (number, sight) in sights(&weights).into_iter().enumerate() {
            // Five plies are many for who leaves nothing out.
            let few = sight.view.own().count() + sight.view.others.count() < 9;
            let plies = if few && number % 3 == 0 { 5 } else { 3 };
            let mut found = candidates(&weights, &sight);
            let mut ahead = Ahead::new(&weights);
            let depth = ahead.sort(&sight.view, &sight.chances, &mut found, (plies, plies), now);
            assert_eq!(depth, plies);
            let slow = |one: &Candidate| {
                let Step { from, to, .. } = one.step;
                logit(Slow(&weights).after(&sight, from, to, plies)) - one.less
            };
            let best = found.iter().map(slow).fold(f32::MIN, f32::max);
            let first = found[0].step.worth;
            assert!((first - best).abs() < 1e-2, "{first} or {best} in {:?}", sight.view);
            for one in &found {
                assert!(one.step.worth <= first, "the best is not in front");
                assert!(one.step.worth > slow(one) - 1e-2, "less than it is worth");
            }
        }
    }

    #[test]
    fn chances_add_up_to_the_number_of_blues() {
        for Sight { view, chances, .. } in sights(&Weights::shipped()) {
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
        let sight = sights(&weights)[0];
        for least in [1, 3] {
            let mut found = candidates(&weights, &sight);
            let depth = Ahead::new(&weights).sort(
                &sight.view,
                &sight.chances,
                &mut found,
                (least, 11),
                Instant::now(),
            );
            assert_eq!(depth, least);
        }
    }

    #[test]
    fn positions_differ_by_everything_that_counts() {
        let weights = Weights::shipped();
        let mut keys = std::collections::HashMap::new();
        for sight in sights(&weights) {
            let mut turned = sight;
            turned.chances.iter_mut().for_each(|chance| *chance *= 0.5);
            let all = [sight.key(true), sight.key(false), turned.key(true)];
            for (which, key) in all.into_iter().enumerate() {
                let is = (sight.view, which);
                assert_eq!(*keys.entry(key).or_insert(is), is, "two positions have one key");
            }
        }
    }
}
