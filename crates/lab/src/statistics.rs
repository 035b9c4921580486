//! Statistics for comparing samples: confidence intervals, chi-square tests, least squares.

use std::fmt;

/// The two-sided 95 % quantile of the normal distribution.
const Z95: f64 = 1.959_964;

/// The one-sided 95 % quantile of the normal distribution.
const Z95_ONE_SIDED: f64 = 1.644_854;

/// A 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// The interval of a normal distribution with this mean and standard deviation.
    pub fn normal(mean: f64, deviation: f64) -> Interval {
        Interval { low: mean - Z95 * deviation, high: mean + Z95 * deviation }
    }

    /// Whether the two intervals overlap.
    pub fn overlaps(self, other: Interval) -> bool {
        self.low <= other.high && other.low <= self.high
    }

    /// Both ends times `factor`.
    #[must_use]
    pub fn times(self, factor: f64) -> Interval {
        Interval { low: self.low * factor, high: self.high * factor }
    }
}

/// A binomial proportion: successes out of trials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Proportion {
    /// Successes.
    pub hits: u64,
    /// Trials.
    pub of: u64,
}

impl Proportion {
    /// The proportion; 0 without trials.
    pub fn value(self) -> f64 {
        self.hits as f64 / self.of.max(1) as f64
    }

    /// The 95 % Wilson score interval (Wilson 1927), which is accurate for rare successes too.
    pub fn interval(self) -> Interval {
        if self.of == 0 {
            return Interval { low: 0.0, high: 1.0 };
        }
        let (of, share) = (self.of as f64, self.value());
        let shrink = 1.0 + Z95 * Z95 / of;
        let middle = (share + Z95 * Z95 / (2.0 * of)) / shrink;
        let half = Z95 * (share * (1.0 - share) / of + Z95 * Z95 / (4.0 * of * of)).sqrt() / shrink;
        Interval { low: (middle - half).max(0.0), high: (middle + half).min(1.0) }
    }

    /// The variance of the proportion.
    pub fn variance(self) -> f64 {
        self.value() * (1.0 - self.value()) / self.of.max(1) as f64
    }

    /// The z-score of the difference between two sample proportions (pooled).
    pub fn z_score(self, other: Proportion) -> f64 {
        let both = Proportion { hits: self.hits + other.hits, of: self.of + other.of }.value();
        let one_of = 1.0 / self.of.max(1) as f64 + 1.0 / other.of.max(1) as f64;
        let deviation = (both * (1.0 - both) * one_of).sqrt();
        if deviation > 0.0 { (self.value() - other.value()) / deviation } else { 0.0 }
    }
}

/// A chi-square test of whether two samples come from one distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChiSquare {
    /// The statistic.
    pub value: f64,
    /// Degrees of freedom.
    pub degrees_of_freedom: u64,
}

impl ChiSquare {
    /// Compares two samples given as counts of the same classes. Classes with fewer than five
    /// expected counts are pooled, as is usual.
    pub fn of(ours: &[u64], theirs: &[u64]) -> ChiSquare {
        let (all_ours, all_theirs): (u64, u64) = (ours.iter().sum(), theirs.iter().sum());
        let all = (all_ours + all_theirs).max(1) as f64;
        let least = all_ours.min(all_theirs) as f64 / all;
        let pairs = ours.iter().zip(theirs);
        let (rare, common): (Vec<(&u64, &u64)>, Vec<_>) =
            pairs.partition(|&(a, b)| ((a + b) as f64) * least < 5.0);
        let mut classes: Vec<(u64, u64)> = common.iter().map(|&(a, b)| (*a, *b)).collect();
        let together = rare.iter().fold((0, 0), |sum, &(a, b)| (sum.0 + a, sum.1 + b));
        if together != (0, 0) {
            classes.push(together);
        }
        let part = |found: u64, share: f64, both: u64| {
            let expected = share * both as f64;
            (found as f64 - expected).powi(2) / expected.max(f64::MIN_POSITIVE)
        };
        let value = classes
            .iter()
            .map(|&(a, b)| {
                part(a, all_ours as f64 / all, a + b) + part(b, all_theirs as f64 / all, a + b)
            })
            .sum();
        ChiSquare { value, degrees_of_freedom: classes.len().saturating_sub(1) as u64 }
    }

    /// The critical value at the 5 % level (Wilson and Hilferty 1931).
    pub fn limit(self) -> f64 {
        let degrees_of_freedom = self.degrees_of_freedom.max(1) as f64;
        let ninth = 2.0 / (9.0 * degrees_of_freedom);
        degrees_of_freedom * (1.0 - ninth + Z95_ONE_SIDED * ninth.sqrt()).powi(3)
    }

    /// Whether the test does not reject the hypothesis of one distribution at the 5 % level; `None`
    /// if the samples are too small to tell, so that all classes are pooled.
    pub fn fits(self) -> Option<bool> {
        (self.degrees_of_freedom > 0).then(|| self.value <= self.limit())
    }
}

impl fmt::Display for ChiSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ChiSquare { value, degrees_of_freedom } = self;
        write!(
            f,
            "chi-square {value:.1} on {degrees_of_freedom} degrees of freedom, limit {:.1}",
            self.limit()
        )
    }
}

/// A linear function fitted by ordinary least squares.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearFit {
    /// The intercept, then one coefficient for each variable.
    pub coefficients: Vec<f64>,
    /// The standard error of each coefficient.
    pub deviations: Vec<f64>,
    /// The coefficient of determination.
    pub r_squared: f64,
}

/// A data point of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// The variables.
    pub variables: Vec<f64>,
    /// The observed response.
    pub response: f64,
    /// The variance of the response.
    pub variance: f64,
}

/// Fits the response to an intercept and the variables by ordinary least squares. `None` if the
/// observations do not determine the coefficients.
pub fn least_squares(observations: &[Observation]) -> Option<LinearFit> {
    let rows: Vec<Vec<f64>> = observations
        .iter()
        .map(|o| std::iter::once(1.0).chain(o.variables.iter().copied()).collect())
        .collect();
    let size = rows.first()?.len();
    let mut normal = vec![vec![0.0; size]; size];
    for row in &rows {
        for (i, a) in row.iter().enumerate() {
            row.iter().enumerate().for_each(|(j, b)| normal[i][j] += a * b);
        }
    }
    let inverse = inverse(normal)?;
    // Each coefficient is a weighted sum of the responses.
    let weights: Vec<Vec<f64>> =
        rows.iter().map(|row| inverse.iter().map(|line| dot(line, row)).collect()).collect();
    let sum = |i: usize, of: &dyn Fn(&Observation, f64) -> f64| -> f64 {
        observations.iter().zip(&weights).map(|(o, w)| of(o, w[i])).sum()
    };
    let coefficients: Vec<f64> = (0..size).map(|i| sum(i, &|o, w| w * o.response)).collect();
    let deviations = (0..size).map(|i| sum(i, &|o, w| w * w * o.variance).sqrt()).collect();
    let mean = observations.iter().map(|o| o.response).sum::<f64>() / observations.len() as f64;
    let around_mean: f64 = observations.iter().map(|o| (o.response - mean).powi(2)).sum();
    let around_fit: f64 = observations
        .iter()
        .zip(&rows)
        .map(|(o, row)| (o.response - dot(&coefficients, row)).powi(2))
        .sum();
    Some(LinearFit { coefficients, deviations, r_squared: 1.0 - around_fit / around_mean })
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The inverse by Gauss-Jordan elimination with partial pivoting.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    for (i, row) in matrix.iter_mut().enumerate() {
        row.extend((0..size).map(|j| f64::from(u8::from(i == j))));
    }
    for column in 0..size {
        let pivot = (column..size)
            .max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        if matrix[pivot][column].abs() < 1e-9 {
            return None;
        }
        matrix.swap(column, pivot);
        let lead = matrix[column][column];
        matrix[column].iter_mut().for_each(|value| *value /= lead);
        let used = matrix[column].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|(i, _)| *i != column) {
            let factor = row[column];
            row.iter_mut().zip(&used).for_each(|(value, used)| *value -= factor * used);
        }
    }
    Some(matrix.into_iter().map(|row| row[size..].to_vec()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() < tolerance, "{a} is not {b}");
    }

    /// The worked example of Newcombe (1998), table I.
    #[test]
    fn wilson_intervals_are_the_known_ones() {
        for (hits, of, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let interval = Proportion { hits, of }.interval();
            near(interval.low, low, 5e-5);
            near(interval.high, high, 5e-5);
        }
        let none = Proportion { hits: 0, of: 0 };
        assert_eq!((none.value(), none.interval()), (0.0, Interval { low: 0.0, high: 1.0 }));
    }

    #[test]
    fn different_shares_have_a_significant_difference() {
        let ours = Proportion { hits: 60, of: 100 };
        let theirs = Proportion { hits: 40, of: 100 };
        // 0.2 / sqrt(0.5 * 0.5 * 2 / 100)
        near(ours.z_score(theirs), 2.828_427, 1e-6);
        near(theirs.z_score(ours), -2.828_427, 1e-6);
    }

    /// A two by two table by hand: n (ad - bc)^2 / (row and column sums).
    #[test]
    fn chi_square_by_hand() {
        let test = ChiSquare::of(&[30, 70], &[50, 50]);
        near(
            test.value,
            200.0 * (30.0 * 50.0 - 70.0 * 50.0_f64).powi(2) / (100.0 * 100.0 * 80.0 * 120.0),
            1e-9,
        );
        assert_eq!(test.degrees_of_freedom, 1);
        assert_eq!(test.fits(), Some(false));
        assert_eq!(ChiSquare::of(&[30, 70], &[310, 690]).fits(), Some(true));
        assert_eq!(ChiSquare::of(&[1, 1], &[310, 690]).fits(), None, "two trials tell nothing");
        // 3.84 and 15.51 are the tabulated 95 % points.
        near(ChiSquare { value: 0.0, degrees_of_freedom: 1 }.limit(), 3.84, 0.1);
        near(ChiSquare { value: 0.0, degrees_of_freedom: 8 }.limit(), 15.51, 0.03);
    }

    #[test]
    fn rare_classes_are_pooled() {
        let test = ChiSquare::of(&[500, 500, 1, 2, 3], &[500, 500, 3, 2, 1]);
        assert_eq!(test.degrees_of_freedom, 2);
        near(test.value, 0.0, 1e-9);
    }

    /// y = 1 + 2 x over (0, 1), (1, 3), (2, 5), then one point off: worked by hand.
    #[test]
    fn least_squares_by_hand() {
        let at = |x: f64, y: f64| Observation { variables: vec![x], response: y, variance: 1.0 };
        let exact = least_squares(&[at(0.0, 1.0), at(1.0, 3.0), at(2.0, 5.0)]).unwrap();
        near(exact.coefficients[0], 1.0, 1e-12);
        near(exact.coefficients[1], 2.0, 1e-12);
        near(exact.r_squared, 1.0, 1e-12);
        // (0, 0), (1, 0), (2, 3): slope 3/2, constant -1/2; residuals 1/2, -1, 1/2; R2 3/4.
        let fit = least_squares(&[at(0.0, 0.0), at(1.0, 0.0), at(2.0, 3.0)]).unwrap();
        near(fit.coefficients[0], -0.5, 1e-12);
        near(fit.coefficients[1], 1.5, 1e-12);
        near(fit.r_squared, 0.75, 1e-12);
        // The inverse of ((3, 3), (3, 5)) has 5/6 and 1/2 on its diagonal.
        near(fit.deviations[0], (5.0_f64 / 6.0).sqrt(), 1e-12);
        near(fit.deviations[1], 0.5_f64.sqrt(), 1e-12);
    }

    #[test]
    fn undetermined_parameters_are_not_fitted() {
        let same = Observation { variables: vec![2.0], response: 1.0, variance: 1.0 };
        assert_eq!(least_squares(&[same.clone(), same]), None);
        assert_eq!(least_squares(&[]), None);
    }
}
