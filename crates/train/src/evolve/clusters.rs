//! Clusters of styles, by k-means of the library smartcore.
//!
//! The library makes one run from a seed, initialised by k-means++. A run may end in a poor local
//! optimum, so it is restarted several times and the result with the least inertia is used.

use players::style::Style;
use smartcore::cluster::kmeans::{KMeans, KMeansParameters};
use smartcore::linalg::basic::matrix::DenseMatrix;
use std::fmt;

/// The number of runs, of which the best is used.
const RESTARTS: u64 = 20;
/// The maximum number of iterations of a run.
const MAX_ITERATIONS: usize = 300;

/// A clustering of styles, the largest cluster first.
#[derive(Clone, Debug, PartialEq)]
pub struct Clusters {
    /// The centroid of each cluster.
    pub centres: Vec<Style>,
    /// The cluster index of each style.
    pub of: Vec<usize>,
    /// The sum of squared distances to the centres.
    pub inertia: f64,
}

/// The error of a clustering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClusterError {
    /// There are fewer different styles than clusters, or fewer than two clusters.
    TooFew,
    /// The error message of the library.
    Library(String),
}

impl fmt::Display for ClusterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClusterError::TooFew => {
                f.write_str("there are fewer different styles than clusters; evolve more of them")
            }
            ClusterError::Library(reason) => write!(f, "the styles cannot be divided: {reason}"),
        }
    }
}

impl std::error::Error for ClusterError {}

/// Divides the styles into `number` clusters.
///
/// # Errors
/// If there are fewer different styles than that, or fewer than two clusters are asked for.
pub fn clusters(styles: &[Style], number: usize, seed: u64) -> Result<Clusters, ClusterError> {
    let rows: Vec<Vec<f64>> = styles.iter().map(|style| style.to_array().to_vec()).collect();
    let mut different = rows.clone();
    different.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    different.dedup();
    if number < 2 || different.len() < number {
        return Err(ClusterError::TooFew);
    }
    let library = |error: smartcore::error::Failed| ClusterError::Library(error.to_string());
    let matrix = DenseMatrix::from_2d_vec(&rows).map_err(library)?;
    let mut best: Option<Clusters> = None;
    for run in 0..RESTARTS {
        let seed = Some(common::rng::derive_seed(seed, run));
        let parameters = KMeansParameters { k: number, max_iter: MAX_ITERATIONS, seed };
        let fitted: KMeans<f64, i32, DenseMatrix<f64>, Vec<i32>> =
            KMeans::fit(&matrix, parameters).map_err(library)?;
        let labels = fitted.predict(&matrix).map_err(library)?;
        let found = by_labels(styles, &labels, number);
        if best.as_ref().is_none_or(|best| found.inertia < best.inertia - 1e-12) {
            best = Some(found);
        }
    }
    best.ok_or(ClusterError::TooFew)
}

/// The clustering with these labels.
fn by_labels(styles: &[Style], labels: &[i32], number: usize) -> Clusters {
    let members = |label: usize| {
        let labelled = styles.iter().zip(labels);
        labelled.filter(move |(_, of)| **of == label as i32).map(|(style, _)| *style)
    };
    let mut order: Vec<(usize, Style, usize)> =
        (0..number).map(|label| (members(label).count(), mean(members(label)), label)).collect();
    // Clusters of one size are ordered by their centres, so that the order is always the same.
    order.sort_by(|a, b| {
        b.0.cmp(&a.0).then_with(|| a.1.to_array()[0].total_cmp(&b.1.to_array()[0]))
    });
    let place = |label: i32| order.iter().position(|(.., of)| *of as i32 == label).unwrap_or(0);
    let of: Vec<usize> = labels.iter().map(|label| place(*label)).collect();
    let centres: Vec<Style> = order.iter().map(|(_, centre, _)| *centre).collect();
    let inertia =
        styles.iter().zip(&of).map(|(style, &at)| distance(*style, centres[at]).powi(2)).sum();
    Clusters { centres, of, inertia }
}

fn mean(styles: impl Iterator<Item = Style>) -> Style {
    let (mut sums, mut count) = ([0.0; 3], 0.0);
    for style in styles {
        count += 1.0;
        for (sum, parameter) in sums.iter_mut().zip(style.to_array()) {
            *sum += parameter;
        }
    }
    let [adjacent, away, towards] = sums.map(|sum| if count > 0.0 { sum / count } else { 0.0 });
    Style { adjacent, away, towards }
}

/// The Euclidean distance between two styles.
pub fn distance(one: Style, other: Style) -> f64 {
    let pairs = one.to_array().into_iter().zip(other.to_array());
    pairs.map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points around four corners: 4, 3, 2 and 1 of them.
    fn corners() -> (Vec<Style>, Vec<usize>) {
        let corners = [[0.4, 0.4, 0.0], [-0.4, 0.4, 0.0], [0.4, -0.4, 0.0], [-0.4, -0.4, 0.3]];
        let mut styles = Vec::new();
        for (number, corner) in corners.iter().enumerate() {
            for k in 0..4 - number {
                let away = 0.02 * k as f64;
                styles.push((number, Style::from_array([corner[0], corner[1], corner[2] + away])));
            }
        }
        styles.reverse();
        let of = styles.iter().map(|(number, _)| *number).collect();
        (styles.into_iter().map(|(_, style)| style.unwrap()).collect(), of)
    }

    #[test]
    fn plain_clusters_are_found_the_largest_first() {
        let (styles, of) = corners();
        for seed in 0..5 {
            let found = clusters(&styles, 4, seed).unwrap();
            assert_eq!(found.of, of);
            assert!(
                distance(found.centres[0], Style { adjacent: 0.4, away: 0.4, towards: 0.03 })
                    < 1e-12
            );
            assert!(found.inertia < 0.01);
        }
        assert_eq!(clusters(&styles, 3, 1), clusters(&styles, 3, 1));
    }

    #[test]
    fn indivisible_data_are_refused() {
        let same = vec![Style::default(); 9];
        assert_eq!(clusters(&same, 2, 1), Err(ClusterError::TooFew));
        assert_eq!(clusters(&[], 2, 1), Err(ClusterError::TooFew));
        assert_eq!(clusters(&corners().0, 1, 1), Err(ClusterError::TooFew));
        assert_eq!(clusters(&corners().0, 11, 1), Err(ClusterError::TooFew));
    }
}
