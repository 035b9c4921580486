//! P4 table 1: solvers on Othello positions after random moves, and near the end, where the exact
//! answer is at hand, whether they are right.

use crate::figure::{Chart, Point, Series, SeriesStyle, draw};
use crate::placement::after_random_moves;
use crate::solver_comparison::{Attempt, Contestant, Entry, SolverStatistics};
use crate::statistics::Proportion;
use crate::trials::run_trials_with;
use crate::{Cell, Experiment, Figure, LabError, Report, ResultTable, Run};
use classic::forced::ForcedWin;
use classic::othello::Solver;
use games::othello::Position;
use search::{Algorithm, Budget, Limits, Playouts, Settings};

/// A kind of positions, by the number of random moves, passes not counted.
struct PositionKind {
    moves: u32,
    /// Solved and unsolved of 200, as [`contestants`] has the solvers.
    published: Option<[(u64, u64); 3]>,
}

/// P4's three kinds, and three near the end.
const KINDS: [PositionKind; 6] = [
    PositionKind { moves: 18, published: Some([(12, 1), (5, 4), (52, 56)]) },
    PositionKind { moves: 26, published: Some([(19, 16), (10, 10), (63, 88)]) },
    PositionKind { moves: 32, published: Some([(39, 39), (6, 37), (82, 91)]) },
    PositionKind { moves: 44, published: None },
    PositionKind { moves: 48, published: None },
    PositionKind { moves: 52, published: None },
];

/// From this many moves on the exact score is calculated.
const KNOWN_FROM: u32 = 44;

/// P4's precision, and nearer ones.
const PRECISIONS: [f64; 4] = [1e-5, 0.0, 1e-3, 1e-8];

/// P4 does not give the theta of this experiment; this one is its best for Connect Four.
const THETA: f64 = 0.001;

/// P4 does not say how many playouts judge a leaf; as in Connect Four.
const PLAYOUTS: u32 = 10;

/// The factor on the iterations of PNS, which makes no playouts.
const PNS_ITERATION_FACTOR: u64 = 50;

/// The maximum length of a game: sixty moves, and no two passes in a row.
const DEPTH: u32 = 120;

/// The size of the exact solver's transposition table in bytes.
const MEMORY_BYTES: usize = 64 << 20;

/// The published solvers first, in the order of [`PositionKind::published`].
fn contestants(seed: u64) -> Vec<Contestant> {
    let playouts = Playouts { per_leaf: PLAYOUTS, seed, ..Playouts::default() };
    let settings = Settings { playouts, ..Settings::default() };
    let proving = |algorithm| Contestant::proving(algorithm, settings);
    vec![
        proving(Algorithm::Pns).allowed(PNS_ITERATION_FACTOR),
        proving(Algorithm::Mcpns),
        Contestant::believing(THETA, settings, &PRECISIONS),
        proving(Algorithm::Uct),
    ]
}

/// Whether the side to move wins, where that is known, and the attempts.
type Trial = (Option<bool>, Vec<Attempt>);

fn trial(
    run: &Run<'_>,
    solver: &mut Solver,
    contestants: &[Contestant],
    limits: &Limits,
    (kind, number): (&PositionKind, u64),
) -> Result<Trial, LabError> {
    let there = |position: &Position| position.empty().count_ones() == 60 - kind.moves;
    let position = after_random_moves(&Position::START, there, run.seed, number);
    let truth = if kind.moves >= KNOWN_FROM {
        let mut budget = Budget::new(&Limits::default()).stopped_by(run.stop);
        Some(solver.solve(&position, &mut budget).exact().ok_or(LabError::Stopped)? > 0)
    } else {
        None
    };
    let question = ForcedWin::of_mover(position);
    let attempts = contestants.iter().map(|one| one.attempts(run, &question, limits));
    Ok((truth, attempts.collect::<Result<Vec<_>, _>>()?.concat()))
}

/// A row of the table.
struct Row<'a> {
    kind: &'a PositionKind,
    entry: Entry,
    statistics: SolverStatistics,
    published: Option<(u64, u64)>,
}

/// Runs the experiment.
pub(crate) fn run(run: &Run<'_>) -> Result<Report, LabError> {
    let positions = run.trials(6, 200);
    let iterations = if run.full { 2_000 } else { 500 };
    let contestants = contestants(run.seed);
    let memory = iterations as usize * 32 * 64;
    let limits = Limits { depth: DEPTH, nodes: Some(iterations), memory, ..Limits::default() };
    let entries: Vec<Entry> = contestants.iter().flat_map(Contestant::entries).collect();
    let mut rows = Vec::new();
    for kind in &KINDS {
        let what = format!("Othello after {} moves", kind.moves);
        let solver = || Solver::new(MEMORY_BYTES);
        let trials = run_trials_with(run, &what, positions, solver, |solver, number| {
            trial(run, solver, &contestants, &limits, (kind, number))
        })?;
        rows.extend(entries.iter().enumerate().map(|(index, &entry)| {
            let attempts = trials.iter().map(|(truth, attempts)| (attempts[index], *truth));
            let published = kind.published.and_then(|all| all.get(index).copied());
            Row { kind, entry, statistics: SolverStatistics::of(attempts), published }
        }));
    }
    Ok(Report {
        experiment: Experiment::P4Othello,
        settings: vec![
            ("seed", run.seed.to_string()),
            ("positions of each kind", positions.to_string()),
            ("most iterations", iterations.to_string()),
            ("times as many for PNS", PNS_ITERATION_FACTOR.to_string()),
            ("playouts of a leaf", PLAYOUTS.to_string()),
        ],
        tables: vec![table(&rows)],
        figures: vec![figure(&rows)?],
        findings: findings(&rows),
    })
}

fn table(rows: &[Row<'_>]) -> ResultTable {
    let mut columns = vec!["moves"];
    columns.extend(Entry::COLUMNS);
    columns.extend(SolverStatistics::COLUMNS);
    columns.extend(["paper solved", "paper unsolved", "paper concluded %"]);
    let title = "Table 1: positions concluded by each solver, after so many random moves";
    let mut table = ResultTable::new("", title, columns);
    for Row { kind, entry, statistics, published } in rows {
        let mut cells = vec![kind.moves.into()];
        cells.extend(entry.cells());
        cells.extend(statistics.cells());
        cells.push(published.map(|(solved, _)| solved).into());
        cells.push(published.map(|(_, unsolved)| unsolved).into());
        let concluded = |(solved, unsolved)| Cell::Number((solved + unsolved) as f64 / 2.0, 1);
        cells.push(published.map(concluded).into());
        table.row(cells);
    }
    table
}

fn findings(rows: &[Row<'_>]) -> Vec<String> {
    let proofs: u64 = rows.iter().map(|row| row.statistics.wrong_proofs).sum();
    let mut findings = vec![format!("{proofs} proofs of any solver were wrong")];
    for precision in PRECISIONS.into_iter().filter(|&precision| precision > 0.0) {
        let these = rows.iter().filter(|row| row.entry.precision == Some(precision));
        let (wrong, checked) = these.fold((0, 0), |(wrong, checked), row| {
            (wrong + row.statistics.wrong, checked + row.statistics.checked)
        });
        findings.push(format!(
            "PPNS with pr {precision} is wrong in {wrong} of the {checked} conclusions that were checked"
        ));
    }
    findings
}

fn figure(rows: &[Row<'_>]) -> Result<Figure, LabError> {
    let name = |entry: &Entry| entry.name().replace(&format!(", theta {THETA}"), "");
    let mut entries: Vec<Entry> = Vec::new();
    for row in rows.iter().filter(|row| row.published.is_some()) {
        if !entries.contains(&row.entry) {
            entries.push(row.entry);
        }
    }
    let share = |(kind, share): (&PositionKind, Proportion), aside: f64| {
        let (x, interval) = (f64::from(kind.moves) + aside, share.interval().times(100.0));
        Point::with_interval(x, 100.0 * share.value(), interval)
    };
    let mut series = Vec::new();
    for (i, entry) in entries.iter().enumerate() {
        let these = || rows.iter().filter(|row| row.entry == *entry);
        let aside = 0.3 * i as f64 - 0.3;
        let ours = these().map(|row| share((row.kind, row.statistics.concluded()), aside));
        series.push(Series::new(name(entry), SeriesStyle::Both, ours.collect()));
    }
    for entry in &entries {
        let these = rows.iter().filter(|row| row.entry == *entry);
        let paper = these.filter_map(|row| {
            let (solved, unsolved) = row.published?;
            let of = Proportion { hits: solved + unsolved, of: 200 };
            Some(Point::new(row.kind.moves, 100.0 * of.value()))
        });
        series.push(Series::new(
            format!("{}, paper", name(entry)),
            SeriesStyle::Line,
            paper.collect(),
        ));
    }
    let chart = Chart {
        title: "Othello: positions concluded, proof or belief".into(),
        x_label: "random moves before".into(),
        y_label: "percent of the positions".into(),
        ticks: KINDS.iter().map(|k| (f64::from(k.moves), k.moves.to_string())).collect(),
        logarithmic: false,
        series,
    };
    draw("", &[chart], 1)
}
