//! Reinforcement learning by self-play: TD(lambda) (temporal differences, Sutton 1988). The model
//! plays against itself and an opponent pool; after every batch of games its values are updated
//! towards their targets.
//!
//! The opponent pool matters more than the number of games: with pure self-play the model learned
//! to beat `careful` and lost six games of ten to P5's styles, which capture more.

use crate::self_play::opponent_pool::{OpponentPool, PoolOpponent};
use common::rng::derive_seed;
use games::Seat;
use games::geister::{Army, Bitboard, Game, Placement, Square, Standard};
use geister::board::turned;
use geister::state::State;
use players::learned::weights::{Features, Weights, sigmoid};
use players::random::any_placement;
use rand::seq::IteratorRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// Games per batch.
const BATCH_SIZE: u64 = 1000;
/// Past checkpoints in the opponent pool, spread over the whole training.
const PAST_CHECKPOINTS: u64 = 20;
/// The learning rate at the start and at the end; it decays exponentially.
const LEARNING_RATE: (f32, f32) = (0.01, 0.001);
/// The lambda of TD(lambda): the weight of later values in a target.
const LAMBDA: f32 = 0.8;
/// The value of a draw. Less than 1/2, so that two cautious players do not play on forever.
const DRAW_VALUE: f32 = 0.25;
/// The probability that a player that guesses colours guesses all of them correctly.
const PERFECT_GUESS_PROBABILITY: f64 = 0.5;
/// Plies after which a game is drawn.
const MAX_PLIES: u32 = 200;

/// The configuration of a training run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrainingConfig {
    /// The total number of games.
    pub games: u64,
    /// The seed of the random generator.
    pub seed: u64,
}

/// The training progress after a batch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Games so far.
    pub games: u64,
    /// The mean squared error of the predicted results in the last batch.
    pub error: f32,
    /// The fraction of drawn games in it.
    pub draws: f32,
}

/// The state of a training game: both sides' ghosts, each in its own view.
#[derive(Clone, Copy)]
struct GameState {
    armies: [Army; 2],
    /// The ghosts of each side that the opponent guesses to be red, in the owner's view: as many as
    /// there are reds.
    guessed_reds: [Bitboard; 2],
}

impl GameState {
    fn any(rng: &mut impl Rng) -> GameState {
        let [bottom, top]: [Placement; 2] = [0, 1].map(|_| any_placement(rng));
        let game = Game::new(bottom, top, MAX_PLIES);
        let armies = [Seat::First, Seat::Second].map(|side| game.observe(side).own());
        let mut state = GameState { armies, guessed_reds: armies.map(|army| army.red) };
        for side in 0..2 {
            if !rng.random_bool(PERFECT_GUESS_PROBABILITY) {
                state.guessed_reds[side] = Bitboard::EMPTY;
                state.update_guess(side, rng);
            }
        }
        state
    }

    /// Updates the guess of a side's reds at random if their number has changed.
    fn update_guess(&mut self, side: usize, rng: &mut impl Rng) {
        let Army { blue, red } = self.armies[side];
        let mut guessed_reds = self.guessed_reds[side] & (blue | red);
        while guessed_reds.count() > red.count() {
            let Some(one) = guessed_reds.choose(rng) else { break };
            guessed_reds = guessed_reds.without(one.bit());
        }
        while guessed_reds.count() < red.count() {
            let Some(one) = (blue | red).without(guessed_reds).choose(rng) else { break };
            guessed_reds |= one.bit();
        }
        self.guessed_reds[side] = guessed_reds;
    }

    /// What a side sees.
    fn state(&self, side: usize) -> State {
        let (own, opponent) = (self.armies[side], self.armies[1 - side]);
        State::unseen(own, turned(opponent.all()), opponent.blue.count())
    }

    /// Makes a step of a side and returns the winner, if it ends the game.
    fn step(&mut self, side: usize, from: Square, to: Square) -> Option<usize> {
        let after = self.state(side).after_own(from, to);
        self.armies[side] = Army { blue: after.blue, red: after.red };
        if self.guessed_reds[side].has(from) {
            self.guessed_reds[side] = self.guessed_reds[side].without(from.bit()) | to.bit();
        }
        let captured = turned(to.bit());
        let Army { blue, red } = self.armies[1 - side];
        let left = Army { blue: blue.without(captured), red: red.without(captured) };
        self.armies[1 - side] = left;
        // The captures of the first seat decide as those of either side do.
        let winner = left.outcome(Seat::Second)?.winner()?;
        Some(if winner == Seat::First { side } else { 1 - side })
    }
}

/// An episode: the states that a side reached, and its result.
struct Episode {
    seen: Vec<Features>,
    result: f32,
}

fn play(
    players: [PoolOpponent; 2],
    pool: &mut OpponentPool<'_>,
    rng: &mut impl Rng,
) -> [Episode; 2] {
    let mut state = GameState::any(rng);
    let mut seen = [Vec::new(), Vec::new()];
    let mut winner = None;
    for ply in 0..MAX_PLIES {
        let side = (ply % 2) as usize;
        let seen_state = state.state(side);
        if seen_state.can_leave() {
            winner = Some(side);
            break;
        }
        let reds = state.guessed_reds[1 - side].turned::<Standard>();
        let (from, to) = pool.choose(players[side], &seen_state, reds, rng);
        winner = state.step(side, from, to);
        if winner.is_some() {
            break;
        }
        state.update_guess(1 - side, rng);
        seen[side].push(Features::of(&state.state(side)));
    }
    let result = |side| winner.map_or(DRAW_VALUE, |won: usize| f32::from(u8::from(won == side)));
    let [one, other] = seen;
    [Episode { seen: one, result: result(0) }, Episode { seen: other, result: result(1) }]
}

/// Plays game number `number`: the episodes of the model, one or two, and whether it was drawn.
fn game(number: u64, seed: u64, model: &Weights, past_weights: &[Weights]) -> (Vec<Episode>, bool) {
    let mut rng = ChaCha8Rng::seed_from_u64(derive_seed(seed, number));
    let past_weights = &past_weights[rng.random_range(0..past_weights.len())];
    let mut players = [PoolOpponent::Model, PoolOpponent::any(&mut rng)];
    if rng.random_bool(0.5) {
        players.swap(0, 1);
    }
    let episodes = play(players, &mut OpponentPool::new(model, past_weights), &mut rng);
    let drawn = episodes[0].result == episodes[1].result;
    let own = episodes
        .into_iter()
        .zip(players)
        .filter(|(_, opponent)| matches!(opponent, PoolOpponent::Model));
    (own.map(|(episode, _)| episode).collect(), drawn)
}

/// A TD(lambda) update with one episode; returns the sum of squared errors.
fn td_update(weights: &mut Weights, episode: &Episode, learning_rate: f32) -> f32 {
    let values: Vec<f32> = episode.seen.iter().map(|seen| sigmoid(weights.logit(seen))).collect();
    let mut target = episode.result;
    let mut squared_error = 0.0;
    for (seen, value) in episode.seen.iter().zip(&values).rev() {
        squared_error += (episode.result - value).powi(2);
        weights.update(seen, learning_rate * (target - value));
        target = LAMBDA * target + (1.0 - LAMBDA) * value;
    }
    squared_error
}

/// The learner. The same configuration gives the same weights with any number of threads and after
/// any number of interruptions.
#[derive(Clone, Debug, PartialEq)]
pub struct Learner {
    pub(super) config: TrainingConfig,
    pub(super) batch: u64,
    pub(super) weights: Weights,
    /// The weights of past checkpoints.
    pub(super) past_weights: Vec<Weights>,
}

impl Learner {
    /// An untrained learner.
    pub fn new(config: TrainingConfig) -> Learner {
        let weights = Weights::default();
        Learner { config, batch: 0, past_weights: vec![weights.clone()], weights }
    }

    /// The configuration.
    pub fn config(&self) -> TrainingConfig {
        self.config
    }

    /// Games so far.
    pub fn games(&self) -> u64 {
        (self.batch * BATCH_SIZE).min(self.config.games)
    }

    /// The weights learned so far.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Plays a batch of games and learns from them; `None` if the training is complete.
    pub fn train_batch(&mut self) -> Option<Progress> {
        let batches = self.config.games.div_ceil(BATCH_SIZE);
        if self.batch >= batches {
            return None;
        }
        // The last batch may be smaller.
        let end = ((self.batch + 1) * BATCH_SIZE).min(self.config.games);
        let numbers = self.batch * BATCH_SIZE..end;
        let episodes: Vec<(Vec<Episode>, bool)> = numbers
            .into_par_iter()
            .map(|number| game(number, self.config.seed, &self.weights, &self.past_weights))
            .collect();
        let done = self.batch as f32 / batches as f32;
        let learning_rate = LEARNING_RATE.0 * (LEARNING_RATE.1 / LEARNING_RATE.0).powf(done);
        let (mut squared_error, mut seen, mut draws) = (0.0, 0, 0);
        for (episodes, drawn) in &episodes {
            draws += u32::from(*drawn);
            for episode in episodes {
                squared_error += td_update(&mut self.weights, episode, learning_rate);
                seen += episode.seen.len();
            }
        }
        if self.batch * PAST_CHECKPOINTS / batches != (self.batch + 1) * PAST_CHECKPOINTS / batches
        {
            self.past_weights.push(self.weights.clone());
        }
        self.batch += 1;
        let error = squared_error / seen.max(1) as f32;
        Some(Progress { games: self.games(), error, draws: draws as f32 / episodes.len() as f32 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learned(config: TrainingConfig, batches: u32) -> Learner {
        let mut learner = Learner::new(config);
        for _ in 0..batches {
            learner.train_batch();
        }
        learner
    }

    #[test]
    fn learning_repeats_on_any_number_of_threads() {
        let config = TrainingConfig { games: 1000, seed: 5 };
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let mut alone = one.install(|| learned(config, 1));
        assert_eq!(alone, learned(config, 1));
        assert_ne!(alone, learned(TrainingConfig { seed: 6, ..config }, 1));
        assert_eq!(alone.train_batch(), None, "the lesson is over");
    }

    #[test]
    fn as_many_games_are_played_as_configured() {
        let mut learner = Learner::new(TrainingConfig { games: 1010, seed: 5 });
        assert_eq!(learner.train_batch().map(|progress| progress.games), Some(1000));
        let last = learner.train_batch().unwrap();
        assert_eq!((last.games, learner.games()), (1010, 1010));
        assert!((0.0..=1.0).contains(&last.draws), "{}", last.draws);
        assert_eq!(learner.train_batch(), None);
    }

    #[test]
    fn a_pause_changes_nothing() {
        let config = TrainingConfig { games: 3000, seed: 5 };
        let mut paused = Learner::from_bytes(&learned(config, 2).to_bytes()).unwrap();
        paused.train_batch();
        assert_eq!(paused, learned(config, 3));
    }

    #[test]
    fn a_trained_player_beats_an_untrained_one() {
        let learner = learned(TrainingConfig { games: 100_000, seed: 1 }, 5);
        let nothing = Weights::default();
        let past_weights = PoolOpponent::PastCheckpoint {
            temperature: 0.3,
            capture_bonus: 0.0,
            advance_bonus: [0.0; 2],
            trusts_guess: false,
        };
        let players = [PoolOpponent::Model, past_weights];
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut pool = OpponentPool::new(learner.weights(), &nothing);
        // Draws count for neither.
        let mut wins = [0; 2];
        for _ in 0..300 {
            let episodes = play(players, &mut pool, &mut rng);
            for (wins, episode) in wins.iter_mut().zip(episodes) {
                *wins += u32::from(episode.result == 1.0);
            }
        }
        assert!(wins[0] > 2 * wins[1], "{wins:?}");
    }
}
