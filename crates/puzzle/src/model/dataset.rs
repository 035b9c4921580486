//! What a model learns from: puzzles as rows of features, and what people said of each.

use crate::features::{Feature, Features};

/// The value of a feature as models see it. The digits beyond a single-precision number are cut
/// off: they may differ between machines, and no grade should hang on them.
pub(super) fn seen(features: &Features, feature: Feature) -> Option<f64> {
    features.get(feature).map(|value| f64::from(value as f32))
}

/// Rows of features with a number for each. Features that are the same in all rows tell nothing and
/// are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Dataset {
    rows: Vec<Features>,
    columns: Vec<Column>,
    targets: Vec<f64>,
}

/// A feature over all rows.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Column {
    pub(super) feature: Feature,
    /// The different known values, smallest first.
    pub(super) values: Vec<f64>,
    /// For each row the place of its value among them; one past the last if it is unknown.
    pub(super) ranks: Vec<u32>,
}

impl Column {
    fn new(feature: Feature, rows: &[Features]) -> Column {
        let seen: Vec<Option<f64>> = rows.iter().map(|row| seen(row, feature)).collect();
        let mut values: Vec<f64> = seen.iter().flatten().copied().collect();
        values.sort_unstable_by(f64::total_cmp);
        values.dedup();
        let rank = |value: &Option<f64>| {
            value.map_or(values.len(), |value| values.partition_point(|&other| other < value))
        };
        let ranks = seen.iter().map(|value| rank(value) as u32).collect();
        Column { feature, values, ranks }
    }

    /// Whether it tells rows apart.
    fn tells(&self) -> bool {
        self.ranks.windows(2).any(|pair| pair[0] != pair[1])
    }
}

impl Dataset {
    /// The features `of` the rows, and the number that belongs to each row.
    ///
    /// # Panics
    /// If there are not as many targets as rows.
    pub fn new(of: &[Feature], rows: Vec<Features>, targets: Vec<f64>) -> Dataset {
        assert_eq!(rows.len(), targets.len(), "every row has a target");
        let columns = of.iter().map(|&feature| Column::new(feature, &rows));
        Dataset { columns: columns.filter(Column::tells).collect(), rows, targets }
    }

    /// Only the rows whose number is wanted.
    #[must_use]
    pub fn only(&self, wanted: impl Fn(usize) -> bool) -> Dataset {
        let of: Vec<Feature> = self.features().collect();
        let numbers = || (0..self.len()).filter(|&row| wanted(row));
        let rows = numbers().map(|row| self.rows[row].clone()).collect();
        Dataset::new(&of, rows, numbers().map(|row| self.targets[row]).collect())
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

    /// What belongs to each row.
    pub fn targets(&self) -> &[f64] {
        &self.targets
    }

    /// The features that tell rows apart, in the order given.
    pub fn features(&self) -> impl Iterator<Item = Feature> + '_ {
        self.columns.iter().map(|column| column.feature)
    }

    pub(super) fn columns(&self) -> &[Column] {
        &self.columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_tell_nothing_are_left_out() {
        let mut rows = vec![Features::UNKNOWN; 3];
        for (row, m_win) in rows.iter_mut().zip([9.0, 5.0, 9.0]) {
            row.set(Feature::MWin, m_win);
            row.set(Feature::Keys, 1.0);
        }
        rows[1].set(Feature::Chance, 0.1);
        let data = Dataset::new(&Feature::ALL, rows, vec![0.0, 1.0, 2.0]);
        let found: Vec<Feature> = data.features().collect();
        assert_eq!(found, [Feature::MWin, Feature::Chance]);
        assert_eq!(data.columns()[0].values, [5.0, 9.0]);
        assert_eq!(data.columns()[0].ranks, [1, 0, 1]);
        assert_eq!(data.columns()[1].ranks, [1, 0, 1]);
        // Without the row that differs, nothing does.
        let part = data.only(|row| row != 1);
        assert_eq!((part.len(), part.features().count()), (2, 0));
        assert_eq!(part.targets(), [0.0, 2.0]);
    }
}
