//! Whom the model meets while it learns: itself, former selves with and without a taste for captures
//! or for running with one colour, runners, worriers of many tastes, and some who guess colours and
//! believe in their guess.
//!
//! The model and its former selves look out for sure losses, as all good opponents do: without that
//! it learned to run where only somebody careless lets it through. And without those who guess, and
//! often guess right, it learned to give three reds away and to feel safe with the last one, for
//! nobody dared to capture any more.

use games::geister::{Bitboard, Board, Move, Square, Standard};
use players::learned::steps::{Choice, Step, keep_safe, steps};
use players::learned::view::View;
use players::learned::weights::Weights;
use players::purple::{Evaluate, Purple, Search, Value};
use players::rush::{liking, steps_to_exit};
use rand::Rng;
use rand::seq::IndexedRandom;
use std::time::Instant;

/// How the model chooses while it learns.
const CURIOUS: Choice = Choice { temperature: 0.3, whim: 0.0 };

/// Sure losses are looked for so many plies ahead.
const SAFE: u32 = 3;
/// How often a former self does so.
const ALERT: f64 = 0.9;
/// How often a worrier would rather have ghosts than offer them.
const HUNGRY: f64 = 0.3;
/// More reds than there are: with so many, no capture is feared.
const FEARLESS: u32 = 9;

/// Who plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Guest {
    /// The model as it is, without moves that lose for sure. It learns.
    Model,
    /// A former self.
    Former {
        /// How it chooses.
        temperature: f32,
        /// What it adds to the worth of captures.
        eager: f32,
        /// What it adds for each step towards an exit, of blues and of reds.
        run: [f32; 2],
        /// Whether it takes its guess of the colours for the truth.
        sure: bool,
    },
    /// Runs its blues for the exits.
    Rush,
    /// Anything.
    Random,
    /// Fears the worst, so many plies deep.
    Worrier(u32, Taste),
    /// Fears escapes alike, but no red: it captures whatever it does not take for one.
    Bold(u32, Taste),
}

impl Guest {
    /// One by chance.
    pub(super) fn any(rng: &mut impl Rng) -> Guest {
        let former =
            |temperature, eager, run, sure| Guest::Former { temperature, eager, run, sure };
        match rng.random_range(0..180) {
            0..24 => Guest::Model,
            24..40 => former(0.3, 0.0, [0.0; 2], false),
            40..44 => former(1.0, 0.0, [0.0; 2], false),
            44..53 => former(0.2, rng.random_range(-4.0..5.0), [0.0; 2], false),
            53..62 => former(0.3, rng.random_range(-1.0..2.0), any_run(rng), false),
            62..67 => Guest::Rush,
            67..68 => Guest::Random,
            68..100 => {
                let depth = *[1, 2, 2, 2, 3].choose(rng).unwrap_or(&2);
                Guest::Worrier(depth, Taste::any(rng))
            }
            100..120 => {
                let eager = rng.random_range(-0.5..1.5);
                let run = if rng.random_bool(0.5) { [0.0; 2] } else { any_run(rng) };
                former(0.3, eager, run, true)
            }
            _ => {
                let depth = *[1, 2, 2, 3, 3].choose(rng).unwrap_or(&2);
                Guest::Bold(depth, Taste::hungry(rng))
            }
        }
    }
}

/// What somebody likes who runs with blues or reds, or would rather not.
fn any_run(rng: &mut impl Rng) -> [f32; 2] {
    [rng.random_range(-0.5..0.7), rng.random_range(-0.3..1.2)]
}

/// What a worrier likes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Taste {
    /// For each own blue.
    blue: Value,
    /// For each own red; those who offer reds have less than nothing here.
    red: Value,
    /// For each ghost of the others.
    other: Value,
    /// For each step of any own ghost towards an exit.
    advance: Value,
    /// For the nearest blue; the same against the nearest of the others.
    near: Value,
    /// Against each step of any other towards an exit.
    hold: Value,
}

impl Taste {
    fn any(rng: &mut impl Rng) -> Taste {
        if rng.random_bool(HUNGRY) {
            return Taste::hungry(rng);
        }
        Taste {
            blue: rng.random_range(60..200),
            red: rng.random_range(-120..40),
            other: rng.random_range(-30..20),
            advance: rng.random_range(0..8),
            near: rng.random_range(0..2),
            hold: rng.random_range(0..4),
        }
    }

    /// For ghosts of any colour alike, and for captures.
    fn hungry(rng: &mut impl Rng) -> Taste {
        let blue = rng.random_range(60..200);
        Taste {
            blue,
            red: blue * rng.random_range(40..120) / 100,
            other: -blue * rng.random_range(40..120) / 100,
            advance: rng.random_range(1..15),
            near: rng.random_range(0..2),
            hold: rng.random_range(0..10),
        }
    }
}

/// What a ghost is worth at so many steps from an exit.
const NEAR: [Value; 12] = [90, 60, 38, 24, 14, 8, 4, 2, 0, 0, 0, 0];

impl Evaluate for Taste {
    fn value(&self, position: &Purple) -> Value {
        let steps = |square| steps_to_exit::<Standard>(square) as Value;
        let turned = |square| steps(Standard::turned(square));
        let Purple { blue, red, others, .. } = *position;
        let nearest = |steps: Option<Value>| steps.map_or(0, |steps| NEAR[steps as usize]);
        let race = nearest(blue.map(steps).min()) - nearest(others.map(turned).min());
        let prey = [-500, -90, -30, 0, 0][position.others_red.min(4) as usize];
        self.blue * blue.count() as Value
            + self.red * red.count() as Value
            + self.other * others.count() as Value
            - self.advance * (blue | red).map(steps).sum::<Value>()
            + self.hold * others.map(turned).sum::<Value>()
            + self.near * race
            + prey
    }
}

/// Those who play one game.
pub(super) struct Crowd<'a> {
    model: &'a Weights,
    former: &'a Weights,
    room: Vec<Step>,
}

impl<'a> Crowd<'a> {
    pub(super) fn new(model: &'a Weights, former: &'a Weights) -> Crowd<'a> {
        Crowd { model, former, room: Vec::with_capacity(32) }
    }

    /// The step of a guest who sees this, takes these of the others for red, and cannot leave.
    pub(super) fn choose(
        &mut self,
        guest: Guest,
        view: &View,
        reds: Bitboard,
        rng: &mut impl Rng,
    ) -> (Square, Square) {
        let share = view.share_of_blue();
        let room = &mut self.room;
        let weights = if matches!(guest, Guest::Former { .. }) { self.former } else { self.model };
        let sure = matches!(guest, Guest::Former { sure: true, .. });
        let guessed = |at| f32::from(u8::from(!reds.has(at)));
        steps(weights, view, |at| if sure { guessed(at) } else { share }, room);
        let step = match guest {
            Guest::Model => {
                keep_safe(view, room, SAFE);
                CURIOUS.draw(room, rng)
            }
            Guest::Former { temperature, eager, run, .. } => {
                for step in room.iter_mut() {
                    let colour = usize::from(view.red.has(step.from));
                    step.worth += run[colour] * step.nearer();
                }
                if rng.random_bool(ALERT) {
                    keep_safe(view, room, SAFE);
                }
                for step in room.iter_mut().filter(|step| view.others.has(step.to)) {
                    step.worth += eager;
                }
                Choice { temperature, whim: 0.0 }.draw(room, rng)
            }
            Guest::Random => Choice { temperature: 1.0, whim: 1.0 }.draw(room, rng),
            Guest::Rush => {
                for step in room.iter_mut() {
                    step.worth =
                        liking::<Standard>(view.blue, view.others, step.from, step.to) as f32;
                }
                Choice { temperature: 0.01, whim: 0.0 }.draw(room, rng)
            }
            Guest::Worrier(depth, taste) => {
                let moves: Vec<Move> = room.iter().map(Step::as_move).collect();
                return worry(&view.at_worst(), &moves, depth, taste, rng);
            }
            Guest::Bold(depth, taste) => {
                if room.iter().any(|step| !reds.has(step.to)) {
                    room.retain(|step| !reds.has(step.to));
                }
                let moves: Vec<Move> = room.iter().map(Step::as_move).collect();
                let fearless = Purple { others_red: FEARLESS, ..view.at_worst() };
                return worry(&fearless, &moves, depth, taste, rng);
            }
        };
        (step.from, step.to)
    }
}

/// The best at the worst; now and then another that looked as good.
fn worry(
    position: &Purple,
    moves: &[Move],
    depth: u32,
    taste: Taste,
    rng: &mut impl Rng,
) -> (Square, Square) {
    let mut search = Search::with_entries(taste, 1 << 9);
    let found = search.search(position, moves, depth, depth, Instant::now());
    let best = found.moves[0];
    let equal: Vec<Move> =
        found.moves.iter().filter(|(_, value)| *value == best.1).map(|(mv, _)| *mv).collect();
    let other = rng.random_bool(0.2).then(|| equal.choose(rng).copied()).flatten();
    let mv = other.unwrap_or(best.0);
    (mv.from(), mv.to().unwrap_or(mv.from()))
}
