//! A regression tree: how it is walked, and what it takes to be one.

use super::dataset::seen;
use crate::features::{Feature, Features};
use serde::{Deserialize, Serialize};

/// A tree as its nodes, root first. A child stands behind its parent, so every walk ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Tree(pub(super) Vec<Node>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Node {
    Leaf(f64),
    Split(Split),
}

/// Where rows part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Split {
    /// The place of the feature in the model's list.
    pub(super) feature: usize,
    /// Values below this one go to the low child, all others to the high one.
    pub(super) below: f64,
    /// Whether the low child has the rows of which the feature is unknown.
    pub(super) unknown_low: bool,
    pub(super) low: usize,
    pub(super) high: usize,
    /// What the learner gained by it.
    pub(super) gain: f64,
}

/// No value of a leaf and no gain is greater: any number of them in a file has a finite sum.
const MAX_VALUE: f64 = 1e9;

/// Whether a number of a model is one that adds up with others.
pub(super) fn is_moderate(value: f64) -> bool {
    value.abs() <= MAX_VALUE
}

impl Tree {
    /// The tree's value for a puzzle.
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

    /// The gain of every split with the place of its feature.
    pub(super) fn gains(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.0.iter().filter_map(|node| match node {
            Node::Split(split) => Some((split.feature, split.gain)),
            Node::Leaf(_) => None,
        })
    }

    /// Whether it can be walked with a list of so many features: what is read from a file may be
    /// anything.
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
