//! P3 figure 4 for our collection: interest against difficulty, and P1's averages by length beside
//! ours. The grades are the default ones, a calibration: no person has rated these puzzles.

use crate::figure::{Chart, Point, Series, SeriesStyle, draw};
use crate::statistics::Interval;
use crate::{Cell, Experiment, Figure, LabError, Report, ResultTable, Run};
use puzzle::grade::Grade;
use puzzle::grade::published::BY_LENGTH;
use puzzle::shipped;
use std::sync::atomic::Ordering::Relaxed;

/// P3 7.3: interest and difficulty as eight persons rated a hundred puzzles.
const PUBLISHED_CORRELATION: f64 = 0.63;

/// The length and grade of a puzzle.
type Graded = (u32, Grade);

/// Runs the experiment.
pub(crate) fn run(run: &Run<'_>) -> Result<Report, LabError> {
    if run.stop.load(Relaxed) {
        return Err(LabError::Stopped);
    }
    let all = shipped::puzzles().map_err(|error| LabError::Input(error.to_string()))?;
    let all: Vec<Graded> =
        all.into_iter().filter_map(|p| Some((p.m_win, p.grade?.grade))).collect();
    let (of, wanted) = (all.len() as u64, run.trials(400, all.len() as u64));
    let number = wanted.min(of);
    let chosen: Vec<Graded> =
        (0..number).map(|trial| all[(trial * of / number) as usize].clone()).collect();
    Ok(Report {
        experiment: Experiment::Grades,
        settings: vec![("puzzles", number.to_string()), ("of", of.to_string())],
        tables: vec![table(&chosen)],
        figures: vec![figure(&chosen)?],
        findings: findings(&chosen),
    })
}

/// The correlation of interest and difficulty with its interval by Fisher's transformation; none
/// for fewer than four puzzles.
fn correlation(puzzles: &[&Graded]) -> Option<(f64, Interval)> {
    let n = puzzles.len() as f64;
    let centred = |of: fn(&Grade) -> f64| -> Vec<f64> {
        let mean = puzzles.iter().map(|(_, grade)| of(grade)).sum::<f64>() / n;
        puzzles.iter().map(|(_, grade)| of(grade) - mean).collect()
    };
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let (i, d) = (centred(|grade| grade.interest), centred(|grade| grade.difficulty));
    let r = product(&i, &d) / (product(&i, &i) * product(&d, &d)).sqrt();
    let known = puzzles.len() > 3 && r.is_finite();
    known.then(|| {
        let z = Interval::normal(r.atanh(), 1.0 / (n - 3.0).sqrt());
        (r, Interval { low: z.low.tanh(), high: z.high.tanh() })
    })
}

fn table(puzzles: &[Graded]) -> ResultTable {
    let columns = [
        "plies",
        "puzzles",
        "difficulty",
        "paper difficulty",
        "interest",
        "paper interest",
        "correlation",
        "from",
        "to",
    ];
    let title = "Default grades by length beside P1 table B.3, and how both go together";
    let mut table = ResultTable::new("", title, columns);
    let mut lengths: Vec<u32> = puzzles.iter().map(|(plies, _)| *plies).collect();
    lengths.sort_unstable();
    lengths.dedup();
    for plies in lengths.into_iter().map(Some).chain([None]) {
        let is_one = |(length, _): &&Graded| plies.is_none_or(|plies| *length == plies);
        let these: Vec<&Graded> = puzzles.iter().filter(is_one).collect();
        let mean = |of: fn(&Grade) -> f64| {
            Cell::Number(these.iter().map(|(_, g)| of(g)).sum::<f64>() / these.len() as f64, 2)
        };
        let published = BY_LENGTH.iter().find(|(length, ..)| Some(*length) == plies);
        let published = published.map(|(_, _, average)| average);
        let correlation = correlation(&these);
        let number = |value: Option<f64>| value.map(|value| Cell::Number(value, 2)).into();
        table.row([
            plies.map_or("all".into(), |plies| plies.to_string().into()),
            Cell::Count(these.len() as u64),
            mean(|g| g.difficulty),
            number(published.map(|average| average.difficulty)),
            mean(|g| g.interest),
            number(published.map(|average| average.interest)),
            number(correlation.map(|(r, _)| r)),
            number(correlation.map(|(_, interval)| interval.low)),
            number(correlation.map(|(_, interval)| interval.high)),
        ]);
    }
    table
}

fn findings(puzzles: &[Graded]) -> Vec<String> {
    let all: Vec<&Graded> = puzzles.iter().collect();
    let mut findings = vec!["The grades are a calibration; no person has rated them".to_string()];
    if let Some((r, Interval { low, high })) = correlation(&all) {
        findings.push(format!(
            "Interest and difficulty go together with {r:.2} ({low:.2} to {high:.2}); P3's persons: \
             {PUBLISHED_CORRELATION}"
        ));
    }
    findings
}

/// The length bands of the figure.
const BANDS: [(u32, u32, &str); 4] = [
    (0, 7, "up to 7 plies"),
    (9, 11, "9 and 11"),
    (13, 15, "13 and 15"),
    (17, u32::MAX, "17 and more"),
];

fn figure(puzzles: &[Graded]) -> Result<Figure, LabError> {
    let series = BANDS.map(|(from, to, name)| {
        let these = puzzles.iter().filter(|(plies, _)| (from..=to).contains(plies));
        let points = these.map(|(_, grade)| Point::new(grade.interest, grade.difficulty));
        Series::new(name, SeriesStyle::Points, points.collect())
    });
    let chart = Chart {
        title: "Interest and difficulty, default grades".into(),
        x_label: "interest".into(),
        y_label: "difficulty".into(),
        ticks: (-2..=2).map(|at: i32| (f64::from(at), at.to_string())).collect(),
        logarithmic: false,
        series: series.to_vec(),
    };
    draw("", &[chart], 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzle::grade::Basis;

    #[test]
    fn correlations_by_hand() {
        let puzzles = |values: &[(f64, f64)]| -> Vec<Graded> {
            let basis = Basis::Calibrated;
            let grade =
                |&(interest, difficulty): &(f64, f64)| Grade { difficulty, interest, basis };
            values.iter().map(|pair| (7, grade(pair))).collect()
        };
        let of = |values: &[(f64, f64)]| {
            correlation(&puzzles(values).iter().collect::<Vec<_>>()).map(|(r, _)| r)
        };
        let rising = of(&[(0.0, 0.0), (1.0, 0.5), (2.0, 1.0), (-1.0, -0.6)]).unwrap();
        assert!(rising > 0.99 && rising < 1.0);
        assert!(of(&[(0.0, 1.0), (1.0, 0.0), (0.0, 0.0), (1.0, 1.0)]).unwrap().abs() < 1e-12);
        assert_eq!(of(&[(0.0, 0.0), (1.0, 1.0)]), None);
        assert_eq!(of(&[(0.0, 0.0), (0.0, 1.0), (0.0, 2.0), (0.0, 1.5)]), None);
    }
}
