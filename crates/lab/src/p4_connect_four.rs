//! P4 figure 2: solvers on Connect Four positions after twelve random moves, and what P4 did not
//! look at: whether they are right.

use crate::figure::{Chart, Point, Series, SeriesStyle, draw};
use crate::placement::after_random_moves;
use crate::solver_comparison::{Contestant, Entry, SolverStatistics, best_never_wrong};
use crate::statistics::Proportion;
use crate::trials::run_trials_with;
use crate::{
    Cell, Experiment, Figure, LabError, Report, ResultTable, Run, solver_comparison::Attempt,
};
use classic::connect_four::Solver;
use classic::forced::ForcedWin;
use games::connect_four::Position;
use search::{Algorithm, Budget, Limits, Playouts, Settings};

/// Random moves before the position is searched.
const PLIES: u32 = 12;

/// The settings swept over.
const THETAS: [f64; 4] = [0.1, 0.01, 0.001, 0.0001];
const PRECISIONS: [f64; 6] = [0.0, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1];

/// The best setting in P4: of 200 positions it concludes 135.
const PUBLISHED: (f64, f64, Proportion) = (0.001, 0.001, Proportion { hits: 135, of: 200 });

/// P4 does not say how many playouts judge a leaf. Ten cost about as much as the rest of an
/// iteration, and give a rate in steps of a tenth.
const PLAYOUTS: u32 = 10;

/// The factor on the iterations of PNS, which makes no playouts.
const PNS_ITERATION_FACTOR: u64 = 10;

/// The size of the exact solver's transposition table in bytes.
const MEMORY_BYTES: usize = 64 << 20;

fn contestants(seed: u64) -> Vec<Contestant> {
    let playouts = Playouts { per_leaf: PLAYOUTS, seed, ..Playouts::default() };
    let settings = Settings { playouts, ..Settings::default() };
    let proving = |algorithm| Contestant::proving(algorithm, settings);
    let proving = [
        proving(Algorithm::Pns).allowed(PNS_ITERATION_FACTOR),
        proving(Algorithm::Mcpns),
        proving(Algorithm::Uct),
    ];
    let believing = THETAS.map(|theta| Contestant::believing(theta, settings, &PRECISIONS));
    proving.into_iter().chain(believing).collect()
}

/// What all entries made of a position: the exact score, the nodes and milliseconds it took, and
/// the attempts.
type Trial = (i32, u64, f64, Vec<Attempt>);

fn trial(
    run: &Run<'_>,
    solver: &mut Solver,
    contestants: &[Contestant],
    limits: &Limits,
    number: u64,
) -> Result<Trial, LabError> {
    let there = |position: &Position| position.plies() == PLIES;
    let position = after_random_moves(&Position::START, there, run.seed, number);
    let mut budget = Budget::new(&Limits::default()).stopped_by(run.stop);
    let score = solver.solve(&position, &mut budget).exact().ok_or(LabError::Stopped)?;
    let (nodes, milliseconds) = (budget.nodes(), budget.elapsed().as_secs_f64() * 1e3);
    let question = ForcedWin::of_mover(position);
    let attempts = contestants.iter().map(|one| one.attempts(run, &question, limits));
    let attempts = attempts.collect::<Result<Vec<_>, _>>()?.concat();
    Ok((score, nodes, milliseconds, attempts))
}

/// Runs the experiment.
pub(crate) fn run(run: &Run<'_>) -> Result<Report, LabError> {
    let positions = run.trials(30, 200);
    let iterations = if run.full { 50_000 } else { 5_000 };
    let contestants = contestants(run.seed);
    // A node of a tree is 32 bytes or less, and has seven children at most.
    let memory = iterations as usize * 8 * 64;
    let limits = Limits { nodes: Some(iterations), memory, ..Limits::default() };
    let what = "Connect Four positions";
    let solver = || Solver::new(MEMORY_BYTES);
    let trials = run_trials_with(run, what, positions, solver, |solver, number| {
        trial(run, solver, &contestants, &limits, number)
    })?;
    let entries: Vec<Entry> = contestants.iter().flat_map(Contestant::entries).collect();
    let rows: Vec<(Entry, SolverStatistics)> =
        (0..).zip(entries).map(|(i, e)| (e, statistics(&trials, i))).collect();
    Ok(Report {
        experiment: Experiment::P4ConnectFour,
        settings: vec![
            ("seed", run.seed.to_string()),
            ("positions", positions.to_string()),
            ("random plies", PLIES.to_string()),
            ("most iterations", iterations.to_string()),
            ("times as many for PNS", PNS_ITERATION_FACTOR.to_string()),
            ("playouts of a leaf", PLAYOUTS.to_string()),
        ],
        tables: vec![table(&rows, &trials)],
        figures: vec![figure(&rows)?],
        findings: findings(&rows, &trials),
    })
}

/// The statistics of the entry with this index.
fn statistics(trials: &[Trial], index: usize) -> SolverStatistics {
    SolverStatistics::of(
        trials.iter().map(|(score, _, _, attempts)| (attempts[index], Some(*score > 0))),
    )
}

fn table(rows: &[(Entry, SolverStatistics)], trials: &[Trial]) -> ResultTable {
    let mut columns = Entry::COLUMNS.to_vec();
    columns.extend(SolverStatistics::COLUMNS);
    columns.push("paper concluded %");
    let title = "Figure 2: positions concluded by each solver, checked against the exact answer";
    let mut table = ResultTable::new("", title, columns);
    for (entry, statistics) in rows {
        let mut cells = entry.cells();
        cells.extend(statistics.cells());
        let (theta, precision, share) = PUBLISHED;
        let is_published = (entry.theta, entry.precision) == (Some(theta), Some(precision));
        cells.push(is_published.then(|| Cell::Number(100.0 * share.value(), 1)).into());
        table.row(cells);
    }
    table.row(anchor(trials));
    table
}

/// Exact alpha-beta on the same positions.
fn anchor(trials: &[Trial]) -> Vec<Cell> {
    let of = trials.len() as u64;
    let won = trials.iter().filter(|(score, ..)| *score > 0).count() as u64;
    let mean = |sum: f64, digits| Cell::Number(sum / of.max(1) as f64, digits);
    let nodes = trials.iter().map(|(_, nodes, ..)| *nodes as f64).sum();
    let milliseconds = trials.iter().map(|(_, _, ms, _)| ms).sum();
    let whole = Cell::Number(100.0, 1);
    let mut cells = vec!["alpha-beta, exact".into(), Cell::Empty, Cell::Empty];
    cells.extend([of.into(), won.into(), (of - won).into(), Cell::Count(0)]);
    cells.extend([whole.clone(), whole.clone(), whole, Cell::Count(0), of.into(), Cell::Count(0)]);
    cells.extend([Cell::Number(0.0, 1), Cell::Empty, mean(nodes, 0), mean(milliseconds, 2)]);
    cells.push(Cell::Empty);
    cells
}

fn findings(rows: &[(Entry, SolverStatistics)], trials: &[Trial]) -> Vec<String> {
    let proofs: u64 = rows.iter().map(|(_, statistics)| statistics.wrong_proofs).sum();
    let mut findings = vec![format!("{proofs} proofs of any solver were wrong")];
    if let Some((entry, statistics)) = best_never_wrong(rows) {
        let Proportion { hits, of } = statistics.concluded();
        findings.push(format!(
            "Never wrong and most often concluding: {} with {hits} of {of} ({} of them believed)",
            entry.name(),
            statistics.beliefs
        ));
    }
    let believing: Vec<(Entry, SolverStatistics)> =
        rows.iter().filter(|(entry, _)| entry.precision > Some(0.0)).copied().collect();
    if let Some((entry, statistics)) = best_never_wrong(&believing) {
        let Proportion { hits, of } = statistics.concluded();
        findings.push(format!(
            "Never wrong among those that stop on belief: {} with {hits} of {of} ({} believed)",
            entry.name(),
            statistics.beliefs
        ));
    }
    let (theta, precision, _) = PUBLISHED;
    let best = |(e, _): &&(Entry, SolverStatistics)| {
        (e.theta, e.precision) == (Some(theta), Some(precision))
    };
    if let Some((entry, statistics)) = rows.iter().find(best) {
        let Proportion { hits, of } = statistics.wrong_share();
        findings.push(format!("P4's best setting ({}) is wrong in {hits} of {of}", entry.name()));
    }
    let draws = trials.iter().filter(|(score, ..)| *score == 0).count();
    findings.push(format!("{draws} of {} positions are drawn, which is no win", trials.len()));
    findings
}

fn figure(rows: &[(Entry, SolverStatistics)]) -> Result<Figure, LabError> {
    let share = |title: &str, y_label: &str, of: &dyn Fn(&SolverStatistics) -> Proportion| Chart {
        title: title.into(),
        x_label: "pr: how near to certainty a belief has to be".into(),
        y_label: y_label.into(),
        ticks: (0..).map(f64::from).zip(PRECISIONS.map(|pr| pr.to_string())).collect(),
        logarithmic: false,
        series: THETAS.map(|theta| series(rows, theta, of)).to_vec(),
    };
    let charts = [
        share(
            "Concluded, proof or belief",
            "percent of the positions",
            &SolverStatistics::concluded,
        ),
        share("Wrong", "percent of the conclusions", &SolverStatistics::wrong_share),
    ];
    draw("", &charts, 2)
}

fn series(
    rows: &[(Entry, SolverStatistics)],
    theta: f64,
    of: &dyn Fn(&SolverStatistics) -> Proportion,
) -> Series {
    let these = rows.iter().filter(|(entry, _)| entry.theta == Some(theta));
    let aside = THETAS.iter().position(|&one| one == theta).unwrap_or(0) as f64 * 0.06 - 0.09;
    let point = |(i, (_, statistics)): (u32, &(Entry, SolverStatistics))| {
        let (share, x) = (of(statistics), f64::from(i) + aside);
        Point::with_interval(x, 100.0 * share.value(), share.interval().times(100.0))
    };
    let points = (0..).zip(these).filter(|(_, (_, statistics))| of(statistics).of > 0).map(point);
    Series::new(format!("theta {theta}"), SeriesStyle::Both, points.collect())
}
