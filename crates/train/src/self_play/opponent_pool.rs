//! The opponent pool of the training: the model itself, past checkpoints with and without bonuses
//! for captures or for advancing one colour, rushers, worst-case searchers with random evaluation
//! weights, and opponents that guess colours and trust their guess.
//!
//! The model and its past checkpoints avoid forced losses, as all good opponents do: without that it
//! learned runs that only work against careless play. And without opponents that often guess colours
//! correctly, it learned to give away three reds and to feel safe with the last one, because nobody
//! dared to capture it.

use games::geister::{Bitboard, Move, Square, Standard};
use geister::board::turned_square;
use geister::state::State;
use players::learned::scored_steps::{ScoredStep, SoftmaxChoice, keep_safe, score_steps};
use players::learned::weights::Weights;
use players::purple::{Purple, Search};
use players::rush::{step_score, steps_to_exit};
use rand::Rng;
use rand::seq::IndexedRandom;
use search::{Evaluate, Limits};

/// The exploration of the model during training.
const TRAINING_CHOICE: SoftmaxChoice = SoftmaxChoice { temperature: 0.3, epsilon: 0.0 };

/// The search depth for forced losses.
const SAFETY_DEPTH_PLIES: u32 = 3;
/// The probability that a past checkpoint searches for forced losses.
const SAFETY_CHECK_PROBABILITY: f64 = 0.9;
/// The probability that a worst-case searcher values material instead of offering it.
const MATERIAL_WEIGHTS_PROBABILITY: f64 = 0.3;
/// More reds than exist: the search then fears no capture.
const UNLIMITED_REDS: u32 = 9;
/// Bytes of the transposition table of a worst-case search: 512 entries.
const TABLE_BYTES: usize = 24 << 9;

/// A player of a training game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PoolOpponent {
    /// The current model, without moves that lose by force. It is the one being trained.
    Model,
    /// The model with the weights of a past checkpoint.
    PastCheckpoint {
        /// The softmax temperature.
        temperature: f32,
        /// Added to the value of captures.
        capture_bonus: f32,
        /// Added for each step towards an exit, of blues and of reds.
        advance_bonus: [f32; 2],
        /// Whether it treats its guess of the colours as the truth.
        trusts_guess: bool,
    },
    /// Runs its blues to the exits.
    Rush,
    /// Plays random moves.
    Random,
    /// A worst-case search of this depth in plies.
    WorstCase(u32, EvaluationWeights),
    /// The same search, but it does not fear reds: it captures every ghost it does not guess to be
    /// red.
    ColourGuesser(u32, EvaluationWeights),
}

impl PoolOpponent {
    /// A random opponent.
    pub(super) fn any(rng: &mut impl Rng) -> PoolOpponent {
        let past_weights = |temperature, capture_bonus, advance_bonus, trusts_guess| {
            PoolOpponent::PastCheckpoint { temperature, capture_bonus, advance_bonus, trusts_guess }
        };
        match rng.random_range(0..180) {
            0..24 => PoolOpponent::Model,
            24..40 => past_weights(0.3, 0.0, [0.0; 2], false),
            40..44 => past_weights(1.0, 0.0, [0.0; 2], false),
            44..53 => past_weights(0.2, rng.random_range(-4.0..5.0), [0.0; 2], false),
            53..62 => {
                past_weights(0.3, rng.random_range(-1.0..2.0), random_advance_bonus(rng), false)
            }
            62..67 => PoolOpponent::Rush,
            67..68 => PoolOpponent::Random,
            68..100 => {
                let depth = *[1, 2, 2, 2, 3].choose(rng).unwrap_or(&2);
                PoolOpponent::WorstCase(depth, EvaluationWeights::any(rng))
            }
            100..120 => {
                let capture_bonus = rng.random_range(-0.5..1.5);
                let advance_bonus =
                    if rng.random_bool(0.5) { [0.0; 2] } else { random_advance_bonus(rng) };
                past_weights(0.3, capture_bonus, advance_bonus, true)
            }
            _ => {
                let depth = *[1, 2, 2, 3, 3].choose(rng).unwrap_or(&2);
                PoolOpponent::ColourGuesser(depth, EvaluationWeights::for_material(rng))
            }
        }
    }
}

/// Random bonuses for advancing blues and reds, possibly negative.
fn random_advance_bonus(rng: &mut impl Rng) -> [f32; 2] {
    [rng.random_range(-0.5..0.7), rng.random_range(-0.3..1.2)]
}

/// The evaluation weights of a worst-case search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EvaluationWeights {
    /// For each own blue.
    blue: i32,
    /// For each own red; negative for players that offer reds.
    red: i32,
    /// For each ghost of the opponent.
    other: i32,
    /// For each step of any own ghost towards an exit.
    advance: i32,
    /// For the nearest own blue, minus the same for the opponent's nearest ghost.
    near: i32,
    /// For each step that an opponent's ghost is away from an exit.
    hold: i32,
}

impl EvaluationWeights {
    fn any(rng: &mut impl Rng) -> EvaluationWeights {
        if rng.random_bool(MATERIAL_WEIGHTS_PROBABILITY) {
            return EvaluationWeights::for_material(rng);
        }
        EvaluationWeights {
            blue: rng.random_range(60..200),
            red: rng.random_range(-120..40),
            other: rng.random_range(-30..20),
            advance: rng.random_range(0..8),
            near: rng.random_range(0..2),
            hold: rng.random_range(0..4),
        }
    }

    /// Weights that value ghosts of both colours, and captures.
    fn for_material(rng: &mut impl Rng) -> EvaluationWeights {
        let blue = rng.random_range(60..200);
        EvaluationWeights {
            blue,
            red: blue * rng.random_range(40..120) / 100,
            other: -blue * rng.random_range(40..120) / 100,
            advance: rng.random_range(1..15),
            near: rng.random_range(0..2),
            hold: rng.random_range(0..10),
        }
    }
}

/// The value of a ghost by its distance to an exit in steps.
const NEAR: [i32; 12] = [90, 60, 38, 24, 14, 8, 4, 2, 0, 0, 0, 0];

impl Evaluate<Purple> for EvaluationWeights {
    fn evaluate(&self, position: &Purple) -> i32 {
        let steps = |square| steps_to_exit::<Standard>(square) as i32;
        let turned = |square| steps(turned_square(square));
        let State { blue, red, hidden, .. } = position.state;
        let nearest = |steps: Option<i32>| steps.map_or(0, |steps| NEAR[steps as usize]);
        let race = nearest(blue.map(steps).min()) - nearest(hidden.map(turned).min());
        let prey = [-500, -90, -30, 0, 0][position.hidden_red.min(4) as usize];
        self.blue * blue.count() as i32
            + self.red * red.count() as i32
            + self.other * hidden.count() as i32
            - self.advance * (blue | red).map(steps).sum::<i32>()
            + self.hold * hidden.map(turned).sum::<i32>()
            + self.near * race
            + prey
    }
}

/// The players of one training game.
pub(super) struct OpponentPool<'a> {
    model: &'a Weights,
    past_weights: &'a Weights,
    steps_buffer: Vec<ScoredStep>,
}

impl<'a> OpponentPool<'a> {
    pub(super) fn new(model: &'a Weights, past_weights: &'a Weights) -> OpponentPool<'a> {
        OpponentPool { model, past_weights, steps_buffer: Vec::with_capacity(32) }
    }

    /// The step of a player that sees this state and cannot leave; `reds` are the opponent's ghosts that
    /// it guesses to be red.
    pub(super) fn choose(
        &mut self,
        opponent: PoolOpponent,
        state: &State,
        reds: Bitboard,
        rng: &mut impl Rng,
    ) -> (Square, Square) {
        let share = state.share_of_blue();
        let steps_buffer = &mut self.steps_buffer;
        let weights = if matches!(opponent, PoolOpponent::PastCheckpoint { .. }) {
            self.past_weights
        } else {
            self.model
        };
        let trusts_guess =
            matches!(opponent, PoolOpponent::PastCheckpoint { trusts_guess: true, .. });
        let guessed = |at| f32::from(u8::from(!reds.has(at)));
        score_steps(
            weights,
            state,
            |at| if trusts_guess { guessed(at) } else { share },
            steps_buffer,
        );
        let step = match opponent {
            PoolOpponent::Model => {
                keep_safe(state, steps_buffer, SAFETY_DEPTH_PLIES);
                TRAINING_CHOICE.draw(steps_buffer, rng)
            }
            PoolOpponent::PastCheckpoint { temperature, capture_bonus, advance_bonus, .. } => {
                for step in steps_buffer.iter_mut() {
                    let colour = usize::from(state.red.has(step.from));
                    step.score += advance_bonus[colour] * step.nearer();
                }
                if rng.random_bool(SAFETY_CHECK_PROBABILITY) {
                    keep_safe(state, steps_buffer, SAFETY_DEPTH_PLIES);
                }
                for step in steps_buffer.iter_mut().filter(|step| state.hidden.has(step.to)) {
                    step.score += capture_bonus;
                }
                SoftmaxChoice { temperature, epsilon: 0.0 }.draw(steps_buffer, rng)
            }
            PoolOpponent::Random => {
                SoftmaxChoice { temperature: 1.0, epsilon: 1.0 }.draw(steps_buffer, rng)
            }
            PoolOpponent::Rush => {
                for step in steps_buffer.iter_mut() {
                    step.score =
                        step_score::<Standard>(state.blue, state.hidden, step.from, step.to) as f32;
                }
                SoftmaxChoice { temperature: 0.01, epsilon: 0.0 }.draw(steps_buffer, rng)
            }
            PoolOpponent::WorstCase(depth, weights) => {
                let moves: Vec<Move> = steps_buffer.iter().map(ScoredStep::as_move).collect();
                return worst_case_move(&Purple::new(*state, true), &moves, depth, weights, rng);
            }
            PoolOpponent::ColourGuesser(depth, weights) => {
                if steps_buffer.iter().any(|step| !reds.has(step.to)) {
                    steps_buffer.retain(|step| !reds.has(step.to));
                }
                let moves: Vec<Move> = steps_buffer.iter().map(ScoredStep::as_move).collect();
                let ignoring_reds =
                    Purple { hidden_red: UNLIMITED_REDS, ..Purple::new(*state, true) };
                return worst_case_move(&ignoring_reds, &moves, depth, weights, rng);
            }
        };
        (step.from, step.to)
    }
}

/// The best move of a worst-case search; sometimes a random one of equal value.
fn worst_case_move(
    position: &Purple,
    moves: &[Move],
    depth: u32,
    weights: EvaluationWeights,
    rng: &mut impl Rng,
) -> (Square, Square) {
    let mut search = Search::new(weights, TABLE_BYTES);
    let limits = Limits { depth, ..Limits::default() };
    let found = search.search(position, moves, depth, &limits);
    let best = found.moves[0];
    let equal: Vec<Move> =
        found.moves.iter().filter(|(_, score)| *score == best.1).map(|(mv, _)| *mv).collect();
    let other = rng.random_bool(0.2).then(|| equal.choose(rng).copied()).flatten();
    let mv = other.unwrap_or(best.0);
    (mv.from(), mv.to().unwrap_or(mv.from()))
}
