//! The evolution of styles (P5 4.4 and 5): what one step of it is. The experiment `p5-styles` in
//! the crate `lab` takes the steps, keeps them on disk and draws what came.
//!
//! Every step is a pure function of styles, a seed and numbers, so that the work can be split among
//! threads and taken up again anywhere.
//!
//! # Where the paper is silent
//!
//! - **Fitness** is the share of points against all others of the generation, one game on each side
//!   of one set-up drawn for the pair; a draw is half a point. The paper says that agents are matched
//!   with other agents and the rate of wins is measured, and neither how often nor from where.
//! - **Mutation** draws one of the three parameters anew, evenly over its range; **crossover** takes
//!   each parameter from one of two different parents, each as likely. These are the plainest forms,
//!   and need no further constants. An offspring comes from the one (0.6) or the other (0.4).
//! - **The kept** go on unchanged and are measured anew, against the new generation.
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
