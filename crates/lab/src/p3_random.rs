//! P3 table 2: the lengths of random placements, two ghosts of each kind, nothing shown.
//!
//! The paper does not say which placements it leaves out. Each reading here closes squares to some
//! ghosts; the one that fits best over the whole distribution is named.

use crate::figure::{Chart, Point, Series, SeriesStyle, draw, plies};
use crate::placement::{Group, place};
use crate::result_table::{COMPARISON_COLUMNS, comparison_cells};
use crate::statistics::{ChiSquare, Proportion};
use crate::trials::{m_win, run_trials_with_solver};
use crate::{Cell, Experiment, Figure, LabError, Report, ResultTable, Run};
use common::rng::stream;
use games::geister::{Bitboard, Ghost, Position};
use geister::board::{ALL_SQUARES, BOTTOM_EXITS, TOP_EXITS};

/// The search depth in plies.
pub(crate) const DEPTH: u32 = 19;

/// The published numbers of 3, 5, ..., 19 plies, of 172,200 placements.
const PUBLISHED: [u64; 9] = [29_433, 14_495, 4_548, 1_666, 660, 158, 32, 7, 1];
const PUBLISHED_OF: u64 = 172_200;

/// Which squares are closed: the bottom side's exits to its own ghosts, the top side's exits to the
/// opposing ones.
#[derive(Clone, Copy)]
pub(crate) struct Reading {
    name: &'static str,
    own_red_kept_off: bool,
    top_blue_kept_off: bool,
    top_red_kept_off: bool,
}

/// The reading that fits table 2.
pub(crate) const FITTING: Reading = Reading {
    name: "no own ghost on a6 f6, no opposing blue on a1 f1",
    own_red_kept_off: true,
    top_blue_kept_off: true,
    top_red_kept_off: false,
};

const READINGS: [Reading; 6] = [
    Reading {
        name: "no own blue on a6 f6 (as P1)",
        own_red_kept_off: false,
        top_blue_kept_off: false,
        top_red_kept_off: false,
    },
    Reading {
        name: "no own ghost on a6 f6",
        own_red_kept_off: true,
        top_blue_kept_off: false,
        top_red_kept_off: false,
    },
    Reading {
        name: "no own blue on a6 f6, no opposing blue on a1 f1",
        own_red_kept_off: false,
        top_blue_kept_off: true,
        top_red_kept_off: false,
    },
    FITTING,
    Reading {
        name: "no own blue on a6 f6, no opposing ghost on a1 f1",
        own_red_kept_off: false,
        top_blue_kept_off: true,
        top_red_kept_off: true,
    },
    Reading {
        name: "no own ghost on a6 f6, no opposing ghost on a1 f1",
        own_red_kept_off: true,
        top_blue_kept_off: true,
        top_red_kept_off: true,
    },
];

impl Reading {
    /// The position of a trial.
    pub(crate) fn position(self, seed: u64, trial: u64) -> Position {
        let open = |kept_off: bool, exits: Bitboard| {
            if kept_off { ALL_SQUARES.without(exits) } else { ALL_SQUARES }
        };
        let two = |ghost, open| Group { ghost, number: 2, open };
        let groups = [
            two(Ghost::OwnBlue, open(true, BOTTOM_EXITS)),
            two(Ghost::OwnRed, open(self.own_red_kept_off, BOTTOM_EXITS)),
            two(Ghost::Hidden, open(self.top_blue_kept_off, TOP_EXITS)),
            two(Ghost::Hidden, open(self.top_red_kept_off, TOP_EXITS)),
        ];
        place(&groups, 2, &mut stream(seed, trial))
    }
}

/// How many trials are won in 3, 5, ..., 19 plies.
struct Sample {
    reading: Reading,
    by_length: [u64; 9],
    of: u64,
}

impl Sample {
    fn distribution(&self) -> Vec<u64> {
        distribution(&self.by_length, self.of)
    }

    fn test(&self) -> ChiSquare {
        ChiSquare::of(&self.distribution(), &distribution(&PUBLISHED, PUBLISHED_OF))
    }
}

/// The rest, then the lengths.
fn distribution(by_length: &[u64; 9], of: u64) -> Vec<u64> {
    let rest = of - by_length.iter().sum::<u64>();
    std::iter::once(rest).chain(by_length.iter().copied()).collect()
}

/// The lengths of the trials of a reading.
fn sample(run: &Run<'_>, reading: Reading, trials: u64) -> Result<Sample, LabError> {
    let lengths = run_trials_with_solver(run, reading.name, trials, |solver, trial| {
        m_win(run, solver, &reading.position(run.seed, trial), DEPTH)
    })?;
    let mut by_length = [0; 9];
    for length in lengths.into_iter().flatten() {
        if let Some(number) = by_length.get_mut((length as usize).saturating_sub(3) / 2) {
            *number += 1;
        }
    }
    Ok(Sample { reading, by_length, of: trials })
}

/// Runs the experiment.
pub(crate) fn run(run: &Run<'_>) -> Result<Report, LabError> {
    let trials = run.trials(2_000, PUBLISHED_OF);
    let samples: Vec<Sample> = READINGS
        .into_iter()
        .map(|reading| sample(run, reading, trials))
        .collect::<Result<_, _>>()?;
    Ok(Report {
        experiment: Experiment::P3Random,
        settings: vec![
            ("seed", run.seed.to_string()),
            ("depth", DEPTH.to_string()),
            ("placements under each reading", trials.to_string()),
        ],
        tables: vec![readings(&samples), lengths(&samples)],
        figures: vec![figure(&samples)?],
        findings: findings(&samples),
    })
}

fn findings(samples: &[Sample]) -> Vec<String> {
    let best = samples.iter().min_by(|a, b| a.test().value.total_cmp(&b.test().value));
    let best = best.map(|sample| {
        let word = match sample.test().fits() {
            Some(true) => "agrees",
            Some(false) => "comes nearest, but differs",
            None => "comes nearest, but these are too few placements to compare",
        };
        format!("\"{}\" {word}: {}", sample.reading.name, sample.test())
    });
    best.into_iter().collect()
}

fn readings(samples: &[Sample]) -> ResultTable {
    let mut table = ResultTable::new(
        "",
        "Table 2 under each reading: is the whole distribution of lengths the paper's?",
        ["reading", "won", "of", "won %", "paper %", "chi-square", "freedom", "limit", "fits"],
    );
    let published: u64 = PUBLISHED.iter().sum();
    for sample in samples {
        let (won, test) = (sample.by_length.iter().sum(), sample.test());
        table.row([
            sample.reading.name.into(),
            Cell::Count(won),
            sample.of.into(),
            Cell::percent(Proportion { hits: won, of: sample.of }.value()),
            Cell::percent(Proportion { hits: published, of: PUBLISHED_OF }.value()),
            Cell::Number(test.value, 1),
            test.degrees_of_freedom.into(),
            Cell::Number(test.limit(), 1),
            test.fits().into(),
        ]);
    }
    table
}

fn lengths(samples: &[Sample]) -> ResultTable {
    let mut columns = vec!["reading", "plies"];
    columns.extend(COMPARISON_COLUMNS);
    let mut table = ResultTable::new("lengths", "Table 2: placements by length", columns);
    for sample in samples {
        for (index, plies) in (3..=DEPTH).step_by(2).enumerate() {
            let ours = Proportion { hits: sample.by_length[index], of: sample.of };
            let paper = Proportion { hits: PUBLISHED[index], of: PUBLISHED_OF };
            let mut row: Vec<Cell> = vec![sample.reading.name.into(), plies.into()];
            row.extend(comparison_cells(ours, Some(paper)));
            table.row(row);
        }
    }
    table
}

fn figure(samples: &[Sample]) -> Result<Figure, LabError> {
    let points = |by_length: &[u64; 9], of: u64, aside: f64| -> Vec<Point> {
        let shares = by_length.iter().map(|&hits| Proportion { hits, of });
        let plies = (3..=DEPTH).step_by(2).map(|plies| f64::from(plies) + aside);
        plies
            .zip(shares)
            .filter(|(_, share)| share.hits > 0)
            .map(|(x, share)| Point::with_interval(x, share.value(), share.interval()))
            .collect()
    };
    let mut series =
        vec![Series::new("P3 table 2", SeriesStyle::Points, points(&PUBLISHED, PUBLISHED_OF, 0.0))];
    for (reading, aside) in [(READINGS[0], 0.2), (FITTING, -0.2)] {
        for sample in samples.iter().filter(|sample| sample.reading.name == reading.name) {
            let points = points(&sample.by_length, sample.of, aside);
            series.push(Series::new(sample.reading.name, SeriesStyle::Points, points));
        }
    }
    let chart = Chart {
        title: "Random placements, two ghosts of each kind, nothing shown".into(),
        x_label: "M_win, plies".into(),
        y_label: "share of placements".into(),
        ticks: plies(3, DEPTH),
        logarithmic: true,
        series,
    };
    draw("", &[chart], 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_keep_ghosts_off_their_squares() {
        for trial in 0..500 {
            let position = FITTING.position(1, trial);
            let own = position.ghosts(Ghost::OwnBlue) | position.ghosts(Ghost::OwnRed);
            assert!(!own.meets(BOTTOM_EXITS));
            assert_eq!(position.ghosts(Ghost::Hidden).count(), 4);
            assert_eq!((position.blue_count(), own.count()), (2, 4));
        }
        let all = READINGS.len() - 1;
        assert!((0..500).all(|trial| {
            !READINGS[all].position(1, trial).ghosts(Ghost::Hidden).meets(TOP_EXITS)
        }));
    }

    #[test]
    fn the_published_numbers_add_up() {
        assert_eq!(distribution(&PUBLISHED, PUBLISHED_OF)[0], 121_200);
    }
}
