//! Learning by playing. The model plays against itself and against a crowd of guests; after every
//! batch of games each value moves towards what came of it (temporal differences, Sutton 1988).
//!
//! The crowd matters more than the number of games: with itself alone the model learned to beat
//! `careful` and lost six games of ten to P5's styles, who capture more than it had ever met.

use crate::self_play::crowd::{Crowd, Guest};
use common::rng::derive_seed;
use games::Seat;
use games::geister::{Bitboard, Game, Placement, Square, Standard};
use players::learned::view::{View, turned};
use players::learned::weights::{Ghosts, Weights, squeezed};
use players::random::any_placement;
use rand::seq::IteratorRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// Games between two lessons.
const BATCH: u64 = 1000;
/// Former selves that are kept, spread over all games.
const FORMER: u64 = 20;
/// How far a value moves towards its aim, at first and at last.
const RATE: (f32, f32) = (0.01, 0.001);
/// How much of the aim comes from later values instead of the next one.
const LAMBDA: f32 = 0.8;
/// What a draw is worth. Less than half, for two who fear the worst would never end.
const DRAW: f32 = 0.25;
/// How often those who guess the others' colours guess right, all of them.
const INSIGHT: f64 = 0.5;
/// Plies after which a game is drawn.
const LIMIT: u32 = 200;

/// What to learn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// Games in all, in whole batches.
    pub games: u64,
    /// Of all chance.
    pub seed: u64,
}

/// How learning goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Games so far.
    pub games: u64,
    /// The mean square of what the model was wrong by in the last batch.
    pub error: f32,
    /// The share of drawn games in it.
    pub draws: f32,
}

/// Both sides' ghosts, each in its own view.
#[derive(Clone, Copy)]
struct World {
    armies: [(Bitboard, Bitboard); 2],
    /// Which ghosts of each side, in its own view, the other takes for red: as many as there are.
    taken: [Bitboard; 2],
}

impl World {
    fn any(rng: &mut impl Rng) -> World {
        let [bottom, top]: [Placement<Standard>; 2] = [0, 1].map(|_| any_placement(rng));
        let game = Game::new(bottom, top, LIMIT);
        let views = [Seat::First, Seat::Second].map(|side| View::new(&game.observe(side)));
        let armies = views.map(|view| (view.blue, view.red));
        let mut world = World { armies, taken: armies.map(|(_, red)| red) };
        for side in 0..2 {
            if !rng.random_bool(INSIGHT) {
                world.taken[side] = Bitboard::EMPTY;
                world.guess(side, rng);
            }
        }
        world
    }

    /// Thinks again about the colours of a side if there are more or fewer reds than guessed.
    fn guess(&mut self, side: usize, rng: &mut impl Rng) {
        let (blue, red) = self.armies[side];
        let mut taken = self.taken[side] & (blue | red);
        while taken.count() > red.count() {
            let Some(one) = taken.choose(rng) else { break };
            taken = taken.without(one.bit());
        }
        while taken.count() < red.count() {
            let Some(one) = (blue | red).without(taken).choose(rng) else { break };
            taken |= one.bit();
        }
        self.taken[side] = taken;
    }

    fn view(&self, side: usize) -> View {
        let (own, others) = (self.armies[side], self.armies[1 - side]);
        View {
            blue: own.0,
            red: own.1,
            others: turned(others.0 | others.1),
            others_blue: others.0.count(),
        }
    }

    /// A step of a side; says who won by it.
    fn step(&mut self, side: usize, from: Square, to: Square) -> Option<usize> {
        let after = self.view(side).stepped(from, to);
        self.armies[side] = (after.blue, after.red);
        if self.taken[side].has(from) {
            self.taken[side] = self.taken[side].without(from.bit()) | to.bit();
        }
        let others = &mut self.armies[1 - side];
        let hit = turned(to.bit());
        *others = (others.0.without(hit), others.1.without(hit));
        match (others.0.is_empty(), others.1.is_empty()) {
            (true, _) => Some(side),
            (_, true) => Some(1 - side),
            _ => None,
        }
    }
}

/// What a side went through, and what that was worth in the end.
struct Story {
    seen: Vec<Ghosts>,
    result: f32,
}

fn play(guests: [Guest; 2], crowd: &mut Crowd<'_>, rng: &mut impl Rng) -> [Story; 2] {
    let mut world = World::any(rng);
    let mut seen = [Vec::new(), Vec::new()];
    let mut winner = None;
    for ply in 0..LIMIT {
        let side = (ply % 2) as usize;
        let view = world.view(side);
        if view.can_leave() {
            winner = Some(side);
            break;
        }
        let reds = turned(world.taken[1 - side]);
        let (from, to) = crowd.choose(guests[side], &view, reds, rng);
        winner = world.step(side, from, to);
        if winner.is_some() {
            break;
        }
        world.guess(1 - side, rng);
        seen[side].push(Ghosts::of(&world.view(side)));
    }
    let result = |side| winner.map_or(DRAW, |won: usize| f32::from(u8::from(won == side)));
    let [one, other] = seen;
    [Story { seen: one, result: result(0) }, Story { seen: other, result: result(1) }]
}

/// One game by its number: what the model went through in it, once or twice, and whether it was drawn.
fn game(number: u64, seed: u64, model: &Weights, former: &[Weights]) -> (Vec<Story>, bool) {
    let mut rng = ChaCha8Rng::seed_from_u64(derive_seed(seed, number));
    let former = &former[rng.random_range(0..former.len())];
    let mut guests = [Guest::Model, Guest::any(&mut rng)];
    if rng.random_bool(0.5) {
        guests.swap(0, 1);
    }
    let stories = play(guests, &mut Crowd::new(model, former), &mut rng);
    let drawn = stories[0].result == stories[1].result;
    let own = stories.into_iter().zip(guests).filter(|(_, guest)| matches!(guest, Guest::Model));
    (own.map(|(story, _)| story).collect(), drawn)
}

/// Moves the values of a story towards their aims; gives the sum of squares they were wrong by.
fn take_in(weights: &mut Weights, story: &Story, rate: f32) -> f32 {
    let values: Vec<f32> = story.seen.iter().map(|seen| squeezed(weights.sum(seen))).collect();
    let mut aim = story.result;
    let mut wrong = 0.0;
    for (seen, value) in story.seen.iter().zip(&values).rev() {
        wrong += (story.result - value).powi(2);
        weights.nudge(seen, rate * (aim - value));
        aim = LAMBDA * aim + (1.0 - LAMBDA) * value;
    }
    wrong
}

/// Somebody who learns, batch by batch. The same lesson gives the same weights on any number of
/// threads, and after any number of pauses.
#[derive(Clone, Debug, PartialEq)]
pub struct Learner {
    pub(super) lesson: Lesson,
    pub(super) batch: u64,
    pub(super) weights: Weights,
    /// Former selves.
    pub(super) former: Vec<Weights>,
}

impl Learner {
    /// Who knows nothing yet.
    pub fn new(lesson: Lesson) -> Learner {
        let weights = Weights::default();
        Learner { lesson, batch: 0, former: vec![weights.clone()], weights }
    }

    /// What there is to learn from.
    pub fn lesson(&self) -> Lesson {
        self.lesson
    }

    /// Games so far.
    pub fn games(&self) -> u64 {
        self.batch * BATCH
    }

    /// What was learned so far.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Plays a batch of games and learns from them; `None` if the lesson is over.
    pub fn go_on(&mut self) -> Option<Progress> {
        let batches = self.lesson.games.div_ceil(BATCH);
        if self.batch >= batches {
            return None;
        }
        let numbers = (self.batch * BATCH..(self.batch + 1) * BATCH).into_par_iter();
        let stories: Vec<(Vec<Story>, bool)> = numbers
            .map(|number| game(number, self.lesson.seed, &self.weights, &self.former))
            .collect();
        let done = self.batch as f32 / batches as f32;
        let rate = RATE.0 * (RATE.1 / RATE.0).powf(done);
        let (mut wrong, mut seen, mut draws) = (0.0, 0, 0);
        for (stories, drawn) in &stories {
            draws += u32::from(*drawn);
            for story in stories {
                wrong += take_in(&mut self.weights, story, rate);
                seen += story.seen.len();
            }
        }
        if self.batch * FORMER / batches != (self.batch + 1) * FORMER / batches {
            self.former.push(self.weights.clone());
        }
        self.batch += 1;
        let error = wrong / seen.max(1) as f32;
        Some(Progress { games: self.games(), error, draws: draws as f32 / BATCH as f32 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learned(lesson: Lesson, batches: u32) -> Learner {
        let mut learner = Learner::new(lesson);
        for _ in 0..batches {
            learner.go_on();
        }
        learner
    }

    #[test]
    fn learning_repeats_on_any_number_of_threads() {
        let lesson = Lesson { games: 1000, seed: 5 };
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let mut alone = one.install(|| learned(lesson, 1));
        assert_eq!(alone, learned(lesson, 1));
        assert_ne!(alone, learned(Lesson { seed: 6, ..lesson }, 1));
        assert_eq!(alone.go_on(), None, "the lesson is over");
    }

    #[test]
    fn a_pause_changes_nothing() {
        let lesson = Lesson { games: 3000, seed: 5 };
        let mut paused = Learner::from_bytes(&learned(lesson, 2).to_bytes()).unwrap();
        paused.go_on();
        assert_eq!(paused, learned(lesson, 3));
    }

    #[test]
    fn who_has_learned_beats_who_has_not() {
        let learner = learned(Lesson { games: 100_000, seed: 1 }, 5);
        let nothing = Weights::default();
        let former = Guest::Former { temperature: 0.3, eager: 0.0, run: [0.0; 2], sure: false };
        let guests = [Guest::Model, former];
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut crowd = Crowd::new(learner.weights(), &nothing);
        // Draws count for neither.
        let mut wins = [0; 2];
        for _ in 0..300 {
            let stories = play(guests, &mut crowd, &mut rng);
            for (wins, story) in wins.iter_mut().zip(stories) {
                *wins += u32::from(story.result == 1.0);
            }
        }
        assert!(wins[0] > 2 * wins[1], "{wins:?}");
    }
}
