//! The solvers of P4 on purple positions: PNS, MCPNS, PPNS, UCT and MCTS compared with the
//! reference df-pn and our own solver.
//!
//! Puzzles of the shipped collection are searched twice: within their length, where the correct
//! answer is yes, and within two plies less, where it is no. All solvers have the same knowledge
//! (both techniques of P1) and the same node limit; there is no time limit, so that everything
//! except the times is reproducible. A search cut off by the limit counts with its effort until
//! then, so a mean over such searches is a lower bound.

use crate::figure::{Chart, Point, Series, SeriesStyle, draw, plies};
use crate::puzzle_sample;
use crate::statistics::Interval;
use crate::trials::run_trials_with_solver;
use crate::{Cell, Experiment, Figure, LabError, Report, ResultTable, Run};
use geister::reference::{self, Techniques};
use geister::solver::{Revealed, Solver};
use puzzle::Puzzle;
use search::{
    Budget, Conclusion, DepthSearch, DfPn, Limits, Mcpns, Mcts, Playouts, Pns, Ppns, Solve, Steps,
    Stop, Uct, Verdict, deepen,
};
use serde::{Deserialize, Serialize};
use std::sync::atomic::Ordering::Relaxed;

/// The lengths of the puzzles.
const LENGTHS: [u32; 6] = [5, 7, 9, 11, 13, 15];

/// The memory of a tree.
const MEMORY_BYTES: usize = 64 << 20;

/// The memory of df-pn's table: enough for the nodes there are, and soon cleared.
const TABLE: usize = 4 << 20;

/// A solver that takes part.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Contender {
    Pns,
    Mcpns,
    /// With this precision; above 0 it may answer by belief.
    Ppns(f64),
    Uct,
    Mcts,
    /// Searches the full depth directly, like the others.
    DfPn,
    /// Asked for 1, 3, 5 ... plies: the reference algorithm of P1.
    Deepening,
    /// What users get; it deepens too.
    Solver,
}

const CONTENDERS: [Contender; 10] = [
    Contender::Pns,
    Contender::Mcpns,
    Contender::Ppns(0.0),
    Contender::Ppns(0.01),
    Contender::Ppns(0.1),
    Contender::Uct,
    Contender::Mcts,
    Contender::DfPn,
    Contender::Deepening,
    Contender::Solver,
];

/// The reference that the others are compared with.
const MEASURE: Contender = Contender::DfPn;

impl Contender {
    fn name(self) -> String {
        match self {
            Contender::Pns => "PNS".into(),
            Contender::Mcpns => "MCPNS".into(),
            Contender::Ppns(precision) if precision > 0.0 => format!("PPNS, pr {precision}"),
            Contender::Ppns(_) => "PPNS".into(),
            Contender::Uct => "UCT".into(),
            Contender::Mcts => "MCTS".into(),
            Contender::DfPn => "df-pn".into(),
            Contender::Deepening => "df-pn, deepening".into(),
            Contender::Solver => "solver".into(),
        }
    }
}

/// The answer of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum SolverAnswer {
    Proved(bool),
    Believed(bool),
    Out,
}

/// An answer with its cost.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Effort {
    answer: SolverAnswer,
    /// The move it would make is the key; only those that name a move.
    key_found: Option<bool>,
    nodes: f64,
    milliseconds: f64,
}

/// The answers of all contenders to a puzzle, within its length and within two plies less.
#[derive(Serialize, Deserialize)]
struct Trial {
    m_win: u32,
    yes: Vec<Effort>,
    no: Vec<Effort>,
}

/// Asks a contender whether the puzzle is won within `depth` plies.
fn ask(
    run: &Run<'_>,
    solver: &mut Solver,
    contender: Contender,
    puzzle: &Puzzle,
    depth: u32,
    nodes: u64,
) -> Result<Effort, LabError> {
    let limits = Limits { depth, nodes: Some(nodes), time: None, memory: MEMORY_BYTES };
    let mut budget = Budget::new(&limits).stopped_by(run.stop);
    let playouts = Playouts { seed: run.seed, ..Playouts::default() };
    let position = reference::Puzzle::new(puzzle.position, Techniques::ALL);
    let proved =
        |result: Result<bool, Stop>| (result.map_or_else(stopped, SolverAnswer::Proved), None);
    let mut solve = |search: &mut dyn Solve<reference::Puzzle>| {
        let solved = search.solve(&position, &mut budget);
        let answer = match solved.conclusion {
            Conclusion::Proved => SolverAnswer::Proved(true),
            Conclusion::Disproved => SolverAnswer::Proved(false),
            Conclusion::Believed(won) => SolverAnswer::Believed(won),
            Conclusion::Unknown(stop) => stopped(stop),
        };
        (answer, solved.last.best.map(|best| puzzle.keys().any(|key| key == best)))
    };
    let (answer, key_found) = match contender {
        Contender::Pns => solve(&mut Pns::default()),
        Contender::Mcpns => solve(&mut Mcpns { playouts }),
        Contender::Ppns(precision) => solve(&mut Ppns { playouts, precision, ..Ppns::default() }),
        Contender::Uct => solve(&mut Uct { playouts, ..Uct::default() }),
        Contender::Mcts => solve(&mut Mcts { playouts, iterations: nodes, ..Mcts::default() }),
        Contender::DfPn => proved(DfPn::new(TABLE).prove(&position, depth, &mut budget)),
        Contender::Deepening => {
            let search = &mut DfPn::new(TABLE);
            proved(won(deepen(search, &position, Steps::default(), &mut budget, &mut ())))
        }
        Contender::Solver => {
            proved(won(solver.verdict(&puzzle.position, &mut budget, &mut ()).verdict))
        }
    };
    if run.stop.load(Relaxed) {
        return Err(LabError::Stopped);
    }
    Ok(Effort {
        answer,
        key_found,
        nodes: budget.nodes() as f64,
        milliseconds: budget.elapsed().as_secs_f64() * 1e3,
    })
}

/// A search that hits a limit has no answer.
fn stopped(_: Stop) -> SolverAnswer {
    SolverAnswer::Out
}

fn won(verdict: Verdict) -> Result<bool, Stop> {
    match verdict {
        Verdict::Win(_) => Ok(true),
        Verdict::NoWin { .. } => Ok(false),
        Verdict::Unknown { stop, .. } => Err(stop),
    }
}

/// Runs the experiment.
pub(crate) fn run(run: &Run<'_>) -> Result<Report, LabError> {
    let number = run.trials(3, 20);
    let nodes = if run.full { 20_000 } else { 2_000 };
    let hidden = |puzzle: &Puzzle| puzzle.revealed() != Revealed::Fully;
    let puzzles = puzzle_sample::of_lengths(run, &LENGTHS, number, hidden)?;
    let trials = run_trials_with_solver(
        run,
        "solvers on puzzles",
        puzzles.len() as u64,
        |solver, index| {
            let puzzle = &puzzles[index as usize];
            let mut within = |depth: u32| -> Result<Vec<Effort>, LabError> {
                let all = CONTENDERS.iter();
                all.map(|&contender| ask(run, solver, contender, puzzle, depth, nodes)).collect()
            };
            let (yes, no) = (within(puzzle.m_win)?, within(puzzle.m_win - 2)?);
            Ok(Trial { m_win: puzzle.m_win, yes, no })
        },
    )?;
    Ok(Report {
        experiment: Experiment::P4GeisterSolvers,
        settings: vec![
            ("seed", run.seed.to_string()),
            ("puzzles of each length", number.to_string()),
            ("most nodes", nodes.to_string()),
        ],
        tables: vec![summary(&trials), by_length(&trials)],
        figures: vec![figure(&trials)?],
        findings: findings(&trials),
    })
}

/// The efforts of one contender on one question.
fn efforts(trials: &[Trial], index: usize, yes: bool) -> Vec<Effort> {
    let of = |trial: &Trial| if yes { trial.yes[index] } else { trial.no[index] };
    trials.iter().map(of).collect()
}

/// A way to measure an effort.
type Measure = fn(&Effort) -> f64;

const NODES: Measure = |effort| effort.nodes.max(1.0);
const TIME: Measure = |effort| effort.milliseconds.max(1e-4);

/// The geometric mean with its interval.
fn geometric(values: impl Iterator<Item = f64>) -> (f64, Interval) {
    let logs: Vec<f64> = values.map(f64::ln).collect();
    let n = logs.len().max(1) as f64;
    let mean = logs.iter().sum::<f64>() / n;
    let variance = logs.iter().map(|l| (l - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    let Interval { low, high } = Interval::normal(mean, (variance / n).sqrt());
    (mean.exp(), Interval { low: low.exp(), high: high.exp() })
}

/// Mean and interval over all puzzles, and the ratio to the measuring contender over those that
/// both have answered, as cells.
fn mean_and_ratio(of: Measure, ours: &[Effort], theirs: &[Effort], digits: usize) -> Vec<Cell> {
    let answered = |effort: &Effort| effort.answer != SolverAnswer::Out;
    let both = ours.iter().zip(theirs).filter(|(a, b)| answered(a) && answered(b));
    let ratios: Vec<f64> = both.map(|(a, b)| of(a) / of(b)).collect();
    let mut cells = numbers(geometric(ours.iter().map(of)), digits).to_vec();
    if ratios.is_empty() {
        cells.extend([const { Cell::Empty }; 3]);
    } else {
        cells.extend(numbers(geometric(ratios.into_iter()), 3));
    }
    cells
}

/// A mean with its interval, with this many decimal places.
fn numbers((mean, interval): (f64, Interval), digits: usize) -> [Cell; 3] {
    [mean, interval.low, interval.high].map(|value| Cell::Number(value, digits))
}

fn count(efforts: &[Effort], of: impl Fn(&Effort) -> bool) -> u64 {
    efforts.iter().filter(|effort| of(effort)).count() as u64
}

/// How many named a move, and how many of these the key.
fn keys(efforts: &[Effort]) -> Cell {
    let named = efforts.iter().filter_map(|effort| effort.key_found);
    let found = named.clone().filter(|found| *found).count();
    if named.clone().next().is_none() { Cell::Empty } else { Cell::Count(found as u64) }
}

fn measured_by(trials: &[Trial], yes: bool) -> Vec<Effort> {
    let index = CONTENDERS.iter().position(|&contender| contender == MEASURE);
    index.map_or_else(Vec::new, |index| efforts(trials, index, yes))
}

const EFFORT_COLUMNS: [&str; 12] = [
    "nodes",
    "nodes from",
    "nodes to",
    "times df-pn",
    "times from",
    "times to",
    "ms",
    "ms from",
    "ms to",
    "ms times df-pn",
    "ms times from",
    "ms times to",
];

fn summary(trials: &[Trial]) -> ResultTable {
    let judged = ["right", "proved", "believed right", "wrong", "out", "key named"];
    let columns = ["solver", "answer", "asked"].into_iter().chain(judged).chain(EFFORT_COLUMNS);
    let mut table = ResultTable::new(
        "",
        "Puzzles asked within their length (yes) and within two plies less (no); nodes and times are \
         geometric means, those beside df-pn over puzzles that both have answered",
        columns.collect::<Vec<_>>(),
    );
    for yes in [true, false] {
        let theirs = measured_by(trials, yes);
        for (index, contender) in CONTENDERS.into_iter().enumerate() {
            let ours = efforts(trials, index, yes);
            let proved = count(&ours, |e| e.answer == SolverAnswer::Proved(yes));
            let believed = count(&ours, |e| e.answer == SolverAnswer::Believed(yes));
            let wrong = count(&ours, |e| {
                [SolverAnswer::Proved(!yes), SolverAnswer::Believed(!yes)].contains(&e.answer)
            });
            let mut row: Vec<Cell> = vec![contender.name().into(), yes.into()];
            row.extend(
                [ours.len() as u64, proved + believed, proved, believed, wrong].map(Cell::from),
            );
            row.push(count(&ours, |e| e.answer == SolverAnswer::Out).into());
            row.push(if yes { keys(&ours) } else { Cell::Empty });
            row.extend(mean_and_ratio(NODES, &ours, &theirs, 1));
            row.extend(mean_and_ratio(TIME, &ours, &theirs, 3));
            table.row(row);
        }
    }
    table
}

fn of_length(trials: &[Trial], index: usize, yes: bool, m_win: u32) -> Vec<Effort> {
    let all = efforts(trials, index, yes).into_iter().zip(trials);
    all.filter(|(_, trial)| trial.m_win == m_win).map(|(effort, _)| effort).collect()
}

fn by_length(trials: &[Trial]) -> ResultTable {
    let mut table = ResultTable::new(
        "lengths",
        "The same by length: right answers, and geometric means of nodes and milliseconds",
        [
            "solver",
            "answer",
            "plies",
            "asked",
            "right",
            "wrong",
            "out",
            "nodes",
            "nodes from",
            "nodes to",
            "ms",
        ],
    );
    for yes in [true, false] {
        for (index, contender) in CONTENDERS.into_iter().enumerate() {
            for plies in LENGTHS {
                let ours = of_length(trials, index, yes, plies);
                let right = [SolverAnswer::Proved(yes), SolverAnswer::Believed(yes)];
                let out = count(&ours, |e| e.answer == SolverAnswer::Out);
                let good = count(&ours, |e| right.contains(&e.answer));
                let (nodes, interval) = geometric(ours.iter().map(NODES));
                let asked = ours.len() as u64;
                table.row([
                    contender.name().into(),
                    yes.into(),
                    plies.into(),
                    asked.into(),
                    good.into(),
                    (asked - out - good).into(),
                    out.into(),
                    Cell::Number(nodes, 1),
                    Cell::Number(interval.low, 1),
                    Cell::Number(interval.high, 1),
                    Cell::Number(geometric(ours.iter().map(TIME)).0, 3),
                ]);
            }
        }
    }
    table
}

/// The solvers drawn: the others coincide with one of them or never end.
const DRAWN: [Contender; 6] = [
    Contender::Pns,
    Contender::Mcpns,
    Contender::Ppns(0.0),
    Contender::Uct,
    Contender::DfPn,
    Contender::Solver,
];

fn figure(trials: &[Trial]) -> Result<Figure, LabError> {
    let chart = |title: &str, y_label: &str, of: Measure| {
        let shown = CONTENDERS.into_iter().enumerate().filter(|(_, one)| DRAWN.contains(one));
        let series = shown.enumerate().map(|(place, (index, contender))| {
            let aside = 0.12 * (place as f64 - 2.5);
            let point = |plies: u32| {
                let ours = of_length(trials, index, true, plies);
                let (mean, interval) = geometric(ours.iter().map(of));
                Point::with_interval(f64::from(plies) + aside, mean, interval)
            };
            Series::new(contender.name(), SeriesStyle::Both, LENGTHS.map(point).to_vec())
        });
        Chart {
            title: title.into(),
            x_label: "plies of the puzzle".into(),
            y_label: y_label.into(),
            ticks: plies(LENGTHS[0], LENGTHS[LENGTHS.len() - 1]),
            logarithmic: true,
            series: series.collect(),
        }
    };
    let charts = [
        chart("Nodes to prove a puzzle", "expanded nodes", NODES),
        chart("Time to prove a puzzle", "milliseconds", TIME),
    ];
    draw("", &charts, 2)
}

fn findings(trials: &[Trial]) -> Vec<String> {
    let mut findings = Vec::new();
    for (index, contender) in CONTENDERS.into_iter().enumerate() {
        let Contender::Ppns(precision) = contender else { continue };
        if precision <= 0.0 {
            continue;
        }
        let beliefs = |yes: bool| {
            let ours = efforts(trials, index, yes);
            let believed = count(&ours, |e| matches!(e.answer, SolverAnswer::Believed(_)));
            (count(&ours, |e| e.answer == SolverAnswer::Believed(!yes)), believed)
        };
        let ((lost, of_yes), (won, of_no)) = (beliefs(true), beliefs(false));
        findings.push(format!(
            "{} believed wrongly {lost} of {of_yes} times where there is a win, {won} of {of_no} \
             where there is none",
            contender.name()
        ));
    }
    let wrong_proofs = trials.iter().flat_map(|trial| {
        let wrong = |efforts: &[Effort], yes: bool| {
            count(efforts, |effort| effort.answer == SolverAnswer::Proved(!yes))
        };
        [wrong(&trial.yes, true), wrong(&trial.no, false)]
    });
    findings.push(format!("Wrong proofs: {}", wrong_proofs.sum::<u64>()));
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_geometric() {
        let (mean, interval) = geometric([1.0, 100.0].into_iter());
        assert!((mean - 10.0).abs() < 1e-9);
        assert!(interval.low < 10.0 && interval.high > 10.0);
        assert_eq!(geometric(std::iter::empty()).0, 1.0);
    }
}
