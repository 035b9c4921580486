//! Gradient boosting with the library perpetual; no other module depends on it.
//!
//! Its trees are converted to our [`RegressionTree`]s, so that the file format, its checks and the
//! predictions do not depend on the library.
//!
//! The same data must give the same trees everywhere, so the source of perpetual 3.0.0-rc.2 was
//! checked for every other influence:
//!
//! - *Time*: only `timeout` looks at the clock, and it is not set.
//! - *Threads*: `num_threads` is 1. What still runs on other threads (clearing the histograms, its
//!   own predictions) gives each element its own place and sums nothing up.
//! - *Chance*: `seed` is set. It has a say only where features are sampled (see memory) or rows are
//!   (from some 4,000 puzzles on, or hundreds with 2 to 12 features).
//! - *Order of hash maps*: sums over the nodes of a tree go by it, but what they lead to is idle:
//!   scores of nodes are kept only with `save_node_stats`, and gains count only for the sampling of
//!   features.
//! - *Memory*: it asks for the free memory, even if it is told a limit. With less than its limit it
//!   allots fewer nodes, and with less than a single histogram it samples features and allots three
//!   nodes. Trees that need fewer nodes come out the same; a tree that is cut short says so
//!   (`TreeStopper::MaxNodes`), and is refused here. So there is the same model or none.
//! - *Mathematics*: `ln_1p` and `powf` come from the system and may differ in their last digit
//!   between operating systems. That can move the last digit of a leaf; it cannot be switched off.
//!
//! Its `regression_head`, a linear correction that it adds for 2 to 12 features, is left out: a
//! model is trees.

use super::Dataset;
use super::regression_tree::{Node, RegressionTree, Split};
use perpetual::objective::Objective;
use perpetual::tree::{Tree as BoosterTree, TreeStopper};
use perpetual::{Matrix, PerpetualBooster};
use std::{fmt, thread};

/// perpetual's only hyperparameter, which determines learning rate and number of trees. With half
/// of it models explain less; see `docs/results/models.md`. With 1 the learning rate is a tenth;
/// with a fraction it is a power that systems may round in different ways.
const BOOSTING_BUDGET: f32 = 1.0;

/// The maximum number of histogram bins per feature. Few features have more values; more bins cost
/// memory and time.
const MAX_BINS: u16 = 64;

/// The memory limit of a fit. Half of it is for histograms, of which a hundred puzzles use less
/// than a tenth; the rest is what perpetual keeps free.
const MEMORY_LIMIT_GB: f32 = 0.25;

/// A fixed seed, so that fits are reproducible.
const SEED: u64 = 0;

/// The error of a failed fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FitError {
    /// Not enough memory for trees of full size.
    Memory,
    /// The learner failed or returned inconsistent trees.
    Learner,
}

impl fmt::Display for FitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FitError::Memory => "there is too little free memory to learn from so many puzzles",
            FitError::Learner => "the learner of the trees failed",
        })
    }
}

impl std::error::Error for FitError {}

/// Fits a data set: the base score and the trees.
pub(super) fn fit_trees(data: &Dataset) -> Result<(f64, Vec<RegressionTree>), FitError> {
    let booster = fit(data, MEMORY_LIMIT_GB)?;
    let trees = booster.trees.iter().map(tree).collect::<Option<_>>().ok_or(FitError::Learner)?;
    Ok((booster.base_score, trees))
}

/// A fitted booster.
fn fit(data: &Dataset, memory: f32) -> Result<PerpetualBooster, FitError> {
    let columns = data.by_columns();
    let matrix = Matrix::new(&columns, data.len(), data.features().len());
    let mut booster = PerpetualBooster::default()
        .set_objective(Objective::SquaredLoss)
        .set_budget(BOOSTING_BUDGET)
        .set_max_bin(MAX_BINS)
        .set_memory_limit(Some(memory))
        .set_num_threads(Some(1))
        .set_seed(SEED)
        .set_missing(f64::NAN);
    let fitted = in_own_thread_pool(|| booster.fit(&matrix, data.targets(), None, None));
    if !matches!(fitted, Some(Ok(()))) || !booster.base_score.is_finite() {
        return Err(FitError::Learner);
    }
    let cut_short = |tree: &BoosterTree| tree.stopper == TreeStopper::MaxNodes;
    if booster.trees.iter().any(cut_short) { Err(FitError::Memory) } else { Ok(booster) }
}

/// Runs `work` in a separate thread pool and blocks until it is done; none if it panics.
///
/// perpetual spawns work in the pool it is called in and waits for it. A worker of the caller's
/// pool would start another fit while waiting, which needs memory on top of this one; so the fit
/// must not run in that pool, and the caller must block instead of stealing work.
fn in_own_thread_pool<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().ok()?;
    thread::scope(|scope| scope.spawn(|| pool.install(work)).join().ok())
}

/// Converts a tree of perpetual, which stores nodes in a hash map. Nodes are renumbered level by
/// level, so that a child comes after its parent.
fn tree(grown: &BoosterTree) -> Option<RegressionTree> {
    let mut numbers = vec![0];
    let mut nodes = Vec::with_capacity(grown.nodes.len());
    while let Some(number) = numbers.get(nodes.len()) {
        let node = grown.nodes.get(number)?;
        nodes.push(if node.is_leaf {
            Node::Leaf(f64::from(node.weight_value))
        } else {
            let low = numbers.len();
            numbers.extend([node.left_child, node.right_child]);
            Node::Split(Split {
                feature: node.split_feature,
                below: node.split_value,
                unknown_low: node.missing_node == node.left_child,
                low,
                high: low + 1,
                gain: f64::from(node.split_gain),
            })
        });
        if numbers.len() > grown.nodes.len() {
            return None;
        }
    }
    Some(RegressionTree(nodes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::{Feature, Features};
    use crate::model::Model;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Random values, a fifth of them unknown, and a target that goes by some of them.
    fn random(seed: u64, rows: usize, features: usize) -> Dataset {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let of = &Feature::ALL[..features];
        let rows: Vec<Features> = (0..rows)
            .map(|_| {
                let mut row = Features::UNKNOWN;
                for &feature in of {
                    if rng.random_bool(0.8) {
                        row.set(feature, rng.random_range(-8.0..8.0));
                    }
                }
                row
            })
            .collect();
        let known = |row: &Features, feature: usize| row.get(of[feature % of.len()]);
        let target = |row: &Features| {
            let step = f64::from(u8::from(known(row, 0) > Some(1.0)));
            step + known(row, 1).map_or(-1.0, |value| value * 0.1) + rng.random::<f64>() * 0.2
        };
        let targets = rows.iter().map(target).collect();
        Dataset::new(of, rows, targets)
    }

    /// On data that it has learnt from and on data that it has not, our trees say to the last bit
    /// what perpetual says.
    #[test]
    fn our_trees_say_what_perpetual_says() {
        for (seed, rows, features) in [(1, 100, 40), (2, 40, 1), (3, 250, 9), (4, 300, 30)] {
            let data = random(seed, rows, features);
            let booster = fit(&data, MEMORY_LIMIT_GB).unwrap();
            assert!(booster.regression_head.is_none());
            let model = Model::fit(&data).unwrap();
            assert!(!model.importance().is_empty());
            let others = random(seed + 100, 200, features);
            for asked in [&data, &others] {
                assert_eq!(asked.features(), data.features());
                let columns = asked.by_columns();
                let matrix = Matrix::new(&columns, asked.len(), features);
                let theirs = booster.predict(&matrix, false);
                let ours: Vec<f64> = asked.rows().iter().map(|row| model.predict(row)).collect();
                assert_eq!(ours, theirs, "{rows} rows of {features} features");
            }
        }
    }

    /// Threads, and where their hash maps begin, change nothing.
    #[test]
    fn the_same_data_give_the_same_model() {
        let data = random(5, 150, 40);
        let model = Model::fit(&data).unwrap();
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let again = pool.broadcast(|_| Model::fit(&data).unwrap());
            assert!(again.iter().all(|again| *again == model));
        }
    }

    /// Memory decides whether there is a model, but not which.
    #[test]
    fn memory_does_not_change_a_model() {
        let data = random(6, 150, 40);
        let trees = |memory| {
            let booster = fit(&data, memory)?;
            Ok(booster.trees.iter().map(|grown| tree(grown).unwrap()).collect::<Vec<_>>())
        };
        let usual = trees(MEMORY_LIMIT_GB).unwrap();
        assert_eq!(trees(2.0 * MEMORY_LIMIT_GB), Ok(usual.clone()));
        let results: Vec<_> =
            (1..10).map(|part| trees(part as f32 / 10.0 * MEMORY_LIMIT_GB)).collect();
        assert!(results.iter().any(Result::is_ok));
        assert!(results.iter().flatten().all(|trees| *trees == usual));
        assert_eq!(results[0], Err(FitError::Memory));
    }

    #[test]
    fn few_rows_and_equal_targets_are_no_trouble() {
        for rows in [2, 3, 5, 29, 31, 32, 33] {
            let data = random(7, rows, 20);
            let model = Model::fit(&data).unwrap();
            assert!(data.rows().iter().all(|row| model.predict(row).is_finite()));
            let equal = Dataset::new(data.features(), data.rows().to_vec(), vec![1.5; rows]);
            let model = Model::fit(&equal).unwrap();
            assert!(data.rows().iter().all(|row| (model.predict(row) - 1.5).abs() < 1e-6));
        }
    }
}
