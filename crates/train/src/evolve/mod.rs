//! The genetic algorithm for styles (P5 4.4 and 5), step by step. The experiment `p5-styles` in the
//! crate `lab` runs the steps, stores them on disk and draws the results.
//!
//! Every step is a pure function of styles, a seed and numbers, so that the work can be split among
//! threads and resumed anywhere.
//!
//! # Choices that the paper leaves open
//!
//! - **Fitness** is the score against all others of the generation, one game on each side of one
//!   random set-up per pair; a draw is half a point. The paper says that agents play each other and
//!   the win rate is measured, but neither how often nor from which set-ups.
//! - **Mutation** replaces one of the three parameters by a uniformly random one; **crossover** takes
//!   each parameter from one of two different parents with equal probability. These are the simplest
//!   forms and need no further constants. Mutation has probability 0.6, crossover 0.4.
//! - **Survivors** continue unchanged and are measured again, against the new generation.
//! - **Draws**: the paper gives no limit; here a game ends after [`DRAW_LIMIT`] plies. Against the
//!   random player only wins count.
//! - **Names of clusters**: by size, the largest first.

pub mod clusters;
pub mod dominance;
pub mod games;
pub mod genetic_operators;

/// Plies after which a game of the evolution is drawn.
pub const DRAW_LIMIT: u32 = 100;

/// The configuration of an evolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvolutionConfig {
    /// Agents in each generation.
    pub population: u32,
    /// The number of survivors.
    pub keep: u32,
    /// Generations.
    pub generations: u32,
    /// How many of [`games::GAMES_AGAINST_RANDOM`] a new agent has to win against the random
    /// player.
    pub wins_against_random: u32,
}

impl EvolutionConfig {
    /// The paper's configuration.
    pub const PAPER: EvolutionConfig =
        EvolutionConfig { population: 100, keep: 30, generations: 50, wins_against_random: 90 };
    /// A small configuration that takes minutes, with a lower bar against the random player.
    pub const SMALL: EvolutionConfig =
        EvolutionConfig { population: 20, keep: 6, generations: 5, wins_against_random: 75 };
}

/// The paper's number of clusters.
pub const CLUSTERS: usize = 5;
