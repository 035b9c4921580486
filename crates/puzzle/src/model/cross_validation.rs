//! Cross-validation: how well a model predicts puzzles it was not trained on.

use super::{Dataset, FitError, Model};
use rayon::prelude::*;

/// The maximum number of folds.
const MAX_FOLDS: usize = 200;

/// The fit quality of predictions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitQuality {
    /// The root-mean-square error; lower is better.
    pub rmse: f64,
    /// The coefficient of determination: 1 for perfect predictions, 0 for the mean, negative if
    /// worse.
    pub r_squared: f64,
}

impl FitQuality {
    /// The fit quality of predictions of these values. For constant values `r_squared` is 0.
    pub fn of(predictions: &[f64], values: &[f64]) -> FitQuality {
        let count = values.len().max(1) as f64;
        let mean = values.iter().sum::<f64>() / count;
        let around_mean: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let pairs = predictions.iter().zip(values);
        let error: f64 = pairs.map(|(prediction, value)| (value - prediction).powi(2)).sum();
        let r_squared = if around_mean > 0.0 { 1.0 - error / around_mean } else { 0.0 };
        FitQuality { rmse: (error / count).sqrt(), r_squared }
    }
}

/// Leave-one-out cross-validation: for each row, the prediction of a model trained on the others.
/// With more than 200 rows, every 200th row shares a fold to limit the time.
///
/// Runs on all threads of the pool; the result does not depend on their number.
///
/// # Errors
/// If a model cannot be fitted.
pub fn leave_one_out(data: &Dataset) -> Result<Vec<f64>, FitError> {
    let folds = data.len().min(MAX_FOLDS);
    let fold = |fold: usize| {
        let model = Model::fit(&data.only(|row| row % folds != fold))?;
        let left_out = (fold..data.len()).step_by(folds);
        Ok(left_out.map(|row| (row, model.predict(&data.rows()[row]))).collect())
    };
    let found: Vec<Vec<(usize, f64)>> =
        (0..folds).into_par_iter().map(fold).collect::<Result<_, _>>()?;
    let mut found: Vec<(usize, f64)> = found.into_iter().flatten().collect();
    found.sort_unstable_by_key(|(row, _)| *row);
    Ok(found.into_iter().map(|(_, prediction)| prediction).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::{Feature, Features};

    /// Values 1, 2, 3 with errors 0, 1, 0: by hand.
    #[test]
    fn skill_by_hand() {
        let skill = FitQuality::of(&[1.0, 3.0, 3.0], &[1.0, 2.0, 3.0]);
        assert!((skill.rmse - (1.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        assert!((skill.r_squared - 0.5).abs() < 1e-12);
        assert_eq!(FitQuality::of(&[1.0], &[1.0]).r_squared, 0.0);
        assert_eq!(FitQuality::of(&[], &[]).rmse, 0.0);
    }

    /// With one row a fold, nothing of a row reaches the model that judges it: the prediction is
    /// that of a model fitted by hand to the others, whatever its own target.
    #[test]
    fn a_row_is_predicted_without_itself() {
        let rows: Vec<Features> = (0..12)
            .map(|number| {
                let mut row = Features::UNKNOWN;
                row.set(Feature::MWin, f64::from(number));
                row
            })
            .collect();
        let mut targets: Vec<f64> = (0..12).map(f64::from).collect();
        let data = Dataset::new(&Feature::ALL, rows.clone(), targets.clone());
        let found = leave_one_out(&data).unwrap();
        let by_hand = Model::fit(&data.only(|row| row != 5)).unwrap().predict(&rows[5]);
        assert_eq!(found[5], by_hand);
        targets[5] = 1000.0;
        let other = Dataset::new(&Feature::ALL, rows, targets);
        assert_eq!(leave_one_out(&other).unwrap()[5], by_hand);
    }

    #[test]
    fn the_order_is_that_of_the_rows_however_many_there_are() {
        let rows: Vec<Features> = (0..450)
            .map(|number| {
                let mut row = Features::UNKNOWN;
                row.set(Feature::MWin, f64::from(number));
                row
            })
            .collect();
        let targets: Vec<f64> = (0..450).map(|number| f64::from(number / 45)).collect();
        let data = Dataset::new(&Feature::ALL, rows, targets);
        let found = leave_one_out(&data).unwrap();
        assert!(FitQuality::of(&found, data.targets()).r_squared > 0.99);
    }
}
