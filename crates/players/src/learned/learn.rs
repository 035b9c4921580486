//! Learning by playing. The model plays against itself and against a crowd of guests; after every
//! batch of games each value moves towards what came of it (temporal differences, Sutton 1988).
//!
//! The crowd matters more than the number of games: with itself alone the model learned to beat
//! `careful` and lost six games of ten to P5's styles, who capture more than it had ever met. So
//! there are guests who love captures and guests who avoid them, former selves, runners and
//! worriers.

use super::steps::{Choice, Step, steps};
use super::view::{View, turned};
use super::weights::{Ghosts, Weights, squeezed};
use crate::careful::Plain;
use crate::matches::mixed;
use crate::purple::{End, Search};
use crate::random::any_placement;
use games::geister::{Bitboard, Game, Move, Placement, Side, Square, Standard};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::time::Instant;

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
/// Plies after which a game is drawn.
const LIMIT: u32 = 200;
/// How the model chooses while it learns.
const CURIOUS: Choice = Choice { temperature: 0.3, whim: 0.0 };

/// What to learn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// Games in all, in whole batches.
    pub games: u64,
    /// Of all chance.
    pub seed: u64,
}

/// Who plays.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Guest {
    /// The model as it is, without moves after which the others could leave at once. It learns.
    Model,
    /// A former self.
    Former {
        /// How it chooses.
        temperature: f32,
        /// What it adds to the worth of captures.
        eager: f32,
    },
    /// Runs its blues for the exits.
    Rush,
    /// Anything.
    Random,
    /// Fears the worst, so many plies deep.
    Careful(u32),
}

/// Who comes how often.
const CROWD: [(Guest, f32); 10] = [
    (Guest::Model, 0.30),
    (Guest::Former { temperature: 0.3, eager: 0.0 }, 0.20),
    (Guest::Former { temperature: 1.0, eager: 0.0 }, 0.04),
    (Guest::Former { temperature: 0.2, eager: 1.5 }, 0.08),
    (Guest::Former { temperature: 0.2, eager: 4.0 }, 0.08),
    (Guest::Former { temperature: 0.2, eager: -3.0 }, 0.08),
    (Guest::Rush, 0.08),
    (Guest::Random, 0.01),
    (Guest::Careful(1), 0.08),
    (Guest::Careful(2), 0.32),
];

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

/// What a game is played with.
struct Table<'a> {
    model: &'a Weights,
    former: &'a Weights,
    worrier: &'a mut Search<Plain>,
    room: Vec<Step>,
}

impl Table<'_> {
    fn choose(&mut self, guest: Guest, view: &View, chance: &mut impl Rng) -> (Square, Square) {
        let share = view.share_of_blue();
        let room = &mut self.room;
        let step = match guest {
            Guest::Model => {
                steps(self.model, view, |_| share, room);
                keep_safe(view, room);
                CURIOUS.draw(room, chance)
            }
            Guest::Former { temperature, eager } => {
                steps(self.former, view, |_| share, room);
                for step in room.iter_mut().filter(|step| view.others.has(step.to)) {
                    step.worth += eager;
                }
                Choice { temperature, whim: 0.0 }.draw(room, chance)
            }
            Guest::Random => {
                steps(self.model, view, |_| share, room);
                Choice { temperature: 1.0, whim: 1.0 }.draw(room, chance)
            }
            Guest::Rush => {
                steps(self.model, view, |_| share, room);
                for step in room.iter_mut() {
                    step.worth = run(view, step);
                }
                Choice { temperature: 0.01, whim: 0.0 }.draw(room, chance)
            }
            Guest::Careful(depth) => {
                steps(self.model, view, |_| share, room);
                let moves: Vec<Move> = room.iter().map(Step::as_move).collect();
                return worry(self.worrier, view, &moves, depth, chance);
            }
        };
        (step.from, step.to)
    }
}

/// Drops the steps after which the others could win at once at the worst, unless all are such.
fn keep_safe(view: &View, steps: &mut Vec<Step>) {
    let now = view.at_worst();
    let safe = |step: &Step| match now.step(step.from, step.to) {
        Err(end) => end == End::Won,
        Ok(after) => !after.is_lost_within(1),
    };
    if steps.iter().any(safe) {
        steps.retain(safe);
    }
}

/// How a runner likes a step.
fn run(view: &View, step: &Step) -> f32 {
    crate::rush::liking::<Standard>(view.blue, view.others, step.from, step.to) as f32
}

/// The best at the worst; now and then another that looked as good.
fn worry(
    search: &mut Search<Plain>,
    view: &View,
    moves: &[Move],
    depth: u32,
    chance: &mut impl Rng,
) -> (Square, Square) {
    let found = search.search(&view.at_worst(), moves, depth, depth, Instant::now());
    let best = found.moves[0];
    let equal: Vec<Move> =
        found.moves.iter().filter(|(_, value)| *value == best.1).map(|(mv, _)| *mv).collect();
    let other = chance.random_bool(0.2).then(|| equal.choose(chance).copied()).flatten();
    let mv = other.unwrap_or(best.0);
    (mv.from(), mv.to().unwrap_or(mv.from()))
}

/// Both sides' ghosts, each in its own view.
#[derive(Clone, Copy)]
struct World {
    armies: [(Bitboard, Bitboard); 2],
}

impl World {
    fn any(chance: &mut impl Rng) -> World {
        let [bottom, top]: [Placement<Standard>; 2] = [0, 1].map(|_| any_placement(chance));
        let game = Game::new(bottom, top, LIMIT);
        let views = [Side::Bottom, Side::Top].map(|side| View::new(&game.observe(side)));
        World { armies: views.map(|view| (view.blue, view.red)) }
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

fn play(guests: [Guest; 2], table: &mut Table<'_>, chance: &mut impl Rng) -> [Story; 2] {
    let mut world = World::any(chance);
    let mut seen = [Vec::new(), Vec::new()];
    let mut winner = None;
    for ply in 0..LIMIT {
        let side = (ply % 2) as usize;
        let view = world.view(side);
        if view.can_leave() {
            winner = Some(side);
            break;
        }
        let (from, to) = table.choose(guests[side], &view, chance);
        winner = world.step(side, from, to);
        if winner.is_some() {
            break;
        }
        seen[side].push(Ghosts::of(&world.view(side)));
    }
    let result = |side| winner.map_or(DRAW, |won: usize| f32::from(u8::from(won == side)));
    let [one, other] = seen;
    [Story { seen: one, result: result(0) }, Story { seen: other, result: result(1) }]
}

/// One game by its number: what the model went through in it, once or twice, and whether it was drawn.
fn game(
    number: u64,
    seed: u64,
    model: &Weights,
    former: &[Weights],
    worrier: &mut Search<Plain>,
) -> (Vec<Story>, bool) {
    let mut chance = ChaCha8Rng::seed_from_u64(mixed(seed, number));
    let former = &former[chance.random_range(0..former.len())];
    let mut guests = [Guest::Model, any_guest(&mut chance)];
    if chance.random_bool(0.5) {
        guests.swap(0, 1);
    }
    let mut table = Table { model, former, worrier, room: Vec::with_capacity(32) };
    let stories = play(guests, &mut table, &mut chance);
    let drawn = stories[0].result == stories[1].result;
    let own = stories.into_iter().zip(guests).filter(|(_, guest)| *guest == Guest::Model);
    (own.map(|(story, _)| story).collect(), drawn)
}

fn any_guest(chance: &mut impl Rng) -> Guest {
    let all: f32 = CROWD.iter().map(|(_, share)| share).sum();
    let mut left = chance.random::<f32>() * all;
    let found = CROWD.iter().find(|(_, share)| {
        left -= share;
        left <= 0.0
    });
    found.map_or(Guest::Model, |(guest, _)| *guest)
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

/// Learns from nothing. The same lesson gives the same weights on any number of threads. `told` is
/// told after every batch, and says whether to go on.
pub fn learn(lesson: &Lesson, mut told: impl FnMut(&Progress) -> bool) -> Weights {
    let mut weights = Weights::default();
    let mut former = vec![weights.clone()];
    let batches = lesson.games.div_ceil(BATCH);
    for batch in 0..batches {
        let stories: Vec<(Vec<Story>, bool)> = (batch * BATCH..(batch + 1) * BATCH)
            .into_par_iter()
            .map_init(
                || Search::with_entries(Plain, 1 << 12),
                |worrier, number| game(number, lesson.seed, &weights, &former, worrier),
            )
            .collect();
        let rate = RATE.0 * (RATE.1 / RATE.0).powf(batch as f32 / batches as f32);
        let (mut wrong, mut seen, mut draws) = (0.0, 0, 0);
        for (stories, drawn) in &stories {
            draws += u32::from(*drawn);
            for story in stories {
                wrong += take_in(&mut weights, story, rate);
                seen += story.seen.len();
            }
        }
        if batch * FORMER / batches != (batch + 1) * FORMER / batches {
            former.push(weights.clone());
        }
        let error = wrong / seen.max(1) as f32;
        let draws = draws as f32 / BATCH as f32;
        if !told(&Progress { games: (batch + 1) * BATCH, error, draws }) {
            break;
        }
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn learning_repeats_on_any_number_of_threads() {
        let lesson = Lesson { games: 1000, seed: 5 };
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let alone = one.install(|| learn(&lesson, |_| true));
        assert_eq!(alone, learn(&lesson, |_| true));
        assert_ne!(alone, learn(&Lesson { seed: 6, ..lesson }, |_| true));
    }

    #[test]
    fn it_is_wrong_less_and_less_and_can_be_stopped() {
        let mut errors = Vec::new();
        learn(&Lesson { games: 100_000, seed: 1 }, |progress| {
            errors.push(progress.error);
            errors.len() < 6
        });
        assert_eq!(errors.len(), 6);
        assert!(errors[5] < errors[0], "{errors:?}");
    }
}
