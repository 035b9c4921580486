//! Simulated raters with a known taste: does `spuk train` find out what they like? **It is a
//! simulation**: no person was asked.
//!
//! A taste is a sum of a few named features and of one product of two, each measured in standard
//! deviations over the puzzles. A rater answers with the taste, an offset of their own and fresh
//! noise, rounded to the scale from -2 to 2. A model learns from the averages of some raters over
//! some puzzles, and is then asked about puzzles that it has not seen: how much of the *hidden*
//! taste does it explain, but for a constant?

use crate::figure::{Chart, Point, Series, SeriesStyle, draw};
use crate::statistics::Interval;
use crate::trials::run_trials;
use crate::{Cell, Experiment, Figure, LabError, Report, ResultTable, Run};
use common::rng::stream;
use puzzle::features::{Feature, Features};
use puzzle::model::{Dataset, FitError, FitQuality, Model, leave_one_out};
use puzzle::{shipped, train};
use rand::Rng;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

/// What simulated raters like.
struct Taste {
    name: &'static str,
    /// Features with their weights.
    sum: &'static [(Feature, f64)],
    /// Two features that count together, with their weight.
    product: (Feature, Feature, f64),
}

/// The weights are made up, of a size that spreads the answers over the scale.
const TASTES: [Taste; 2] = [
    Taste {
        name: "interest",
        sum: &[
            (Feature::ConspiracyRises, 0.5),
            (Feature::OwnCaptured, 0.4),
            (Feature::WinningMoves, -0.3),
        ],
        product: (Feature::OwnCaptured, Feature::RedWall, 0.3),
    },
    Taste {
        name: "difficulty",
        sum: &[(Feature::MWin, 0.7), (Feature::Temptations, 0.5), (Feature::OwnMovers, 0.3)],
        product: (Feature::MWin, Feature::Temptations, 0.3),
    },
];

/// The deviation of a rater's offset, and of the noise of an answer.
const OFFSET: f64 = 0.5;
const NOISE: f64 = 0.8;

/// P1 had as many raters, and 100 puzzles; a small run has fewer.
const RATERS: usize = 8;
const PUZZLES: usize = 100;
const FEW_PUZZLES: usize = 40;

impl Taste {
    /// The features that count.
    fn features(&self) -> Vec<Feature> {
        let mut features: Vec<Feature> = self.sum.iter().map(|(feature, _)| *feature).collect();
        features.extend([self.product.0, self.product.1]);
        features.sort_unstable();
        features.dedup();
        features
    }

    /// The taste of each puzzle.
    fn of(&self, puzzles: &[Features]) -> Vec<f64> {
        let of = |feature| standard(puzzles, feature);
        let sum: Vec<(Vec<f64>, f64)> =
            self.sum.iter().map(|&(f, weight)| (of(f), weight)).collect();
        let (one, other, weight) = (of(self.product.0), of(self.product.1), self.product.2);
        let taste = |puzzle: usize| {
            let sum: f64 = sum.iter().map(|(values, weight)| weight * values[puzzle]).sum();
            sum + weight * one[puzzle] * other[puzzle]
        };
        (0..puzzles.len()).map(taste).collect()
    }
}

/// A feature in standard deviations from its mean; an unknown value is the mean.
fn standard(puzzles: &[Features], feature: Feature) -> Vec<f64> {
    let known: Vec<f64> = puzzles.iter().filter_map(|puzzle| puzzle.get(feature)).collect();
    let count = known.len().max(1) as f64;
    let mean = known.iter().sum::<f64>() / count;
    let variance = known.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    let deviation = if variance > 0.0 { variance.sqrt() } else { 1.0 };
    let value = |puzzle: &Features| puzzle.get(feature).map_or(0.0, |v| (v - mean) / deviation);
    puzzles.iter().map(value).collect()
}

/// A bell of deviation 1: the sum of twelve dice. No logarithm, so the same on every machine.
fn bell(rng: &mut impl Rng) -> f64 {
    (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0
}

/// The mean ratings of puzzles by this many raters with these tastes.
fn rate(tastes: &[f64], raters: usize, rng: &mut impl Rng) -> Vec<f64> {
    let mut sums = vec![0.0; tastes.len()];
    for _ in 0..raters {
        let offset = OFFSET * bell(rng);
        for (sum, taste) in sums.iter_mut().zip(tastes) {
            *sum += (taste + offset + NOISE * bell(rng)).round().clamp(-2.0, 2.0);
        }
    }
    sums.into_iter().map(|sum| sum / raters as f64).collect()
}

/// So much a model learns from.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Size {
    puzzles: usize,
    raters: usize,
}

/// The result for a taste in a trial.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct TasteResult {
    /// Of the hidden taste of puzzles that were not rated.
    r_squared: f64,
    /// The share of the importance that the features of the taste have.
    share: f64,
    /// How many of them are among the first, which are as many as they are.
    first: usize,
}

/// The puzzles with all that is known of them.
struct Pool {
    ids: Vec<String>,
    features: Vec<Features>,
    /// The tastes of [`TASTES`].
    tastes: Vec<Vec<f64>>,
}

impl Pool {
    fn new(run: &Run<'_>, size: usize) -> Result<Pool, LabError> {
        let puzzles = shipped::puzzles().map_err(|error| LabError::Input(error.to_string()))?;
        let size = size.min(puzzles.len());
        let chosen: Vec<_> = (0..size).map(|n| &puzzles[n * puzzles.len() / size]).collect();
        let values = run_trials(run, "features", size as u64, |number| {
            Ok(train::training_features(chosen[number as usize], false).values().to_vec())
        })?;
        let features: Vec<Features> = values.iter().map(|values| from_values(values)).collect();
        let tastes = TASTES.iter().map(|taste| taste.of(&features)).collect();
        Ok(Pool { ids: chosen.iter().map(|puzzle| puzzle.id()).collect(), features, tastes })
    }

    /// The ratings of some puzzles.
    fn data(&self, puzzles: &[usize], averages: Vec<f64>) -> Dataset {
        let rows = puzzles.iter().map(|&puzzle| self.features[puzzle].clone()).collect();
        Dataset::new(&Feature::ALL, rows, averages)
    }

    fn tastes(&self, taste: usize, puzzles: &[usize]) -> Vec<f64> {
        puzzles.iter().map(|&puzzle| self.tastes[taste][puzzle]).collect()
    }

    /// A trial: random puzzles and raters; a model is trained and tested for each taste.
    fn trial(
        &self,
        size: Size,
        asked: usize,
        rng: &mut impl Rng,
    ) -> Result<Vec<TasteResult>, FitError> {
        let mut puzzles: Vec<usize> = (0..self.features.len()).collect();
        puzzles.shuffle(rng);
        let (rated, rest) = puzzles.split_at(size.puzzles.min(puzzles.len()));
        let asked = &rest[..asked.min(rest.len())];
        let one = |taste| self.learn(taste, rated, asked, size.raters, rng);
        (0..TASTES.len()).map(one).collect()
    }

    /// A taste, learnt from ratings of some puzzles and asked about others.
    fn learn(
        &self,
        taste: usize,
        rated: &[usize],
        asked: &[usize],
        raters: usize,
        rng: &mut impl Rng,
    ) -> Result<TasteResult, FitError> {
        let averages = rate(&self.tastes(taste, rated), raters, rng);
        let model = Model::fit(&self.data(rated, averages))?;
        let predicted: Vec<f64> =
            asked.iter().map(|&puzzle| model.predict(&self.features[puzzle])).collect();
        let tastes = self.tastes(taste, asked);
        let used = TASTES[taste].features();
        let importance = model.importance();
        let is_used = |(feature, _): &&(Feature, f64)| used.contains(feature);
        Ok(TasteResult {
            r_squared: FitQuality::of(&centred(&predicted), &centred(&tastes)).r_squared,
            share: importance.iter().filter(is_used).fold(0.0, |sum, (_, share)| sum + share),
            first: importance.iter().take(used.len()).filter(is_used).count(),
        })
    }
}

/// A model that could not be fitted.
fn untrained(error: FitError) -> LabError {
    LabError::Input(error.to_string())
}

/// The same around their mean: how generous the raters of a sample are on the whole says nothing
/// about which puzzle they like better.
fn centred(values: &[f64]) -> Vec<f64> {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    values.iter().map(|value| value - mean).collect()
}

fn from_values(values: &[Option<f64>]) -> Features {
    let mut features = Features::UNKNOWN;
    for (feature, value) in Feature::ALL.into_iter().zip(values) {
        if let Some(value) = value {
            features.set(feature, *value);
        }
    }
    features
}

/// The results of the trials of a size, for a taste.
struct Row {
    size: Size,
    taste: usize,
    found: Vec<TasteResult>,
}

impl Row {
    fn mean(&self, of: impl Fn(&TasteResult) -> f64) -> f64 {
        self.found.iter().map(of).sum::<f64>() / self.found.len().max(1) as f64
    }

    fn r_squared(&self) -> f64 {
        self.mean(|found| found.r_squared)
    }

    /// Where the mean lies; nothing can be said after one trial.
    fn interval(&self) -> Option<Interval> {
        let (mean, count) = (self.r_squared(), self.found.len() as f64);
        let squares = self.mean(|found| (found.r_squared - mean).powi(2));
        let deviation = (squares / (count - 1.0)).sqrt();
        deviation.is_finite().then(|| Interval::normal(mean, deviation))
    }
}

/// The numbers of puzzles and of raters.
fn sizes(full: bool) -> Vec<Size> {
    let (puzzles, raters): (&[usize], &[usize]) = if full {
        (&[25, 50, 100, 200, 400], &[1, 2, 4, 8, 16, 32])
    } else {
        (&[50, 100], &[1, 4, 16])
    };
    let size = |&puzzles: &usize| raters.iter().map(move |&raters| Size { puzzles, raters });
    puzzles.iter().flat_map(size).collect()
}

/// Runs the experiment.
pub(crate) fn run(run: &Run<'_>) -> Result<Report, LabError> {
    let trials = run.trials(3, 10);
    let sizes = sizes(run.full);
    let asked = if run.full { 200 } else { 100 };
    let most = sizes.iter().map(|size| size.puzzles).max().unwrap_or(0);
    let pool = Pool::new(run, most + asked)?;
    let found = run_trials(run, "models", trials * sizes.len() as u64, |number| {
        let size = sizes[(number / trials) as usize];
        pool.trial(size, asked, &mut stream(run.seed, number)).map_err(untrained)
    })?;
    let row = |(number, found): (usize, &[Vec<TasteResult>]), taste: usize| Row {
        size: sizes[number],
        taste,
        found: found.iter().map(|tastes| tastes[taste].clone()).collect(),
    };
    let rows: Vec<Row> = (0..TASTES.len())
        .flat_map(|taste| found.chunks(trials as usize).enumerate().map(move |one| row(one, taste)))
        .collect();
    let sample = Sample::draw(&pool, run);
    Ok(Report {
        experiment: Experiment::Ratings,
        settings: vec![
            ("seed", run.seed.to_string()),
            ("trials of each size", trials.to_string()),
            ("puzzles asked about", asked.to_string()),
            ("deviation of a rater's offset", OFFSET.to_string()),
            ("deviation of the noise", NOISE.to_string()),
        ],
        tables: vec![table(&rows), sample.skills()?, sample.importance()?, sample.table(&pool)],
        figures: vec![figure(&rows)?],
        findings: findings(&rows),
    })
}

fn table(rows: &[Row]) -> ResultTable {
    let columns =
        ["taste", "puzzles", "raters", "R2", "from", "to", "share of importance %", "first", "of"];
    let title = "Simulated raters: how much of the hidden taste a model explains of puzzles it has \
                 not seen, and how much of its importance lies on the features of the taste";
    let mut table = ResultTable::new("", title, columns);
    for row in rows {
        let end = |end: fn(Interval) -> f64| {
            row.interval().map_or(Cell::Empty, |interval| Cell::Number(end(interval), 3))
        };
        table.row([
            TASTES[row.taste].name.into(),
            Cell::Count(row.size.puzzles as u64),
            Cell::Count(row.size.raters as u64),
            Cell::Number(row.r_squared(), 3),
            end(|interval| interval.low),
            end(|interval| interval.high),
            Cell::Number(100.0 * row.mean(|found| found.share), 1),
            Cell::Number(row.mean(|found| found.first as f64), 1),
            Cell::Count(TASTES[row.taste].features().len() as u64),
        ]);
    }
    table
}

fn findings(rows: &[Row]) -> Vec<String> {
    let finding = |taste: usize| {
        let of = |row: &&Row| row.taste == taste;
        let worst =
            rows.iter().filter(of).min_by(|a, b| a.r_squared().total_cmp(&b.r_squared()))?;
        let best = rows.iter().filter(of).max_by(|a, b| a.r_squared().total_cmp(&b.r_squared()))?;
        let words = |row: &Row| {
            let Size { puzzles, raters } = row.size;
            format!("{:.2} with {puzzles} puzzles and {raters} raters", row.r_squared())
        };
        let name = TASTES[taste].name;
        Some(format!("The simulated {name} is explained from {} to {}", words(worst), words(best)))
    };
    (0..TASTES.len()).filter_map(finding).collect()
}

fn figure(rows: &[Row]) -> Result<Figure, LabError> {
    let mut puzzles: Vec<usize> = rows.iter().map(|row| row.size.puzzles).collect();
    puzzles.sort_unstable();
    puzzles.dedup();
    let ticks: Vec<(f64, String)> =
        (0..6).map(|power| (f64::from(power), (1 << power).to_string())).collect();
    let series = |taste: usize, puzzles: usize| {
        let these = rows.iter().filter(|row| (row.taste, row.size.puzzles) == (taste, puzzles));
        let point = |row: &Row| {
            let x = f64::from(row.size.raters.ilog2());
            let point = Point::new(x, row.r_squared());
            Point { interval: row.interval(), ..point }
        };
        Series::new(format!("{puzzles} puzzles"), SeriesStyle::Both, these.map(point).collect())
    };
    let chart = |taste: usize| Chart {
        title: format!("Simulated {}: R2 on puzzles not seen", TASTES[taste].name),
        x_label: "raters".into(),
        y_label: "share of the hidden taste explained".into(),
        ticks: ticks.clone(),
        logarithmic: false,
        series: puzzles.iter().map(|&puzzles| series(taste, puzzles)).collect(),
    };
    let charts: Vec<Chart> = (0..TASTES.len()).map(chart).collect();
    draw("", &charts, 2)
}

/// One sample, at full size that of P1, for a comparison of learners: the same for all.
struct Sample {
    puzzles: Vec<usize>,
    /// For each taste, the averages of the raters.
    averages: Vec<Vec<f64>>,
    data: Vec<Dataset>,
}

impl Sample {
    fn draw(pool: &Pool, run: &Run<'_>) -> Sample {
        let mut rng = stream(run.seed, u64::MAX);
        let mut puzzles: Vec<usize> = (0..pool.features.len()).collect();
        puzzles.shuffle(&mut rng);
        puzzles.truncate(if run.full { PUZZLES } else { FEW_PUZZLES });
        let averages: Vec<Vec<f64>> = (0..TASTES.len())
            .map(|taste| rate(&pool.tastes(taste, &puzzles), RATERS, &mut rng))
            .collect();
        let data = averages.iter().map(|averages| pool.data(&puzzles, averages.clone())).collect();
        Sample { puzzles, averages, data }
    }

    /// What `spuk train` would say of the sample.
    fn skills(&self) -> Result<ResultTable, LabError> {
        let columns = ["taste", "puzzles", "raters", "RMSE", "R2", "P1: RMSE", "P1: R2"];
        let title =
            "One sample, by leaving out; P1 asked people, and the figures are not to be the same";
        let mut table = ResultTable::new("leave-one-out", title, columns);
        for ((taste, data), (_, paper)) in TASTES.iter().zip(&self.data).zip(train::PAPER) {
            let predictions = leave_one_out(data).map_err(untrained)?;
            let skill = FitQuality::of(&predictions, data.targets());
            table.row([
                taste.name.into(),
                Cell::Count(self.puzzles.len() as u64),
                Cell::Count(RATERS as u64),
                Cell::Number(skill.rmse, 3),
                Cell::Number(skill.r_squared, 3),
                Cell::Number(paper.rmse, 2),
                Cell::Number(paper.r_squared, 2),
            ]);
        }
        Ok(table)
    }

    /// Which features matter to the models of the sample.
    fn importance(&self) -> Result<ResultTable, LabError> {
        const SHOWN: usize = 8;
        let columns = ["taste", "rank", "feature", "importance %", "of the taste"];
        let title = "The same sample: what matters to the models";
        let mut table = ResultTable::new("importance", title, columns);
        for (taste, data) in TASTES.iter().zip(&self.data) {
            let importance = Model::fit(data).map_err(untrained)?.importance();
            for (rank, (feature, share)) in importance.into_iter().take(SHOWN).enumerate() {
                table.row([
                    taste.name.into(),
                    Cell::Count(rank as u64 + 1),
                    feature.name().into(),
                    Cell::Number(100.0 * share, 1),
                    taste.features().contains(&feature).into(),
                ]);
            }
        }
        Ok(table)
    }

    /// The sample itself, for other learners.
    fn table(&self, pool: &Pool) -> ResultTable {
        let known = |feature: &Feature| {
            self.puzzles.iter().any(|&puzzle| pool.features[puzzle].get(*feature).is_some())
        };
        let features: Vec<Feature> = Feature::ALL.into_iter().filter(known).collect();
        let mut columns = vec!["puzzle"];
        columns.extend(features.iter().map(|feature| feature.name()));
        columns.extend(TASTES.iter().map(|taste| taste.name));
        let title = "The same sample: features, and the averages of the raters";
        let mut table = ResultTable::new("sample", title, columns);
        for (number, &puzzle) in self.puzzles.iter().enumerate() {
            let value = |feature: &Feature| {
                pool.features[puzzle].get(*feature).map_or(Cell::Empty, |v| Cell::Number(v, 6))
            };
            let mut cells = vec![pool.ids[puzzle].as_str().into()];
            cells.extend(features.iter().map(value));
            cells.extend(self.averages.iter().map(|averages| Cell::Number(averages[number], 6)));
            table.row(cells);
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_make_a_bell() {
        let mut rng = stream(1, 0);
        let values: Vec<f64> = (0..20_000).map(|_| bell(&mut rng)).collect();
        let mean = values.iter().sum::<f64>() / 20_000.0;
        let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / 20_000.0;
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.03, "{mean} {variance}");
    }

    #[test]
    fn many_raters_agree_on_the_taste_and_stay_on_the_scale() {
        let tastes: Vec<f64> = (0..60).map(|number| f64::from(number) / 15.0 - 2.0).collect();
        let averages = rate(&tastes, 400, &mut stream(1, 0));
        assert!(averages.iter().all(|average| (-2.0..=2.0).contains(average)));
        assert!(FitQuality::of(&averages, &tastes).r_squared > 0.8);
        let one = rate(&tastes, 1, &mut stream(1, 0));
        assert!(one.iter().all(|answer| answer.fract() == 0.0));
    }

    #[test]
    fn tastes_are_of_known_features() {
        assert_eq!(TASTES.map(|taste| taste.features().len()), [4, 3]);
        let is_slow = |feature: &Feature| matches!(feature.number(), Some(17..=20));
        assert!(!TASTES.iter().any(|taste| taste.features().iter().any(is_slow)));
    }
}
