//! Training of difficulty and interest models from ratings.

use crate::features::{self, Feature, Features};
use crate::model::{Dataset, FitError, FitQuality, Model, Models, leave_one_out};
use crate::ratings::{Rating, averages, persons};
use crate::record::Puzzle;
use std::fmt;

/// The minimum number of rated puzzles: with fewer, a model only memorises them. P1 had 100.
pub const MIN_PUZZLES: usize = 30;

/// The minimum number of raters: a single one is one person's taste. P1 had 8.
pub const MIN_RATERS: usize = 2;

/// The node limit of the reference df-pn for P1's features 17 to 20.
const MAX_REFERENCE_NODES: u64 = 2_000_000;

/// The paper's leave-one-out results over 100 puzzles rated by 8 people (P1 B.2.2).
pub const PAPER: [(&str, FitQuality); 2] = [
    ("interest", FitQuality { rmse: 0.54, r_squared: 0.27 }),
    ("difficulty", FitQuality { rmse: 0.66, r_squared: 0.54 }),
];

/// The error for too few ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooFew {
    /// Rated puzzles.
    pub puzzles: usize,
    /// The number of raters.
    pub persons: usize,
}

impl fmt::Display for TooFew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TooFew { puzzles, persons } = self;
        write!(
            f,
            "{puzzles} puzzles rated by {persons} persons are too few to learn from; it takes \
             {MIN_PUZZLES} puzzles and {MIN_RATERS} persons at least"
        )
    }
}

impl std::error::Error for TooFew {}

/// Checks that there are enough ratings to train on.
///
/// # Errors
/// If there are not.
pub fn check_enough(ratings: &[Rating]) -> Result<(), TooFew> {
    let (puzzles, persons) = (averages(ratings).len(), persons(ratings));
    let is_enough = puzzles >= MIN_PUZZLES && persons >= MIN_RATERS;
    if is_enough { Ok(()) } else { Err(TooFew { puzzles, persons }) }
}

/// The features that models are trained on: the fast ones, and the slow ones if requested.
pub fn training_features(puzzle: &Puzzle, slow: bool) -> Features {
    let mut features = features::static_features(puzzle);
    features::add_indicators(puzzle, &mut features);
    if slow {
        features::add_effort(puzzle, MAX_REFERENCE_NODES, &mut features);
    }
    features
}

/// Trained models with their cross-validated fit quality.
#[derive(Clone, Debug, PartialEq)]
pub struct Trained {
    /// The models, trained on all ratings.
    pub models: Models,
    /// Cross-validated, by leave-one-out.
    pub interest: FitQuality,
    /// Cross-validated, by leave-one-out.
    pub difficulty: FitQuality,
}

/// Trains models on ratings; `features` returns the features of a puzzle by its id. Ratings of
/// unknown puzzles are ignored. Call [`check_enough`] first.
///
/// # Errors
/// If a model cannot be fitted.
pub fn train<'a>(
    ratings: &[Rating],
    features: impl Fn(&str) -> Option<&'a Features>,
) -> Result<Trained, FitError> {
    let averages = averages(ratings);
    let known = averages.iter().filter_map(|(id, average)| Some((features(id)?, average)));
    let (rows, averages): (Vec<Features>, Vec<_>) = known.map(|(f, a)| (f.clone(), *a)).unzip();
    let data = |targets: Vec<f64>| Dataset::new(&Feature::ALL, rows.clone(), targets);
    let interest = data(averages.iter().map(|average| average.interest).collect());
    let difficulty = data(averages.iter().map(|average| average.difficulty).collect());
    let skill = |data: &Dataset| Ok(FitQuality::of(&leave_one_out(data)?, data.targets()));
    Ok(Trained {
        models: Models {
            interest: Model::fit(&interest)?,
            difficulty: Model::fit(&difficulty)?,
            puzzles: rows.len(),
            persons: persons(ratings),
            ratings: averages.iter().map(|average| average.ratings).sum(),
        },
        interest: skill(&interest)?,
        difficulty: skill(&difficulty)?,
    })
}
