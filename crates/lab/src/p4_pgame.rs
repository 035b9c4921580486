//! P4 III-A: random trees of two shapes. How much work a solver needs to settle them, and how often
//! its move is wrong while it is still at work.

use crate::figure::{Chart, Point, Series, SeriesStyle, draw};
use crate::solver_comparison::{Attempt, Contestant, SolverStatistics};
use crate::statistics::Proportion;
use crate::trials::run_trials;
use crate::{Cell, Experiment, Figure, LabError, Report, ResultTable, Run};
use classic::forced::ForcedWin;
use games::pgame::Position;
use games::{Rules, Seat};
use search::{Algorithm, AlphaBeta, Budget, DepthSearch, Limits, Playouts, Settings};
use serde::{Deserialize, Serialize};

/// Branches and layers.
const SHAPES: [(u32, u32); 2] = [(2, 20), (8, 8)];

/// One playout a leaf, so that an iteration is as cheap as may be. P4 does not say.
const PLAYOUTS: u32 = 1;

/// The best move of a solver is recorded after 1, 2, 4, ... iterations.
const RECORDED_MOVES: u32 = 17;

/// A solver, and what the tables call it.
struct Player {
    name: &'static str,
    contestant: Contestant,
}

fn players(seed: u64, iterations: u64) -> Vec<Player> {
    let playouts = Playouts { per_leaf: PLAYOUTS, seed, ..Playouts::default() };
    let settings = Settings { playouts, iterations, ..Settings::default() };
    let greedy = Settings { exploration: 0.0, ..settings };
    let player = |name, algorithm, settings| Player {
        name,
        contestant: Contestant::proving(algorithm, settings),
    };
    vec![
        player("PNS", Algorithm::Pns, settings),
        player("MCPNS", Algorithm::Mcpns, settings),
        player("PPNS", Algorithm::Ppns, settings),
        player("UCT solver", Algorithm::Uct, settings),
        player("MCTS solver, no exploration", Algorithm::Uct, greedy),
        player("MCTS, no proofs", Algorithm::Mcts, settings),
    ]
}

/// A solver's search of a tree.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SearchRun {
    attempt: Attempt,
    /// Whether its move after 2^i iterations gives away a won tree.
    errors: Vec<bool>,
}

/// Whether MAX wins the tree, and the runs of the solvers.
type Tree = (bool, Vec<SearchRun>);

/// For each move of MAX at the root, whether it keeps the win.
fn winning_moves(root: &Position, depth: u32) -> Vec<bool> {
    let mut budget = Budget::new(&Limits { depth, ..Limits::default() });
    let mut wins = |mv| {
        let question = ForcedWin { position: root.play_unchecked(mv), side: Seat::First };
        // Without a limit and a stop flag the search always finishes.
        AlphaBeta::plain().prove(&question, depth, &mut budget) == Ok(true)
    };
    root.legal_moves().into_iter().map(&mut wins).collect()
}

fn course(
    run: &Run<'_>,
    player: &Player,
    root: &Position,
    winning: &[bool],
    limits: &Limits,
) -> Result<SearchRun, LabError> {
    let lost = !winning.contains(&true);
    let mut errors = Vec::new();
    let mut wrong = true;
    let question = ForcedWin { position: *root, side: Seat::First };
    let mut look = |number: u64, best: Option<u32>| {
        wrong = !lost && !best.is_some_and(|mv| winning[mv as usize]);
        if number.is_power_of_two() {
            errors.push(wrong);
        }
    };
    let attempts = player.contestant.attempts_observed(run, &question, limits, &mut look)?;
    errors.resize(RECORDED_MOVES as usize, wrong);
    Ok(SearchRun { attempt: attempts[0], errors })
}

fn tree(
    run: &Run<'_>,
    players: &[Player],
    (branching, depth): (u32, u32),
    limits: &Limits,
    number: u64,
) -> Result<Tree, LabError> {
    // Every tree has a seed of its own, far from those of other runs.
    let seed = run.seed.wrapping_mul(1_000_003).wrapping_add(number);
    let root = Position::new(branching, depth, seed);
    let root = root.map_err(|error| LabError::Input(error.to_string()))?;
    let winning = winning_moves(&root, depth);
    let runs = players.iter().map(|player| course(run, player, &root, &winning, limits));
    Ok((winning.contains(&true), runs.collect::<Result<_, _>>()?))
}

/// The results of a solver on the trees of a shape.
struct Row<'a> {
    shape: (u32, u32),
    player: &'a Player,
    statistics: SolverStatistics,
    /// The share of won trees given away after 2^i iterations.
    errors: Vec<Proportion>,
    middle: f64,
}

impl<'a> Row<'a> {
    fn new(shape: (u32, u32), player: &'a Player, index: usize, trees: &[Tree]) -> Row<'a> {
        let runs = || trees.iter().map(|(won, runs)| (*won, &runs[index]));
        let error = |look: usize| {
            let won = || runs().filter(|(won, _)| *won);
            let hits = won().filter(|(_, course)| course.errors[look]).count() as u64;
            Proportion { hits, of: won().count() as u64 }
        };
        let mut iterations: Vec<u64> = runs().map(|(_, c)| c.attempt.iterations).collect();
        iterations.sort_unstable();
        Row {
            shape,
            player,
            statistics: SolverStatistics::of(
                runs().map(|(won, course)| (course.attempt, Some(won))),
            ),
            errors: (0..RECORDED_MOVES as usize).map(error).collect(),
            middle: iterations.get(iterations.len() / 2).map_or(0.0, |&middle| middle as f64),
        }
    }

    /// The mean proportion of wrong moves over all recorded iterations.
    fn mean_error(&self) -> f64 {
        self.errors.iter().map(|share| share.value()).sum::<f64>() / self.errors.len() as f64
    }
}

/// Runs the experiment.
pub(crate) fn run(run: &Run<'_>) -> Result<Report, LabError> {
    let trees = run.trials(20, 200);
    let iterations = 1 << (RECORDED_MOVES - 1);
    let players = players(run.seed, iterations);
    let mut rows = Vec::new();
    for shape in SHAPES {
        let (branching, depth) = shape;
        let memory = (iterations as usize + 1) * (branching as usize + 1) * 64;
        let limits = Limits { depth, nodes: Some(iterations), memory, time: None };
        let what = format!("trees of {branching} branches and {depth} layers");
        let done =
            run_trials(run, &what, trees, |number| tree(run, &players, shape, &limits, number))?;
        let row = |(index, player)| Row::new(shape, player, index, &done);
        rows.extend(players.iter().enumerate().map(row));
    }
    Ok(Report {
        experiment: Experiment::P4Pgame,
        settings: vec![
            ("seed", run.seed.to_string()),
            ("trees of each shape", trees.to_string()),
            ("most iterations", iterations.to_string()),
            ("playouts of a leaf", PLAYOUTS.to_string()),
        ],
        tables: vec![table(&rows), errors(&rows)],
        figures: vec![figure(&rows)?],
        findings: findings(&rows),
    })
}

fn shape_name((branching, depth): (u32, u32)) -> String {
    format!("{branching} branches, {depth} layers")
}

fn table(rows: &[Row<'_>]) -> ResultTable {
    let mut columns = vec!["shape", "solver"];
    columns.extend(SolverStatistics::COLUMNS);
    columns.extend(["median iterations", "mean error %"]);
    let title =
        "Random trees: what it takes to settle them (a mean error over 1, 2, 4, ... iterations)";
    let mut table = ResultTable::new("", title, columns);
    for row in rows {
        let mut cells = vec![shape_name(row.shape).into(), row.player.name.into()];
        cells.extend(row.statistics.cells());
        cells.extend([Cell::Number(row.middle, 0), Cell::Number(100.0 * row.mean_error(), 1)]);
        table.row(cells);
    }
    table
}

fn errors(rows: &[Row<'_>]) -> ResultTable {
    let columns = ["shape", "solver", "iterations", "wrong", "of", "wrong %", "from", "to"];
    let title = "Won trees that the solver's move would give away, by iteration";
    let mut table = ResultTable::new("errors", title, columns);
    for row in rows {
        for (look, share) in row.errors.iter().enumerate() {
            let percent = |value: f64| Cell::Number(100.0 * value, 1);
            table.row([
                shape_name(row.shape).into(),
                row.player.name.into(),
                Cell::Count(1 << look),
                share.hits.into(),
                share.of.into(),
                percent(share.value()),
                percent(share.interval().low),
                percent(share.interval().high),
            ]);
        }
    }
    table
}

fn findings(rows: &[Row<'_>]) -> Vec<String> {
    let wrong: u64 = rows.iter().map(|row| row.statistics.wrong_proofs).sum();
    let mut findings = vec![format!("{wrong} proofs of any solver were wrong")];
    for shape in SHAPES {
        let these = || rows.iter().filter(|row| row.shape == shape);
        let steadiest = these().min_by(|a, b| a.mean_error().total_cmp(&b.mean_error()));
        let fewest =
            these().filter(|row| row.statistics.concluded().hits == row.statistics.positions);
        let fewest = fewest.min_by(|a, b| a.middle.total_cmp(&b.middle));
        let name = shape_name(shape);
        if let Some(row) = fewest {
            let text = format!("{name}: settled in the fewest iterations by {}", row.player.name);
            findings.push(format!("{text} (median {})", row.middle));
        }
        if let Some(row) = steadiest {
            findings.push(format!("{name}: fewest wrong moves on the way by {}", row.player.name));
        }
    }
    findings
}

fn figure(rows: &[Row<'_>]) -> Result<Figure, LabError> {
    let exponent = |look: usize| f64::from(look as u32);
    let charts: Vec<Chart> = SHAPES
        .iter()
        .map(|&shape| Chart {
            title: format!("Wrong moves: {}", shape_name(shape)),
            x_label: "iterations".into(),
            y_label: "percent of the won trees".into(),
            ticks: (0..RECORDED_MOVES as usize)
                .step_by(2)
                .map(|look| (exponent(look), (1u64 << look).to_string()))
                .collect(),
            logarithmic: false,
            series: rows
                .iter()
                .filter(|row| row.shape == shape)
                .map(|row| {
                    let points = row.errors.iter().enumerate();
                    let point = |(look, share): (usize, &Proportion)| {
                        Point::new(exponent(look), 100.0 * share.value())
                    };
                    Series::new(row.player.name, SeriesStyle::Both, points.map(point).collect())
                })
                .collect(),
        })
        .collect();
    draw("", &charts, 2)
}
