//! P3 table 3: how often a puzzle can be made two plies longer by taking moves back.
//!
//! The paper's steps, taken literally, never backtrack from the own unmove to the opponent's: the
//! first suitable unmove of the opponent is kept. Our generator tries every pair.

use crate::figure::{Chart, Point, Series, SeriesStyle, draw, plies};
use crate::p3_random::FITTING;
use crate::result_table::{COMPARISON_COLUMNS, comparison_cells};
use crate::statistics::Proportion;
use crate::trials::{run_trials_with_solver, solved_placements};
use crate::{Cell, Experiment, Figure, LabError, Report, ResultTable, Run};
use common::rng::stream;
use games::geister::Position;
use geister::solver::{SearchGoal, Solver};
use puzzle::compose::reverse::{lengthened, opponent_unmoves, own_unmoves};
use rand::Rng;
use rand::seq::SliceRandom;
use search::{Budget, Limits, Stop};

/// The published successes and puzzles to begin with: to 9, 11, ..., 19 plies.
const PUBLISHED: [Proportion; 6] = [
    Proportion { hits: 8_051, of: 14_124 },
    Proportion { hits: 2_510, of: 4_482 },
    Proportion { hits: 933, of: 1_829 },
    Proportion { hits: 191, of: 416 },
    Proportion { hits: 29, of: 95 },
    Proportion { hits: 4, of: 20 },
];

/// The shortest and the longest start puzzle.
const FIRST_PLIES: u32 = 7;
const LAST_PLIES: u32 = 17;

/// Placements that make about as many puzzles to begin with as the paper had.
const FULL_TRIALS: u64 = 500_000;

/// The node limit per puzzle; a puzzle that needs more counts as not lengthened.
const MAX_NODES: u64 = 50_000_000;

/// How unmoves are chosen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// The first suitable opponent unmove is kept.
    WordForWord,
    /// Every pair of unmoves is tried.
    EveryPair,
}

impl Reading {
    const ALL: [Reading; 2] = [Reading::WordForWord, Reading::EveryPair];

    const fn name(self) -> &'static str {
        match self {
            Reading::WordForWord => "the first opposing take-back is kept",
            Reading::EveryPair => "every pair is tried",
        }
    }
}

/// Whether the puzzle can be made longer by the paper's steps.
fn can_grow(
    position: &Position,
    m_win: u32,
    solver: &mut Solver,
    rng: &mut impl Rng,
) -> Result<bool, Stop> {
    let mut budget = Budget::new(&Limits { nodes: Some(MAX_NODES), ..Limits::default() });
    let mut wins = |position: &Position, plies: u32| {
        // The transposition table is valid for one number of hidden blues only.
        solver.start_from(position);
        solver.wins_within(position, plies, SearchGoal::Win, &mut budget)
    };
    let mut between = opponent_unmoves(position);
    between.shuffle(rng);
    for between in between {
        if wins(&between, m_win + 1)? {
            for before in own_unmoves(&between) {
                if !wins(&before, m_win)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
    }
    Ok(false)
}

/// Which of the puzzles can be made longer.
fn grown(
    run: &Run<'_>,
    starts: &[(Position, u32)],
    reading: Reading,
) -> Result<Vec<bool>, LabError> {
    run_trials_with_solver(run, reading.name(), starts.len() as u64, |solver, index| {
        let (position, length) = &starts[index as usize];
        // A random stream that the placements do not use.
        let mut rng = stream(!run.seed, index);
        let longer = match reading {
            Reading::WordForWord => can_grow(position, *length, solver, &mut rng),
            Reading::EveryPair => {
                lengthened(position, *length, solver, &mut rng, MAX_NODES).map(|p| p.is_some())
            }
        };
        match longer {
            Ok(longer) => Ok(longer),
            Err(Stop::Interrupted) => Err(LabError::Stopped),
            Err(_) => Ok(false),
        }
    })
}

/// One row: the reading, the greater length, our share, the paper's.
type Row = (Reading, u32, Proportion, Proportion);

/// Runs the experiment.
pub(crate) fn run(run: &Run<'_>) -> Result<Report, LabError> {
    let trials = run.trials(3_000, FULL_TRIALS);
    let starts = starts(run, trials)?;
    let mut rows = Vec::new();
    for reading in Reading::ALL {
        let longer = grown(run, &starts, reading)?;
        rows.extend(PUBLISHED.iter().enumerate().map(|(i, paper)| {
            let length = FIRST_PLIES + 2 * i as u32;
            let these = starts.iter().zip(&longer).filter(|((_, l), _)| *l == length);
            let (mut hits, mut of) = (0, 0);
            these.for_each(|(_, &made)| (hits, of) = (hits + u64::from(made), of + 1));
            (reading, length + 2, Proportion { hits, of }, *paper)
        }));
    }
    Ok(Report {
        experiment: Experiment::P3Reverse,
        settings: vec![
            ("seed", run.seed.to_string()),
            ("placements", trials.to_string()),
            ("most nodes", MAX_NODES.to_string()),
        ],
        tables: vec![table(&rows)],
        figures: vec![figure(&rows)?],
        findings: Vec::new(),
    })
}

/// The start puzzles, two ghosts of each kind, nothing revealed.
fn starts(run: &Run<'_>, trials: u64) -> Result<Vec<(Position, u32)>, LabError> {
    let position = |trial| FITTING.position(run.seed, trial);
    let placed = solved_placements(run, "puzzles to begin with", trials, LAST_PLIES, position)?;
    let long = placed.into_iter().filter_map(|(p, length)| Some((p, length?)));
    Ok(long.filter(|(_, length)| *length >= FIRST_PLIES).collect())
}

fn table(rows: &[Row]) -> ResultTable {
    let mut columns = vec!["reading", "to plies"];
    columns.extend(COMPARISON_COLUMNS);
    let mut table =
        ResultTable::new("", "Table 3: puzzles that can be made two plies longer", columns);
    for &(reading, plies, ours, paper) in rows {
        let mut row: Vec<Cell> = vec![reading.name().into(), plies.into()];
        row.extend(comparison_cells(ours, Some(paper)));
        table.row(row);
    }
    table
}

fn figure(rows: &[Row]) -> Result<Figure, LabError> {
    let point = |plies: u32, share: Proportion, aside: f64| {
        Point::with_interval(f64::from(plies) + aside, share.value(), share.interval())
    };
    let paper = rows.iter().filter(|row| row.0 == Reading::ALL[0]);
    let paper = paper.map(|&(_, plies, _, paper)| point(plies, paper, 0.0)).collect();
    let mut series = vec![Series::new("P3 table 3", SeriesStyle::Both, paper)];
    for (reading, aside) in Reading::ALL.into_iter().zip([-0.12, 0.12]) {
        let ours = rows.iter().filter(|row| row.0 == reading && row.2.of > 0);
        let ours = ours.map(|&(_, plies, ours, _)| point(plies, ours, aside)).collect();
        series.push(Series::new(reading.name(), SeriesStyle::Both, ours));
    }
    let chart = Chart {
        title: "Reverse generation: puzzles made two plies longer".into(),
        x_label: "M_win of the longer puzzle, plies".into(),
        y_label: "share of puzzles".into(),
        ticks: plies(FIRST_PLIES + 2, LAST_PLIES + 2),
        logarithmic: false,
        series,
    };
    draw("", &[chart], 1)
}
