//! P1 5.2, table 1: what the lower bounds save the reference df-pn.
//!
//! As in the paper, escapes are judged before moving in both columns; the lower bounds of appendix
//! A are what is switched. Not revealed puzzles are searched to even depths, one ply short of the
//! escape. Iterative deepening gives the effort of every smaller depth limit on the way.

use crate::figure::{Chart, Point, Series, SeriesStyle, draw, plies};
use crate::placement::{partly_revealed_combinations, with_drawn_numbers};
use crate::statistics::Interval;
use crate::trials::run_trials_with_solver;
use crate::variant::EscapeDecides;
use crate::{Cell, Experiment, Figure, LabError, Report, ResultTable, Run};
use games::geister::Position;
use geister::reference::{Puzzle, Techniques};
use geister::solver::Revealed;
use puzzle::compose::random::Placement;
use puzzle::material::Material;
use search::{AndOr, Budget, DepthReport, DfPn, Limits, Progress, Steps, Verdict, deepen};
use serde::{Deserialize, Serialize};

/// The memory of the search's table.
const MEMORY_BYTES: usize = 32 << 20;

/// Effort by depth limit: 3, 5, 7, ...
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Effort {
    nodes: Vec<f64>,
    milliseconds: Vec<f64>,
}

impl Progress for Effort {
    fn report(&mut self, depth: &DepthReport) {
        self.nodes.push(depth.nodes as f64);
        self.milliseconds.push(depth.elapsed.as_secs_f64() * 1e3);
    }
}

impl Effort {
    /// A search that ended early costs no more at greater depth limits.
    fn fill(mut self, depths: usize) -> Effort {
        for efforts in [&mut self.nodes, &mut self.milliseconds] {
            let last = efforts.last().copied().unwrap_or(0.0);
            efforts.resize(depths, last);
        }
        self
    }
}

/// The published measurements.
struct Published {
    kind: &'static str,
    revealed: Revealed,
    nodes: [f64; 2],
    milliseconds: [f64; 2],
}

const PUBLISHED: [Published; 2] = [
    Published {
        kind: "not revealed",
        revealed: Revealed::None,
        nodes: [1_554_550.0, 105_926.0],
        milliseconds: [7_020.0, 370.0],
    },
    Published {
        kind: "partly revealed",
        revealed: Revealed::Partly,
        nodes: [3_150_892.0, 751_875.0],
        milliseconds: [15_720.0, 3_450.0],
    },
];

/// The efforts without and with the bounds, trial by trial.
type Sample = Vec<[Effort; 2]>;

fn search<P: AndOr>(run: &Run<'_>, puzzle: &P, first: u32, depth: u32) -> Result<Effort, LabError> {
    let limits = Limits { depth, memory: MEMORY_BYTES, ..Limits::default() };
    let mut budget = Budget::new(&limits).stopped_by(run.stop);
    let mut effort = Effort::default();
    let steps = Steps { first, step: 2 };
    match deepen(&mut DfPn::new(MEMORY_BYTES), puzzle, steps, &mut budget, &mut effort) {
        Verdict::Unknown { .. } => Err(LabError::Stopped),
        _ => Ok(effort),
    }
}

fn effort(
    run: &Run<'_>,
    position: &Position,
    lower_bounds: bool,
    depth: u32,
) -> Result<Effort, LabError> {
    let puzzle = Puzzle::new(*position, Techniques { escape_before_moving: true, lower_bounds });
    let effort = if Revealed::of(position) == Revealed::None {
        search(run, &EscapeDecides(puzzle), 2, depth - 1)?
    } else {
        search(run, &puzzle, 3, depth)?
    };
    Ok(effort.fill(depths(depth).count()))
}

fn depths(last: u32) -> impl Iterator<Item = u32> {
    (3..=last).step_by(2)
}

fn sample(
    run: &Run<'_>,
    published: &Published,
    trials: u64,
    depth: u32,
) -> Result<Sample, LabError> {
    let placement = Placement::new(&Material::default(), Revealed::None)
        .ok_or_else(|| LabError::Input("no puzzle can be placed".into()))?;
    let combinations = partly_revealed_combinations();
    let hidden = published.revealed == Revealed::None;
    let kinds = if hidden { placement.combinations() } else { combinations.len() as u64 };
    run_trials_with_solver(run, published.kind, trials * kinds, |_, trial| {
        let position = if hidden {
            placement.position(run.seed, trial)
        } else {
            with_drawn_numbers(&combinations, run.seed, trial)
        };
        Ok([effort(run, &position, false, depth)?, effort(run, &position, true, depth)?])
    })
}

/// What pruning saves of the sum over all trials, with an interval by the delta method: trials
/// differ a thousandfold, so that the sum hangs on few of them.
fn saved(pairs: &[(f64, f64)]) -> (f64, Interval) {
    let n = pairs.len().max(1) as f64;
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / n;
    let (without, with) = (mean(&|p| p.0), mean(&|p| p.1));
    if without <= 0.0 {
        return (0.0, Interval { low: 0.0, high: 1.0 });
    }
    let ratio = with / without;
    let spread = mean(&|p| (p.1 - ratio * p.0).powi(2));
    let Interval { low, high } = Interval::normal(1.0 - ratio, (spread / n).sqrt() / without);
    (1.0 - ratio, Interval { low, high: high.min(1.0) }) // all is the most
}

/// Runs the experiment.
pub(crate) fn run(run: &Run<'_>) -> Result<Report, LabError> {
    let trials = run.trials(1, 50);
    let depth = run.depth.unwrap_or(if run.full { 17 } else { 9 }).clamp(3, 17) | 1;
    let samples: Vec<Sample> = PUBLISHED
        .iter()
        .map(|published| sample(run, published, trials, depth))
        .collect::<Result<_, _>>()?;
    Ok(Report {
        experiment: Experiment::P1Pruning,
        settings: vec![
            ("seed", run.seed.to_string()),
            ("depth", depth.to_string()),
            ("trials of each combination", trials.to_string()),
        ],
        tables: vec![table(&samples, depth)],
        figures: vec![figure(&samples, depth)?],
        findings: Vec::new(),
    })
}

/// The pairs of one measure at one depth limit.
fn pairs(sample: &Sample, index: usize, nodes: bool) -> Vec<(f64, f64)> {
    let of = |effort: &Effort| {
        let efforts = if nodes { &effort.nodes } else { &effort.milliseconds };
        efforts.get(index).copied().unwrap_or(0.0)
    };
    sample.iter().map(|[without, with]| (of(without), of(with))).collect()
}

fn mean(pairs: &[(f64, f64)]) -> (f64, f64) {
    let n = pairs.len().max(1) as f64;
    let (without, with) = pairs.iter().fold((0.0, 0.0), |sum, p| (sum.0 + p.0, sum.1 + p.1));
    (without / n, with / n)
}

fn table(samples: &[Sample], depth: u32) -> ResultTable {
    let mut table = ResultTable::new(
        "",
        "Table 1: effort a trial without and with pruning, by depth limit",
        [
            "kind",
            "depth",
            "measure",
            "no pruning",
            "pruning",
            "saved %",
            "from",
            "to",
            "paper no pruning",
            "paper pruning",
            "paper saved %",
        ],
    );
    for (published, sample) in PUBLISHED.iter().zip(samples) {
        for (index, plies) in depths(depth).enumerate() {
            for (measure, nodes, paper) in
                [("nodes", true, published.nodes), ("ms", false, published.milliseconds)]
            {
                let pairs = pairs(sample, index, nodes);
                let ((without, with), (rate, interval)) = (mean(&pairs), saved(&pairs));
                let digits = if nodes { 0 } else { 2 };
                let mut row = vec![
                    published.kind.into(),
                    plies.into(),
                    measure.into(),
                    Cell::Number(without, digits),
                    Cell::Number(with, digits),
                    Cell::Number(100.0 * rate, 2),
                    Cell::Number(100.0 * interval.low, 2),
                    Cell::Number(100.0 * interval.high, 2),
                ];
                row.extend(if plies == 17 {
                    let rate = 100.0 * (1.0 - paper[1] / paper[0]);
                    [Cell::Number(paper[0], 0), Cell::Number(paper[1], 0), Cell::Number(rate, 2)]
                } else {
                    [Cell::Empty, Cell::Empty, Cell::Empty]
                });
                table.row(row);
            }
        }
    }
    table
}

fn figure(samples: &[Sample], depth: u32) -> Result<Figure, LabError> {
    let charts: Vec<Chart> = PUBLISHED
        .iter()
        .zip(samples)
        .map(|(published, sample)| {
            let efforts: Vec<(u32, (f64, f64))> = depths(depth)
                .enumerate()
                .map(|(i, d)| (d, mean(&pairs(sample, i, true))))
                .collect();
            let line = |of: fn(&(f64, f64)) -> f64| -> Vec<Point> {
                efforts.iter().map(|(d, pair)| Point::new(*d, of(pair).max(1.0))).collect()
            };
            let paper = published.nodes.into_iter().map(|nodes| Point::new(17, nodes)).collect();
            Chart {
                title: format!("Table 1, {}", published.kind),
                x_label: "depth limit, plies".into(),
                y_label: "nodes a trial".into(),
                ticks: plies(3, 17),
                logarithmic: true,
                series: vec![
                    Series::new("without the lower bounds", SeriesStyle::Both, line(|pair| pair.0)),
                    Series::new("with the lower bounds", SeriesStyle::Both, line(|pair| pair.1)),
                    Series::new("the paper, both", SeriesStyle::Points, paper),
                ],
            }
        })
        .collect();
    draw("", &charts, 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half is saved in every trial alike: no doubt about it. Else the doubt grows.
    #[test]
    fn savings_have_an_interval() {
        let (rate, interval) = saved(&[(10.0, 5.0), (100.0, 50.0)]);
        assert!((rate - 0.5).abs() < 1e-12 && (interval.high - interval.low).abs() < 1e-9);
        let (rate, interval) = saved(&[(10.0, 0.0), (10.0, 10.0)]);
        // Spread 25 over 2 trials: deviation sqrt(12.5) / 10.
        assert!((rate - 0.5).abs() < 1e-12);
        assert!((0.5 - interval.low - 1.959_964 * 12.5_f64.sqrt() / 10.0).abs() < 1e-6);
        assert_eq!(interval.high, 1.0);
        assert_eq!(saved(&[]).0, 0.0);
    }
}
