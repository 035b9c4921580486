//! Games played on in the head: colourings drawn from what is believed, both sides choosing as the
//! model would, for a while; then the model says how it stands. The average over many such games
//! says more of a step than the model at sight.

use super::belief::Belief;
use super::steps::{Choice, Step, keep_safe, steps};
use super::view::{View, turned};
use super::weights::{Weights, logit, squeezed};
use games::geister::{Bitboard, Square};
use rand::Rng;
use std::time::Instant;

/// Games in a round that are enough: their error is far smaller than the model's.
const MOST: u32 = 4000;
/// The usual spread of what comes of a game.
const SPREAD: f32 = 0.25;

/// How games are played on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ahead<'a> {
    /// The model.
    pub weights: &'a Weights,
    /// What is believed of the others.
    pub belief: &'a Belief,
    /// How both sides choose.
    pub choice: Choice,
    /// Own steps of a game, after the first, before the model says how it stands.
    pub length: u32,
    /// What the model says at sight counts as much as so many games.
    pub trust: f32,
}

/// A game in the head, in the own view: what is seen, and what is thought to be blue of the others.
#[derive(Clone, Copy)]
struct World {
    view: View,
    blue: Bitboard,
}

/// How a game went that ended.
type Ended = bool;

impl World {
    /// An own step; says whether that ended the game, and how.
    fn step(&mut self, from: Square, to: Square) -> Option<Ended> {
        let captured = self.view.others.has(to);
        self.view = self.view.stepped(from, to);
        if captured {
            if self.blue.has(to) {
                self.view.others_blue -= 1;
                self.blue = self.blue.without(to.bit());
            }
            if self.view.others_blue == 0 {
                return Some(true);
            }
            if self.view.others_red() == 0 {
                return Some(false);
            }
        }
        None
    }

    /// The same game as the others see it.
    fn turned(&self) -> World {
        World { view: self.view.turned(self.blue), blue: turned(self.view.blue) }
    }
}

/// What came of the games after a step.
#[derive(Clone, Copy, Debug)]
struct Tally {
    sum: f32,
    games: f32,
}

impl Tally {
    fn mean(&self) -> f32 {
        self.sum / self.games
    }
}

impl Ahead<'_> {
    /// Plays on after each of the steps until the deadline, but at least `least` games each; half of
    /// them, the worse ones, fall out again and again, and it ends early when one is far ahead. Then
    /// the steps are worth what came of it, and the best is first.
    pub fn refine(
        &self,
        view: &View,
        candidates: &mut [Step],
        least: u32,
        deadline: Instant,
        chance: &mut impl Rng,
    ) {
        candidates.sort_by(|one, other| other.worth.total_cmp(&one.worth));
        let begun = Instant::now();
        let time = deadline.saturating_duration_since(begun);
        let at_sight =
            |step: &Step| Tally { sum: self.trust * squeezed(step.worth), games: self.trust };
        let mut tallies: Vec<Tally> = candidates.iter().map(at_sight).collect();
        let rounds = candidates.len().next_power_of_two().trailing_zeros().max(1);
        let mut left = candidates.len();
        for round in 1..=rounds {
            let until = begun + time * round / rounds;
            let mut games = 0;
            while games < least || Instant::now() < until && games < MOST {
                // All steps meet the same colourings.
                let blue = self.belief.draw(chance);
                for (step, tally) in candidates[..left].iter().zip(&mut tallies) {
                    tally.sum += self.play_on(view, blue, step, chance);
                    tally.games += 1.0;
                }
                games += 1;
            }
            sort_by_mean(&mut candidates[..left], &mut tallies[..left]);
            if is_clear(&tallies) {
                break;
            }
            left = left.div_ceil(2);
        }
        for (step, tally) in candidates.iter_mut().zip(&tallies) {
            step.worth = logit(tally.mean());
        }
    }

    /// One game; the chance to win at its end.
    fn play_on(&self, view: &View, blue: Bitboard, step: &Step, chance: &mut impl Rng) -> f32 {
        let mut world = World { view: *view, blue };
        let sure = |won: bool| f32::from(u8::from(won));
        if let Some(won) = world.step(step.from, step.to) {
            return sure(won);
        }
        let mut room = Vec::with_capacity(32);
        for _ in 0..self.length {
            let mut theirs = world.turned();
            if let Some(won) = self.choose(&mut theirs, &mut room, chance) {
                return sure(!won);
            }
            world = theirs.turned();
            if let Some(won) = self.choose(&mut world, &mut room, chance) {
                return sure(won);
            }
        }
        self.weights.chance(&world.view)
    }

    /// The side to move leaves if it can, and else does what the model would.
    fn choose(
        &self,
        world: &mut World,
        room: &mut Vec<Step>,
        chance: &mut impl Rng,
    ) -> Option<Ended> {
        if world.view.can_leave() {
            return Some(true);
        }
        let share = world.view.share_of_blue();
        steps(self.weights, &world.view, |_| share, room);
        // The model has never stood where the others win at once, unless it had to.
        keep_safe(&world.view, room, 1);
        let step = self.choice.draw(room, chance);
        world.step(step.from, step.to)
    }
}

/// Whether the first step is ahead of all others by more than chance explains.
fn is_clear(tallies: &[Tally]) -> bool {
    let [first, second, ..] = tallies else { return true };
    let error = SPREAD * (1.0 / first.games + 1.0 / second.games).sqrt();
    first.mean() - second.mean() > 3.0 * error
}

fn sort_by_mean(candidates: &mut [Step], tallies: &mut [Tally]) {
    let mut both: Vec<(Step, Tally)> =
        candidates.iter().copied().zip(tallies.iter().copied()).collect();
    both.sort_by(|one, other| other.1.mean().total_cmp(&one.1.mean()));
    for (at, (step, tally)) in both.into_iter().enumerate() {
        (candidates[at], tallies[at]) = (step, tally);
    }
}
