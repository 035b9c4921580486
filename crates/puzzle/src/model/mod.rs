//! Models of what people say about puzzles, learnt from ratings: gradient-boosted regression trees,
//! as P1 B.2 has them.
//!
//! A [`Model`] starts from the mean and adds a thousand small trees, each of which explains a
//! hundredth of what the ones before it left over, as P1 had it of LightGBM 2.2.3. Learning takes no chance and one
//! thread: the same ratings give the same model on every machine.
//!
//! `docs/results/models.md` compares this learner with LightGBM and with the maintained crates, and
//! says why there is one of our own.

mod dataset;
mod file;
mod tree;
mod validate;

pub use dataset::Dataset;
pub use file::{ModelError, Models, VERSION};
pub use validate::{Skill, leave_one_out};

use crate::features::{Feature, Features};
use serde::{Deserialize, Serialize};
use tree::{Grower, Tree};

/// How a model learns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// So many trees.
    pub rounds: usize,
    /// The share of what is left over that a tree explains.
    pub rate: f64,
    /// The most leaves of a tree.
    pub leaves: usize,
    /// The fewest puzzles in a leaf.
    pub least_rows: usize,
}

/// P1's number of rounds and rate, and trees of the size that its other settings (LightGBM's
/// defaults, 20 puzzles a leaf) allow with 100 puzzles; but with leaves of 5, since 20 are too many
/// to learn about anything rare. `docs/results/models.md` has the figures.
impl Default for Settings {
    fn default() -> Settings {
        Settings { rounds: 1000, rate: 0.01, leaves: 4, least_rows: 5 }
    }
}

/// A model of one number.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    features: Vec<Feature>,
    start: f64,
    trees: Vec<Tree>,
}

impl Model {
    /// Learns from a data set.
    pub fn fit(data: &Dataset, settings: &Settings) -> Model {
        let start = data.targets().iter().sum::<f64>() / data.len().max(1) as f64;
        let mut residuals: Vec<f64> = data.targets().iter().map(|target| target - start).collect();
        let mut grower = Grower::new(data, *settings);
        let trees = (0..settings.rounds).map(|_| grower.grow(&mut residuals)).collect();
        Model { features: data.features().collect(), start, trees }
    }

    /// What it says of a puzzle. A feature that is unknown is treated as the puzzles were of which
    /// it was unknown while learning.
    pub fn predict(&self, of: &Features) -> f64 {
        self.trees.iter().fold(self.start, |sum, tree| sum + tree.value(&self.features, of))
    }

    /// The features it was taught with.
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// How much each feature matters: its share of what all splits take off the squared error, the
    /// greatest first. Features without a split are left out.
    pub fn importance(&self) -> Vec<(Feature, f64)> {
        let mut gains = vec![0.0; self.features.len()];
        for (feature, gain) in self.trees.iter().flat_map(Tree::gains) {
            gains[feature] += gain;
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
    use super::*;

    /// A row with `M_win` from 3 on, a chance unknown for every fifth row, and noise in `keys`.
    fn row(number: u32) -> Features {
        let mut row = Features::UNKNOWN;
        row.set(Feature::MWin, f64::from(3 + number % 10));
        if number % 5 > 0 {
            row.set(Feature::Chance, f64::from(number * 37 % 64) / 64.0);
        }
        row.set(Feature::Keys, f64::from(number * 11 % 7));
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
        let model = Model::fit(&data(), &Settings::default());
        for row in rows() {
            let error = model.predict(&row) - truth(&row);
            assert!(error.abs() < 0.01, "{error} for {row:?}");
        }
        let importance = model.importance();
        assert_eq!(importance[0].0, Feature::MWin);
        assert_eq!(importance[1].0, Feature::Chance);
        let sum: f64 = importance.iter().map(|(_, share)| share).sum();
        assert!((sum - 1.0).abs() < 1e-9);
        // What is unknown altogether has an answer, too.
        assert!(model.predict(&Features::UNKNOWN).is_finite());
    }

    /// One tree with one split, by hand: of the targets 0 0 0 1 1 the mean is 0.4; the border lies
    /// between the third and the fourth value, and the leaves hold half of -0.4 and of 0.6.
    #[test]
    fn a_tree_by_hand() {
        let values = [1.0, 2.0, 3.0, 5.0, 9.0];
        let rows: Vec<Features> = values
            .iter()
            .map(|&value| {
                let mut row = Features::UNKNOWN;
                row.set(Feature::MWin, value);
                row
            })
            .collect();
        let data = Dataset::new(&Feature::ALL, rows, vec![0.0, 0.0, 0.0, 1.0, 1.0]);
        let settings = Settings { rounds: 1, rate: 0.5, leaves: 2, least_rows: 1 };
        let model = Model::fit(&data, &settings);
        let at = |value: f64| {
            let mut row = Features::UNKNOWN;
            row.set(Feature::MWin, value);
            model.predict(&row)
        };
        for (value, expected) in [(-9.0, 0.2), (3.9, 0.2), (4.0, 0.2), (4.1, 0.7), (99.0, 0.7)] {
            assert!((at(value) - expected).abs() < 1e-12, "{value}: {}", at(value));
        }
        // The two sides take 3 * 0.16 + 2 * 0.36 off the squared error.
        let gains: Vec<(usize, f64)> = model.trees[0].gains().collect();
        assert!((gains[0].1 - 1.2).abs() < 1e-12 && gains.len() == 1);
    }

    #[test]
    fn leaves_keep_their_least_size_and_nothing_is_learnt_from_nothing() {
        let settings = Settings { least_rows: 61, ..Settings::default() };
        let mean = data().targets().iter().sum::<f64>() / 120.0;
        let model = Model::fit(&data(), &settings);
        assert!(model.importance().is_empty());
        assert!(rows().iter().all(|row| (model.predict(row) - mean).abs() < 1e-9));
        let nothing = Model::fit(&Dataset::new(&Feature::ALL, vec![], vec![]), &settings);
        assert_eq!(nothing.predict(&row(0)), 0.0);
    }

    fn models() -> Models {
        let settings = Settings { rounds: 25, ..Settings::default() };
        let interest = Model::fit(&data(), &settings);
        let other = Dataset::new(&[Feature::Keys], rows(), data().targets().to_vec());
        let difficulty = Model::fit(&other, &settings);
        Models { interest, difficulty, settings, puzzles: 120, persons: 3, ratings: 200 }
    }

    #[test]
    fn a_file_gives_back_the_very_models() {
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
        assert!(refused(&text.replacen("{\"v\":1", "{\"v\":2", 1)).contains("version is 2"));
        assert!(refused(&text.replacen("spuk-model", "other-file", 1)).contains("not a model"));
        for end in [0, 1, 100, text.len() / 2, text.len() - 3] {
            assert!(refused(&text[..end]).contains("not a model"), "{end}");
        }
        for hostile in ["", "{}", "[]", "null", "\u{0}", "{\"v\":1,\"kind\":\"spuk-model\"}"] {
            refused(hostile);
        }
    }

    /// Somebody who can compute a checksum can still not lead the program astray.
    #[test]
    fn a_file_that_does_not_hold_together_is_refused() {
        let text = models().to_json();
        let sealed = |from: &str, to: &str| {
            assert!(text.contains(from), "{from}");
            Models::from_json(&file::seal(&text.replacen(from, to, 1))).unwrap_err().to_string()
        };
        assert!(sealed("\"m_win\"", "\"m_lose\"").contains("\"m_lose\", a feature"));
        assert!(sealed("\"feature\":0", "\"feature\":9").contains("hold together"));
        assert!(sealed("\"low\":1,", "\"low\":0,").contains("hold together"));
        assert!(sealed("\"high\":2,", "\"high\":99999,").contains("hold together"));
        assert!(sealed("\"low\":1,", "\"low\":-1,").contains("not a model"));
        assert!(sealed("\"trees\":[[", "\"trees\":[[],[").contains("hold together"));
    }
}
