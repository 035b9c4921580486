//! A regression tree, and how it grows.
//!
//! As in LightGBM, the leaf whose split lowers the squared error most is split next, until there are
//! enough leaves. Unlike there, every value that occurs is tried as a border: rated puzzles are
//! hundreds, not millions. Rows of which a feature is unknown go to the side where they lower the
//! error more, as do those of puzzles that are judged later.

use super::Settings;
use super::dataset::{Column, Dataset, seen};
use crate::features::{Feature, Features};
use serde::{Deserialize, Serialize};

/// A tree as its nodes, root first. A child stands behind its parent, so every walk ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Tree(Vec<Node>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Node {
    Leaf(f64),
    Split(Split),
}

/// Where rows part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Split {
    /// The place of the feature in the model's list.
    feature: usize,
    /// Up to here the low child, above it the high one.
    up_to: f64,
    /// Whether the low child has the rows of which the feature is unknown.
    unknown_low: bool,
    low: usize,
    high: usize,
    /// By how much it lowers the squared error over all rows.
    gain: f64,
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
                    let low = value.map_or(split.unknown_low, |value| value <= split.up_to);
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
            Node::Leaf(value) => value.is_finite(),
            Node::Split(split) => {
                let child = |child: usize| child > place && child < self.0.len();
                split.feature < features
                    && child(split.low)
                    && child(split.high)
                    && split.up_to.is_finite()
                    && split.gain.is_finite()
            }
        };
        !self.0.is_empty() && self.0.iter().enumerate().all(sound)
    }
}

/// A leaf that may still be split.
struct Bud {
    node: usize,
    rows: Vec<u32>,
    best: Option<Cut>,
}

/// The best split of a leaf.
#[derive(Clone, Copy)]
struct Cut {
    column: usize,
    /// The low side has ranks below this one.
    rank: u32,
    unknown_low: bool,
    gain: f64,
}

impl Cut {
    fn is_low(&self, column: &Column, row: u32) -> bool {
        let rank = column.ranks[row as usize];
        if rank as usize == column.values.len() { self.unknown_low } else { rank < self.rank }
    }
}

/// Sum and number of the residuals of some rows.
#[derive(Clone, Copy, Default)]
struct Sum {
    sum: f64,
    rows: u32,
}

impl Sum {
    fn add(self, other: Sum) -> Sum {
        Sum { sum: self.sum + other.sum, rows: self.rows + other.rows }
    }

    fn without(self, other: Sum) -> Sum {
        Sum { sum: self.sum - other.sum, rows: self.rows - other.rows }
    }

    /// What their mean takes off the squared error.
    fn score(self) -> f64 {
        self.sum * self.sum / f64::from(self.rows.max(1))
    }
}

/// Grows trees over a data set, keeping its tools from tree to tree.
pub(super) struct Grower<'a> {
    data: &'a Dataset,
    settings: Settings,
    /// The residuals of each value of a column.
    by_rank: Vec<Sum>,
}

impl<'a> Grower<'a> {
    pub(super) fn new(data: &'a Dataset, settings: Settings) -> Grower<'a> {
        let most = data.columns().iter().map(|column| column.values.len() + 1).max();
        Grower { data, settings, by_rank: vec![Sum::default(); most.unwrap_or(0)] }
    }

    /// A tree that explains a part of the residuals, which it takes off.
    pub(super) fn grow(&mut self, residuals: &mut [f64]) -> Tree {
        let mut nodes = vec![Node::Leaf(0.0)];
        let rows = (0..residuals.len() as u32).collect();
        let mut buds = vec![self.bud(0, rows, residuals)];
        while buds.len() < self.settings.leaves {
            let Some(next) = next(&buds) else { break };
            let Bud { node, rows, best } = buds.swap_remove(next);
            let Some(cut) = best else { break };
            let column = &self.data.columns()[cut.column];
            let (low, high): (Vec<u32>, Vec<u32>) =
                rows.into_iter().partition(|&row| cut.is_low(column, row));
            nodes[node] = Node::Split(split(column, cut, nodes.len()));
            for rows in [low, high] {
                let node = nodes.len();
                nodes.push(Node::Leaf(0.0));
                buds.push(self.bud(node, rows, residuals));
            }
        }
        for bud in &buds {
            let sum: f64 = bud.rows.iter().map(|&row| residuals[row as usize]).sum();
            let value = self.settings.rate * sum / bud.rows.len().max(1) as f64;
            bud.rows.iter().for_each(|&row| residuals[row as usize] -= value);
            nodes[bud.node] = Node::Leaf(value);
        }
        Tree(nodes)
    }

    fn bud(&mut self, node: usize, rows: Vec<u32>, residuals: &[f64]) -> Bud {
        let best = self.best_cut(&rows, residuals);
        Bud { node, rows, best }
    }

    /// The cut that gains most; among equals that of the first column with the lowest border.
    fn best_cut(&mut self, rows: &[u32], residuals: &[f64]) -> Option<Cut> {
        if rows.len() < 2 * self.settings.least_rows {
            return None;
        }
        let all = rows.iter().fold(Sum::default(), |sum, &row| {
            sum.add(Sum { sum: residuals[row as usize], rows: 1 })
        });
        let mut best: Option<Cut> = None;
        for (index, column) in self.data.columns().iter().enumerate() {
            let by_rank = &mut self.by_rank[..=column.values.len()];
            by_rank.fill(Sum::default());
            for &row in rows {
                let sum = &mut by_rank[column.ranks[row as usize] as usize];
                *sum = sum.add(Sum { sum: residuals[row as usize], rows: 1 });
            }
            let least = self.settings.least_rows as u32;
            if let Some(cut) = best_of_column(index, by_rank, all, least) {
                if best.is_none_or(|best| cut.gain > best.gain) {
                    best = Some(cut);
                }
            }
        }
        best
    }
}

/// A gain below this is nothing but rounding.
const LEAST_GAIN: f64 = 1e-12;

/// The best cut of a column, whose residuals are summed by rank, the unknown last.
fn best_of_column(column: usize, by_rank: &[Sum], all: Sum, least: u32) -> Option<Cut> {
    let (unknown, known) = by_rank.split_last()?;
    let whole = all.score();
    let mut best: Option<Cut> = None;
    let mut below = Sum::default();
    for (rank, sum) in known.iter().enumerate() {
        below = below.add(*sum);
        if sum.rows == 0 {
            continue;
        }
        for unknown_low in [true, false] {
            let low = if unknown_low { below.add(*unknown) } else { below };
            let high = all.without(low);
            if low.rows >= least && high.rows >= least {
                let gain = low.score() + high.score() - whole;
                if gain > best.map_or(LEAST_GAIN, |best| best.gain) {
                    best = Some(Cut { column, rank: rank as u32 + 1, unknown_low, gain });
                }
            }
            if unknown.rows == 0 {
                break;
            }
        }
    }
    best
}

/// The bud to split next: the one that gains most, the earliest among equals.
fn next(buds: &[Bud]) -> Option<usize> {
    let gains =
        buds.iter().enumerate().filter_map(|(at, bud)| Some((at, bud.node, bud.best?.gain)));
    let best = gains.max_by(|a, b| a.2.total_cmp(&b.2).then(b.1.cmp(&a.1)));
    best.map(|(at, ..)| at)
}

/// The split of a cut, whose children come at `child` and behind it. The border lies in the middle
/// between two values that occur, or at the last of them if only unknown values lie beyond.
fn split(column: &Column, cut: Cut, child: usize) -> Split {
    let last_low = column.values[cut.rank as usize - 1];
    let first_high = column.values.get(cut.rank as usize).copied().unwrap_or(last_low);
    Split {
        feature: cut.column,
        up_to: f64::midpoint(last_low, first_high),
        unknown_low: cut.unknown_low,
        low: child,
        high: child + 1,
        gain: cut.gain,
    }
}
