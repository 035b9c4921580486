//! Training data: puzzles as rows of features, each with a target.

use crate::features::{Feature, Features};

/// The value of a feature as models see it, rounded to single precision: further digits may differ
/// between machines and must not affect grades.
pub(super) fn seen(features: &Features, feature: Feature) -> Option<f64> {
    features.get(feature).map(|value| f64::from(value as f32))
}

/// A data set: rows of features with a target each. Features that are constant over all rows are
/// dropped.
#[derive(Clone, Debug, PartialEq)]
pub struct Dataset {
    features: Vec<Feature>,
    rows: Vec<Features>,
    targets: Vec<f64>,
}

/// Whether a feature is not constant.
fn is_informative(feature: Feature, rows: &[Features]) -> bool {
    rows.windows(2).any(|pair| seen(&pair[0], feature) != seen(&pair[1], feature))
}

impl Dataset {
    /// A data set of the features `of` these rows, with the target of each row.
    ///
    /// # Panics
    /// If there are not as many targets as rows.
    pub fn new(of: &[Feature], rows: Vec<Features>, targets: Vec<f64>) -> Dataset {
        assert_eq!(rows.len(), targets.len(), "every row has a target");
        let informative = of.iter().copied().filter(|&feature| is_informative(feature, &rows));
        Dataset { features: informative.collect(), rows, targets }
    }

    /// The rows for which `wanted` is true.
    #[must_use]
    pub fn only(&self, wanted: impl Fn(usize) -> bool) -> Dataset {
        let numbers = || (0..self.len()).filter(|&row| wanted(row));
        let rows = numbers().map(|row| self.rows[row].clone()).collect();
        Dataset::new(&self.features, rows, numbers().map(|row| self.targets[row]).collect())
    }

    /// The features of each row.
    pub fn rows(&self) -> &[Features] {
        &self.rows
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// The target of each row.
    pub fn targets(&self) -> &[f64] {
        &self.targets
    }

    /// The features that are not constant, in the order given.
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// The values in column-major order; unknown values are NaN.
    pub(super) fn by_columns(&self) -> Vec<f64> {
        let column = |&feature: &Feature| {
            self.rows.iter().map(move |row| seen(row, feature).unwrap_or(f64::NAN))
        };
        self.features.iter().flat_map(column).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constant_features_are_dropped() {
        let mut rows = vec![Features::UNKNOWN; 3];
        for (row, m_win) in rows.iter_mut().zip([9.0, 5.0, 9.0]) {
            row.set(Feature::MWin, m_win);
            row.set(Feature::Keys, 1.0);
        }
        rows[1].set(Feature::Chance, 0.1);
        let data = Dataset::new(&Feature::ALL, rows, vec![0.0, 1.0, 2.0]);
        assert_eq!(data.features(), [Feature::MWin, Feature::Chance]);
        let columns = data.by_columns();
        assert_eq!(columns[..3], [9.0, 5.0, 9.0]);
        assert_eq!(columns[4], f64::from(0.1_f32));
        assert!(columns[3].is_nan() && columns[5].is_nan() && columns.len() == 6);
        // Without the row that differs, nothing does.
        let part = data.only(|row| row != 1);
        assert_eq!((part.len(), part.features().len()), (2, 0));
        assert_eq!(part.targets(), [0.0, 2.0]);
    }
}
