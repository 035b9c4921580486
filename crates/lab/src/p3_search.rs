//! P3 table 1: alpha-beta against df-pn on 9-ply puzzles of three sizes.
//!
//! The paper times one puzzle of each size, which it does not print. Here many random ones of each
//! size are taken. Its alpha-beta is described without table and bounds; its df-pn has both.

use crate::figure::{Chart, Point, Series, SeriesStyle, draw};
use crate::statistics::Interval;
use crate::trials::{run_trials_with_solver, solved_placements};
use crate::{Cell, Experiment, Figure, LabError, Report, ResultTable, Run};
use games::geister::Position;
use geister::reference::{Puzzle, Techniques};
use geister::solver::Revealed;
use puzzle::compose::random::Placement;
use puzzle::material::Material;
use search::{AlphaBeta, Budget, DepthSearch, DfPn, Limits, Steps, Stop, Verdict, deepen};
use serde::{Deserialize, Serialize};

/// The length of the puzzles.
const M_WIN: u32 = 9;

/// The number of placements searched at a time until there are enough puzzles.
const BATCH_SIZE: u64 = 2_000;

/// The memory of df-pn's table.
const MEMORY_BYTES: usize = 32 << 20;

/// A size, and the milliseconds of alpha-beta and df-pn that the paper gives for one puzzle; which
/// sizes these were, it does not say.
struct Size {
    ghosts: u32,
    class: &'static str,
    published: [f64; 2],
}

const SIZES: [Size; 3] = [
    Size { ghosts: 4, class: "BRuu:1", published: [3_452.0, 90.0] },
    Size { ghosts: 8, class: "BBRRuuuu:2", published: [127_098.0, 503.0] },
    Size { ghosts: 12, class: "BBBRRRuuuuuu:3", published: [333_467.0, 467.0] },
];

/// The effort of a search.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Effort {
    nodes: f64,
    milliseconds: f64,
    /// Whether the node limit ended it: then this is a lower bound.
    cut: bool,
}

/// A way to measure an effort.
type Measure = fn(&Effort) -> f64;

const MEASURES: [(&str, Measure); 2] = [("nodes", |e| e.nodes), ("ms", |e| e.milliseconds)];

/// Alpha-beta and df-pn on one puzzle.
type Race = [Effort; 2];

/// The first `number` puzzles among the placements of a size.
fn puzzles(run: &Run<'_>, size: &Size, number: u64) -> Result<Vec<Position>, LabError> {
    let material: Material = size.class.parse().map_err(|e| LabError::Input(format!("{e}")))?;
    let placement = Placement::new(&material, Revealed::None)
        .ok_or_else(|| LabError::Input(format!("{} cannot be placed", size.class)))?;
    let mut found = Vec::new();
    for batch in 0.. {
        let what = format!("looking for puzzles of {} ghosts", size.ghosts);
        let position = |trial| placement.position(run.seed, batch * BATCH_SIZE + trial);
        let placed = solved_placements(run, &what, BATCH_SIZE, M_WIN, position)?;
        found.extend(placed.into_iter().filter(|(_, l)| *l == Some(M_WIN)).map(|(p, _)| p));
        if found.len() as u64 >= number {
            break;
        }
    }
    found.truncate(number as usize);
    Ok(found)
}

fn effort(
    run: &Run<'_>,
    position: &Position,
    techniques: Techniques,
    mut search: impl DepthSearch<Puzzle>,
    nodes: u64,
) -> Result<Effort, LabError> {
    let limits = Limits { depth: M_WIN, nodes: Some(nodes), ..Limits::default() };
    let mut budget = Budget::new(&limits).stopped_by(run.stop);
    let puzzle = Puzzle::new(*position, techniques);
    let verdict = deepen(&mut search, &puzzle, Steps::default(), &mut budget, &mut ());
    match verdict {
        Verdict::Unknown { stop: Stop::Interrupted, .. } => Err(LabError::Stopped),
        _ => Ok(Effort {
            nodes: budget.nodes() as f64,
            milliseconds: budget.elapsed().as_secs_f64() * 1e3,
            cut: matches!(verdict, Verdict::Unknown { .. }),
        }),
    }
}

/// The ratio of alpha-beta's effort to df-pn's, over many puzzles.
struct Ratio {
    mean: f64,
    interval: Interval,
    /// Where 95 % of single puzzles lie.
    spread: Interval,
}

/// The geometric mean of the ratios.
fn ratio(races: &[Race], of: Measure) -> Ratio {
    let logs: Vec<f64> =
        races.iter().map(|[a, b]| (of(a).max(1e-3) / of(b).max(1e-3)).ln()).collect();
    let n = logs.len().max(1) as f64;
    let mean = logs.iter().sum::<f64>() / n;
    let variance = logs.iter().map(|l| (l - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    let back = |i: Interval| Interval { low: i.low.exp(), high: i.high.exp() };
    Ratio {
        mean: mean.exp(),
        interval: back(Interval::normal(mean, (variance / n).sqrt())),
        spread: back(Interval::normal(mean, variance.sqrt())),
    }
}

/// Runs the experiment.
pub(crate) fn run(run: &Run<'_>) -> Result<Report, LabError> {
    let number = run.trials(4, 30);
    let max_nodes = if run.full { 1_000_000_000 } else { 3_000_000 };
    let mut all = Vec::new();
    for size in &SIZES {
        let puzzles = puzzles(run, size, number)?;
        let what = format!("alpha-beta and df-pn, {} ghosts", size.ghosts);
        all.push(run_trials_with_solver(run, &what, puzzles.len() as u64, |_, index| {
            let position = &puzzles[index as usize];
            Ok([
                effort(run, position, Techniques::NONE, AlphaBeta::plain(), max_nodes)?,
                effort(run, position, Techniques::ALL, DfPn::new(MEMORY_BYTES), max_nodes)?,
            ])
        })?);
    }
    Ok(Report {
        experiment: Experiment::P3Search,
        settings: vec![
            ("seed", run.seed.to_string()),
            ("plies", M_WIN.to_string()),
            ("puzzles of each size", number.to_string()),
            ("most nodes", max_nodes.to_string()),
        ],
        tables: vec![table(&all)],
        figures: vec![figure(&all)?],
        findings: Vec::new(),
    })
}

fn table(all: &[Vec<Race>]) -> ResultTable {
    let mut table = ResultTable::new(
        "",
        "Table 1: how many times the effort of df-pn alpha-beta takes (geometric mean)",
        [
            "ghosts",
            "puzzles",
            "measure",
            "alpha-beta",
            "df-pn",
            "times",
            "from",
            "to",
            "single from",
            "single to",
            "paper alpha-beta ms",
            "paper df-pn ms",
            "paper times",
            "within singles",
            "cut short",
        ],
    );
    for (size, races) in SIZES.iter().zip(all) {
        for (measure, of) in MEASURES {
            let ratio = ratio(races, of);
            let middle = |i: usize| {
                let sum: f64 = races.iter().map(|race| of(&race[i]).max(1e-3).ln()).sum();
                (sum / races.len().max(1) as f64).exp()
            };
            let published = size.published[0] / size.published[1];
            let single = Interval { low: published, high: published };
            let cut = races.iter().filter(|race| race[0].cut || race[1].cut).count() as u64;
            table.row([
                size.ghosts.into(),
                Cell::Count(races.len() as u64),
                measure.into(),
                Cell::Number(middle(0), 2),
                Cell::Number(middle(1), 2),
                Cell::Number(ratio.mean, 1),
                Cell::Number(ratio.interval.low, 1),
                Cell::Number(ratio.interval.high, 1),
                Cell::Number(ratio.spread.low, 1),
                Cell::Number(ratio.spread.high, 1),
                Cell::Number(size.published[0], 0),
                Cell::Number(size.published[1], 0),
                Cell::Number(published, 0),
                ratio.spread.overlaps(single).into(),
                cut.into(),
            ]);
        }
    }
    table
}

fn figure(all: &[Vec<Race>]) -> Result<Figure, LabError> {
    let points = |of: &dyn Fn(&Race) -> f64, aside: f64| -> Vec<Point> {
        let sizes = SIZES.iter().zip(all);
        sizes
            .flat_map(|(size, races)| {
                races.iter().map(move |race| (f64::from(size.ghosts) + aside, race))
            })
            .map(|(x, race)| Point::new(x, of(race).max(1e-3)))
            .collect()
    };
    let paper =
        SIZES.iter().map(|s| Point::new(s.ghosts, s.published[0] / s.published[1])).collect();
    let chart = Chart {
        title: "Alpha-beta against df-pn on 9-ply puzzles".into(),
        x_label: "ghosts on the board".into(),
        y_label: "alpha-beta over df-pn".into(),
        ticks: SIZES.iter().map(|s| (f64::from(s.ghosts), s.ghosts.to_string())).collect(),
        logarithmic: true,
        series: vec![
            Series::new(
                "nodes",
                SeriesStyle::Points,
                points(&|[a, b]| a.nodes / b.nodes.max(1.0), -0.15),
            ),
            Series::new(
                "milliseconds",
                SeriesStyle::Points,
                points(&|[a, b]| a.milliseconds / b.milliseconds.max(1e-3), 0.15),
            ),
            Series::new("P3 table 1, one puzzle each", SeriesStyle::Both, paper),
        ],
    };
    draw("", &[chart], 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_geometric() {
        let effort = |nodes: f64| Effort { nodes, milliseconds: nodes, cut: false };
        let races = [[effort(10.0), effort(1.0)], [effort(1000.0), effort(1.0)]];
        let ratio = ratio(&races, |e| e.nodes);
        assert!((ratio.mean - 100.0).abs() < 1e-9);
        assert!(ratio.interval.low < 100.0 && ratio.spread.low < ratio.interval.low);
    }
}
