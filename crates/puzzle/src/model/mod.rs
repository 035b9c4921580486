//! Models of puzzle ratings: gradient-boosted regression trees, as in P1 B.2.
//!
//! A [`Model`] starts from the mean and adds small trees, each of which fits the residuals of those
//! before it. The library perpetual grows them; `docs/results/models.md` compares it with LightGBM,
//! which P1 used, and with others. The same ratings give the same model; the private module
//! `boosting` explains how.

mod boosting;
mod cross_validation;
mod dataset;
mod file;
mod regression_tree;

pub use boosting::FitError;
pub use cross_validation::{FitQuality, leave_one_out};
pub use dataset::Dataset;
pub use file::{ModelError, Models, VERSION};

use crate::features::{Feature, Features};
use regression_tree::RegressionTree;

/// A regression model.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    features: Vec<Feature>,
    start: f64,
    trees: Vec<RegressionTree>,
}

impl Model {
    /// Fits a model to a data set. If all features are constant, it predicts the mean.
    ///
    /// # Errors
    /// If there is not enough memory, or the learner fails.
    pub fn fit(data: &Dataset) -> Result<Model, FitError> {
        let features = data.features().to_vec();
        let (start, trees) = if features.is_empty() {
            (data.targets().iter().sum::<f64>() / data.len().max(1) as f64, vec![])
        } else {
            boosting::fit_trees(data)?
        };
        Ok(Model { features, start, trees })
    }

    /// The prediction for a puzzle. Unknown features are treated as in training.
    pub fn predict(&self, of: &Features) -> f64 {
        self.trees.iter().fold(self.start, |sum, tree| sum + tree.value(&self.features, of))
    }

    /// The features it was trained on.
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// The feature importance: the fraction of the total gain of all splits, greatest first.
    /// Features without a split are omitted.
    pub fn importance(&self) -> Vec<(Feature, f64)> {
        let mut gains = vec![0.0; self.features.len()];
        for (feature, gain) in self.trees.iter().flat_map(RegressionTree::gains) {
            gains[feature] += gain.max(0.0); // a file may say that a split was a loss
        }
        let all: f64 = gains.iter().sum();
        let shares = self.features.iter().zip(gains).filter(|(_, gain)| *gain > 0.0);
        let mut shares: Vec<(Feature, f64)> =
            shares.map(|(&feature, gain)| (feature, gain / all)).collect();
        shares.sort_by(|a, b| b.1.total_cmp(&a.1));
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::regression_tree::{Node, Split};
    use super::*;

    /// A row with `M_win` from 3 on, a chance unknown for every fifth row, and noise in the others.
    fn row(number: u32) -> Features {
        let mut row = Features::UNKNOWN;
        for (place, feature) in Feature::ALL.into_iter().enumerate() {
            row.set(feature, f64::from((number * 7919 + place as u32 * 104_729) % 97 % 8));
        }
        row.set(Feature::MWin, f64::from(3 + number % 11));
        let chance = f64::from(number * 37 % 64) / 64.0;
        row.set(Feature::Chance, if number.is_multiple_of(5) { f64::NAN } else { chance });
        row
    }

    fn rows() -> Vec<Features> {
        (0..120).map(row).collect()
    }

    /// Long puzzles are hard, and those without a chance even more so.
    fn truth(row: &Features) -> f64 {
        let long = f64::from(u8::from(row.get(Feature::MWin) > Some(7.0)));
        2.0 * long + row.get(Feature::Chance).map_or(1.0, |_| 0.0)
    }

    fn data() -> Dataset {
        let rows = rows();
        let targets = rows.iter().map(truth).collect();
        Dataset::new(&Feature::ALL, rows, targets)
    }

    #[test]
    fn steps_and_gaps_are_learnt() {
        let model = Model::fit(&data()).unwrap();
        let predicted: Vec<f64> = rows().iter().map(|row| model.predict(row)).collect();
        assert!(FitQuality::of(&predicted, data().targets()).r_squared > 0.75);
        let at = |m_win: f64, chance: f64| {
            let mut row = row(0);
            row.set(Feature::MWin, m_win);
            row.set(Feature::Chance, chance);
            model.predict(&row)
        };
        assert!(at(8.0, 0.5) > at(7.0, 0.5) + 1.0);
        // perpetual is shy of truths that take a few splits only; the gap shows, but not in full.
        assert!(at(8.0, f64::NAN) > at(8.0, 0.5) + 0.05);
        let importance = model.importance();
        assert_eq!(importance[0].0, Feature::MWin);
        let sum: f64 = importance.iter().map(|(_, share)| share).sum();
        assert!((sum - 1.0).abs() < 1e-9);
        // A row with all features unknown has a prediction, too.
        assert!(model.predict(&Features::UNKNOWN).is_finite());
    }

    /// Two trees by hand: what is below a border goes low, what is on it goes high, and what is
    /// unknown goes where it is told.
    #[test]
    fn trees_by_hand() {
        let split = |below, unknown_low, gain| {
            Node::Split(Split { feature: 0, below, unknown_low, low: 1, high: 2, gain })
        };
        let tree = |root, low, high| RegressionTree(vec![root, Node::Leaf(low), Node::Leaf(high)]);
        let trees =
            vec![tree(split(4.0, true, 3.0), -0.25, 0.5), tree(split(6.0, false, 1.0), -1.0, 2.0)];
        let model = Model { features: vec![Feature::MWin], start: 10.0, trees };
        let at = |value: f64| {
            let mut row = Features::UNKNOWN;
            row.set(Feature::MWin, value);
            model.predict(&row)
        };
        assert_eq!([-9.0, 3.9, 4.0, 5.9, 6.0, 99.0].map(at), [8.75, 8.75, 9.5, 9.5, 12.5, 12.5]);
        assert_eq!(model.predict(&Features::UNKNOWN), 11.75);
        assert_eq!(model.importance(), [(Feature::MWin, 1.0)]);
    }

    #[test]
    fn constant_data_give_a_constant_model() {
        let nothing = Model::fit(&Dataset::new(&Feature::ALL, vec![], vec![])).unwrap();
        assert_eq!(nothing.predict(&row(0)), 0.0);
        let alike = Dataset::new(&Feature::ALL, vec![row(1); 3], vec![1.0, 2.0, 6.0]);
        let model = Model::fit(&alike).unwrap();
        assert!(model.importance().is_empty());
        assert_eq!(model.predict(&row(0)), 3.0);
    }

    fn models() -> Models {
        let interest = Model::fit(&data()).unwrap();
        let other = Dataset::new(&[Feature::Keys], rows(), data().targets().to_vec());
        let difficulty = Model::fit(&other).unwrap();
        Models { interest, difficulty, puzzles: 120, persons: 3, ratings: 200 }
    }

    #[test]
    fn a_file_round_trips() {
        let models = models();
        let text = models.to_json();
        assert!(text.ends_with("}\n") && serde_json::from_str::<serde_json::Value>(&text).is_ok());
        assert_eq!(Models::from_json(&text), Ok(models));
    }

    #[test]
    fn a_file_that_was_changed_is_refused() {
        let text = models().to_json();
        let refused = |text: &str| Models::from_json(text).unwrap_err().to_string();
        assert!(refused(&text.replacen("120", "121", 1)).contains("checksum"));
        assert!(refused(&text.replacen("{\"v\":2", "{\"v\":1", 1)).contains("version is 1"));
        assert!(refused(&text.replacen("spuk-model", "other-file", 1)).contains("not a model"));
        for end in [0, 1, 100, text.len() / 2, text.len() - 3] {
            assert!(refused(&text[..end]).contains("not a model"), "{end}");
        }
        for hostile in ["", "{}", "[]", "null", "\u{0}", "{\"v\":2,\"kind\":\"spuk-model\"}"] {
            refused(hostile);
        }
    }

    /// A file with a valid checksum can still be inconsistent, and is refused.
    #[test]
    fn an_inconsistent_file_is_refused() {
        let text = models().to_json();
        let with_checksum = |from: &str, to: &str| {
            assert!(text.contains(from), "{from}");
            Models::from_json(&file::with_new_checksum(&text.replacen(from, to, 1)))
                .unwrap_err()
                .to_string()
        };
        assert!(with_checksum("\"m_win\"", "\"m_lose\"").contains("\"m_lose\", a feature"));
        assert!(with_checksum("\"feature\":0", "\"feature\":9").contains("hold together"));
        assert!(with_checksum("\"low\":1,", "\"low\":0,").contains("hold together"));
        assert!(with_checksum("\"high\":2,", "\"high\":99999,").contains("hold together"));
        assert!(with_checksum("\"low\":1,", "\"low\":-1,").contains("not a model"));
        assert!(with_checksum("\"trees\":[[", "\"trees\":[[],[").contains("hold together"));
    }
}
