//! From ratings to models: what `spuk train` does.

use crate::features::{self, Feature, Features};
use crate::model::{Dataset, FitError, Model, Models, Skill, leave_one_out};
use crate::ratings::{Rating, averages, persons};
use crate::record::Puzzle;
use std::fmt;

/// With fewer rated puzzles a model knows nothing but its own few examples. P1 had 100.
pub const LEAST_PUZZLES: usize = 30;

/// With fewer people it is one person's taste. P1 had 8.
pub const LEAST_PERSONS: usize = 2;

/// The nodes that the reference df-pn may spend on a puzzle for P1's features 17 to 20.
const MOST_NODES: u64 = 2_000_000;

/// What the paper reports of leave-one-out over 100 puzzles rated by 8 people (P1 B.2.2).
pub const PAPER: [(&str, Skill); 2] = [
    ("interest", Skill { rmse: 0.54, r_squared: 0.27 }),
    ("difficulty", Skill { rmse: 0.66, r_squared: 0.54 }),
];

/// Too few ratings to learn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooFew {
    /// Rated puzzles.
    pub puzzles: usize,
    /// Persons who rated.
    pub persons: usize,
}

impl fmt::Display for TooFew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TooFew { puzzles, persons } = self;
        write!(
            f,
            "{puzzles} puzzles rated by {persons} persons are too few to learn from; it takes \
             {LEAST_PUZZLES} puzzles and {LEAST_PERSONS} persons at least"
        )
    }
}

impl std::error::Error for TooFew {}

/// Whether there is enough to learn from.
///
/// # Errors
/// If there is not.
pub fn enough(ratings: &[Rating]) -> Result<(), TooFew> {
    let (puzzles, persons) = (averages(ratings).len(), persons(ratings));
    let is_enough = puzzles >= LEAST_PUZZLES && persons >= LEAST_PERSONS;
    if is_enough { Ok(()) } else { Err(TooFew { puzzles, persons }) }
}

/// The features that models learn from: those that take milliseconds, and the slow ones if asked.
pub fn describe(puzzle: &Puzzle, slow: bool) -> Features {
    let mut features = features::at_a_glance(puzzle);
    features::add_indicators(puzzle, &mut features);
    if slow {
        features::add_effort(puzzle, MOST_NODES, &mut features);
    }
    features
}

/// Models, and how well they would do on puzzles they have not seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Trained {
    /// The models, taught with all ratings.
    pub models: Models,
    /// By leaving out.
    pub interest: Skill,
    /// By leaving out.
    pub difficulty: Skill,
}

/// Learns from ratings; `features` tells those of a puzzle by its id, nothing if there is no such
/// puzzle, whose ratings are then passed over. Call [`enough`] first.
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
    let skill = |data: &Dataset| Ok(Skill::of(&leave_one_out(data)?, data.targets()));
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
