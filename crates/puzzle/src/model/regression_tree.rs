//! A regression tree: evaluation and validation.

use super::dataset::seen;
use crate::features::{Feature, Features};
use serde::{Deserialize, Serialize};

/// A regression tree as a list of nodes, root first. A child comes after its parent, so every walk
/// ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct RegressionTree(pub(super) Vec<Node>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Node {
    Leaf(f64),
    Split(Split),
}

/// A split of the rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Split {
    /// The index of the feature in the model's list.
    pub(super) feature: usize,
    /// The threshold: values below it go to the low child, all others to the high one.
    pub(super) below: f64,
    /// Whether unknown values go to the low child.
    pub(super) unknown_low: bool,
    pub(super) low: usize,
    pub(super) high: usize,
    /// The gain of the split in training.
    pub(super) gain: f64,
}

/// The maximum leaf value and gain, so that sums stay finite.
const MAX_VALUE: f64 = 1e9;

/// Whether a number of a model is finite and within [`MAX_VALUE`].
pub(super) fn is_moderate(value: f64) -> bool {
    value.abs() <= MAX_VALUE
}

impl RegressionTree {
    /// The value of the tree for a puzzle.
    pub(super) fn value(&self, features: &[Feature], of: &Features) -> f64 {
        let mut node = 0;
        loop {
            match &self.0[node] {
                Node::Leaf(value) => return *value,
                Node::Split(split) => {
                    let value = seen(of, features[split.feature]);
                    let low = value.map_or(split.unknown_low, |value| value < split.below);
                    node = if low { split.low } else { split.high };
                }
            }
        }
    }

    /// The gain of every split with the index of its feature.
    pub(super) fn gains(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.0.iter().filter_map(|node| match node {
            Node::Split(split) => Some((split.feature, split.gain)),
            Node::Leaf(_) => None,
        })
    }

    /// Whether the tree is valid for a list of `features` features: a file may contain anything.
    pub(super) fn is_sound(&self, features: usize) -> bool {
        let sound = |(place, node): (usize, &Node)| match node {
            Node::Leaf(value) => is_moderate(*value),
            Node::Split(split) => {
                let child = |child: usize| child > place && child < self.0.len();
                split.feature < features
                    && child(split.low)
                    && child(split.high)
                    && split.below.is_finite()
                    && is_moderate(split.gain)
            }
        };
        !self.0.is_empty() && self.0.iter().enumerate().all(sound)
    }
}
