//! P1 5.3: how often random placement makes a puzzle, by length (figure 4) and by the counts of
//! ghosts (figure 5, equations 1 and 2), and how many are special ([`crate::p1_special`]).

use crate::figure::{Chart, Point, Series, SeriesStyle, draw, plies};
use crate::miscount::miscounted;
use crate::p1_special::{self, classified};
use crate::placement::{partly_revealed_combinations, with_drawn_numbers};
use crate::result_table::{COMPARISON_COLUMNS, comparison_cells};
use crate::statistics::{ChiSquare, Interval, LinearFit, Observation, Proportion, least_squares};
use crate::trials::{SolvedPlacement, run_trials_with_solver, solved_placements};
use crate::{Cell, Experiment, Figure, LabError, Report, ResultTable, Run};
use geister::solver::Revealed;
use puzzle::compose::random::Placement;
use puzzle::material::{Colours, Counts, Material};

/// The search depth in plies.
pub(crate) const DEPTH: u32 = 17;

/// The lengths that are published one by one. Three and five plies are known only together: the
/// overall number less those of the published collection, which begins at seven.
pub(crate) const LENGTHS: [u32; 6] = [7, 9, 11, 13, 15, 17];

/// The published results for not revealed or for partly revealed puzzles.
pub(crate) struct Published {
    /// Puzzles of all trials.
    pub(crate) overall: Proportion,
    /// Puzzles of 7, 9, ..., 17 plies, counted in the published collection.
    pub(crate) by_length: [u64; 6],
    /// Constant, N_B, N_R, N_b, N_r.
    equation: [f64; 5],
    r_squared: f64,
}

pub(crate) const NOT_REVEALED: Published = Published {
    overall: Proportion { hits: 201_829, of: 810_000 },
    by_length: [18_993, 7_249, 3_206, 1_149, 418, 162],
    equation: [0.222, 0.107, -0.006, -0.067, -0.021],
    r_squared: 0.948,
};

pub(crate) const PARTLY_REVEALED: Published = Published {
    overall: Proportion { hits: 54_330, of: 180_000 },
    by_length: [5_493, 2_816, 2_062, 1_441, 1_131, 706],
    equation: [0.266, 0.132, 0.006, -0.118, 0.005],
    r_squared: 0.869,
};

impl Published {
    /// Not won, 3 and 5 plies together, 7, 9, ..., 17.
    fn distribution(&self) -> Vec<u64> {
        let long: u64 = self.by_length.iter().sum();
        let mut all = vec![self.overall.of - self.overall.hits, self.overall.hits - long];
        all.extend(self.by_length);
        all
    }
}

/// How partly revealed positions are made and counted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    NotRevealed,
    Coins,
    CoinsMiscounted,
    Numbers,
    NumbersMiscounted,
}

impl Reading {
    const ALL: [Reading; 5] = [
        Reading::NotRevealed,
        Reading::Coins,
        Reading::CoinsMiscounted,
        Reading::Numbers,
        Reading::NumbersMiscounted,
    ];

    const fn name(self) -> &'static str {
        match self {
            Reading::NotRevealed => "not revealed",
            Reading::Coins => "partly, a coin for each ghost",
            Reading::CoinsMiscounted => "partly, a coin for each ghost, miscounted",
            Reading::Numbers => "partly, numbers drawn",
            Reading::NumbersMiscounted => "partly, numbers drawn, miscounted",
        }
    }

    const fn published(self) -> &'static Published {
        match self {
            Reading::NotRevealed => &NOT_REVEALED,
            _ => &PARTLY_REVEALED,
        }
    }
}

/// Lengths by combination: trial `t` has combination `t` modulo their number.
struct Sample {
    reading: Reading,
    combinations: Vec<Colours>,
    lengths: Vec<Option<u32>>,
}

impl Sample {
    fn overall(&self) -> Proportion {
        self.won(|_, length| length.is_some())
    }

    /// The share of trials for which `is` holds, given the number of the trial and the length.
    fn won(&self, is: impl Fn(usize, Option<u32>) -> bool) -> Proportion {
        let hits = self.lengths.iter().enumerate().filter(|(i, length)| is(*i, **length)).count();
        Proportion { hits: hits as u64, of: self.lengths.len() as u64 }
    }

    fn of_length(&self, plies: u32) -> Proportion {
        self.won(|_, length| length == Some(plies))
    }

    fn distribution(&self) -> Vec<u64> {
        let short = self.of_length(3).hits + self.of_length(5).hits;
        let overall = self.overall();
        let mut all = vec![overall.of - overall.hits, short];
        all.extend(LENGTHS.map(|plies| self.of_length(plies).hits));
        all
    }

    fn of_combination(&self, index: usize) -> Proportion {
        let mine = self.lengths.iter().skip(index).step_by(self.combinations.len());
        let (mut hits, mut of) = (0, 0);
        mine.for_each(|length| (hits, of) = (hits + u64::from(length.is_some()), of + 1));
        Proportion { hits, of }
    }

    fn fit(&self) -> Option<LinearFit> {
        let observations: Vec<Observation> = self
            .combinations
            .iter()
            .enumerate()
            .map(|(index, &Colours { own_blue, own_red, top_blue, top_red })| Observation {
                variables: [own_blue, own_red, top_blue, top_red].map(f64::from).to_vec(),
                response: self.of_combination(index).value(),
                variance: self.of_combination(index).variance(),
            })
            .collect();
        least_squares(&observations)
    }
}

/// Random placements as the paper describes them, by the product's own generator.
fn coin_positions(
    run: &Run<'_>,
    revealed: Revealed,
    each_combination: u64,
) -> Result<Vec<SolvedPlacement>, LabError> {
    let placement = Placement::new(&Material::default(), revealed)
        .ok_or_else(|| LabError::Input("no puzzle can be revealed so".into()))?;
    let what = if revealed == Revealed::None { "not revealed" } else { "partly revealed" };
    let trials = each_combination * placement.combinations();
    solved_placements(run, what, trials, DEPTH, |trial| placement.position(run.seed, trial))
}

/// Partly revealed placements as the published program makes them.
fn drawn_positions(run: &Run<'_>, each_combination: u64) -> Result<Vec<SolvedPlacement>, LabError> {
    let combinations = partly_revealed_combinations();
    let trials = each_combination * combinations.len() as u64;
    let position = |trial| with_drawn_numbers(&combinations, run.seed, trial);
    solved_placements(run, "partly revealed, numbers drawn", trials, DEPTH, position)
}

/// The same positions as the published program would count them.
fn recount(run: &Run<'_>, placed: &[SolvedPlacement]) -> Result<Vec<Option<u32>>, LabError> {
    run_trials_with_solver(run, "miscounting", placed.len() as u64, |solver, trial| {
        match placed[trial as usize] {
            (position, Some(length)) => miscounted(run, solver, &position, length, DEPTH),
            (_, None) => Ok(None),
        }
    })
}

fn samples(
    run: &Run<'_>,
    hidden: &[SolvedPlacement],
    coins: &[SolvedPlacement],
    numbers: &[SolvedPlacement],
) -> Result<Vec<Sample>, LabError> {
    let lengths = |placed: &[SolvedPlacement]| placed.iter().map(|(_, length)| *length).collect();
    let by_reading = [
        lengths(hidden),
        lengths(coins),
        recount(run, coins)?,
        lengths(numbers),
        recount(run, numbers)?,
    ];
    let combinations = |reading| match reading {
        Reading::NotRevealed => Counts::default().combinations(),
        _ => partly_revealed_combinations(),
    };
    Ok(Reading::ALL
        .into_iter()
        .zip(by_reading)
        .map(|(reading, lengths)| Sample { reading, combinations: combinations(reading), lengths })
        .collect())
}

/// Trials of each combination: not revealed, partly revealed.
fn sizes(run: &Run<'_>) -> (u64, u64) {
    (run.trials(25, 10_000), run.trials(25, 2_500))
}

/// Runs the experiment.
pub(crate) fn run(run: &Run<'_>) -> Result<Report, LabError> {
    let (not, partly) = sizes(run);
    let hidden = coin_positions(run, Revealed::None, not)?;
    let coins = coin_positions(run, Revealed::Partly, partly)?;
    let numbers = drawn_positions(run, partly)?;
    let samples = samples(run, &hidden, &coins, &numbers)?;
    let special = (classified(run, &hidden)?, classified(run, &numbers)?);
    let (special_table, special_figure) = p1_special::shown(&special.0, &special.1)?;
    Ok(Report {
        experiment: Experiment::P1Random,
        settings: vec![
            ("seed", run.seed.to_string()),
            ("depth", DEPTH.to_string()),
            ("trials of each combination, not revealed", not.to_string()),
            ("trials of each combination, partly revealed", partly.to_string()),
        ],
        tables: vec![by_length(&samples), equations(&samples), special_table, by_counts(&samples)],
        figures: vec![figure_4(&samples)?, figure_5(&samples)?, special_figure],
        findings: samples.iter().map(finding).collect(),
    })
}

fn finding(sample: &Sample) -> String {
    let test = ChiSquare::of(&sample.distribution(), &sample.reading.published().distribution());
    let verdict = match test.fits() {
        Some(true) => "agrees with",
        Some(false) => "differs from",
        None => "has too few puzzles to be compared with",
    };
    format!("{}: the distribution of lengths {verdict} the paper's ({test})", sample.reading.name())
}

fn by_length(samples: &[Sample]) -> ResultTable {
    let mut columns = vec!["reading", "plies"];
    columns.extend(COMPARISON_COLUMNS);
    let mut table = ResultTable::new("", "Figure 4: puzzles among random placements", columns);
    for sample in samples {
        let published = sample.reading.published();
        let mut add = |plies: &str, ours: Proportion, paper: Option<Proportion>| {
            let mut row: Vec<Cell> = vec![sample.reading.name().into(), plies.into()];
            row.extend(comparison_cells(ours, paper));
            table.row(row);
        };
        let of = published.overall.of;
        add("all", sample.overall(), Some(published.overall));
        add("3", sample.of_length(3), None);
        add("5", sample.of_length(5), None);
        let short = |length: Option<u32>| matches!(length, Some(3 | 5));
        let published_short = Proportion { hits: published.distribution()[1], of };
        add("3 and 5", sample.won(|_, length| short(length)), Some(published_short));
        for (plies, hits) in LENGTHS.into_iter().zip(published.by_length) {
            add(&plies.to_string(), sample.of_length(plies), Some(Proportion { hits, of }));
        }
    }
    table
}

fn equations(samples: &[Sample]) -> ResultTable {
    let mut table = ResultTable::new(
        "equations",
        "Equations 1 and 2: the success rate as a linear function of the counts",
        ["reading", "term", "ours", "from", "to", "paper", "agree"],
    );
    for sample in samples {
        let Some(fit) = sample.fit() else { continue };
        let published = sample.reading.published();
        for (i, term) in ["constant", "N_B", "N_R", "N_b", "N_r"].into_iter().enumerate() {
            // The paper's own coefficient is a sample as large, and rounded to three digits.
            let deviation = fit.deviations[i] * 2f64.sqrt();
            let interval = Interval::normal(fit.coefficients[i], deviation);
            let paper = published.equation[i];
            let rounded = Interval { low: paper - 0.0005, high: paper + 0.0005 };
            table.row([
                sample.reading.name().into(),
                term.into(),
                Cell::Number(fit.coefficients[i], 4),
                Cell::Number(interval.low, 4),
                Cell::Number(interval.high, 4),
                Cell::Number(paper, 3),
                interval.overlaps(rounded).into(),
            ]);
        }
        table.row([
            sample.reading.name().into(),
            "R2".into(),
            Cell::Number(fit.r_squared, 4),
            Cell::Empty,
            Cell::Empty,
            Cell::Number(published.r_squared, 3),
            Cell::Empty,
        ]);
    }
    table
}

fn by_counts(samples: &[Sample]) -> ResultTable {
    let mut table = ResultTable::new(
        "counts",
        "Figure 5: success by counts",
        ["reading", "N_B N_R N_b N_r", "won", "of", "ours %", "from", "to", "equation %"],
    );
    for sample in samples {
        for (index, &colours) in sample.combinations.iter().enumerate() {
            let share = sample.of_combination(index);
            let Interval { low, high } = share.interval();
            table.row([
                sample.reading.name().into(),
                name(colours).into(),
                share.hits.into(),
                share.of.into(),
                Cell::percent(share.value()),
                Cell::percent(low),
                Cell::percent(high),
                Cell::percent(predicted(&sample.reading.published().equation, colours)),
            ]);
        }
    }
    table
}

fn name(colours: Colours) -> String {
    let Colours { own_blue, own_red, top_blue, top_red } = colours;
    format!("{own_blue}{own_red}{top_blue}{top_red}")
}

/// The prediction of the paper's equation.
fn predicted(equation: &[f64; 5], colours: Colours) -> f64 {
    let Colours { own_blue, own_red, top_blue, top_red } = colours;
    let counts = [own_blue, own_red, top_blue, top_red].map(f64::from);
    equation[0] + equation[1..].iter().zip(counts).map(|(a, b)| a * b).sum::<f64>()
}

fn figure_4(samples: &[Sample]) -> Result<Figure, LabError> {
    let shown = |reading: Reading| samples.iter().filter(move |s| s.reading == reading);
    let panels = [
        ("Not revealed", shown(Reading::NotRevealed)),
        ("Partly revealed, as the published program does it", shown(Reading::NumbersMiscounted)),
    ];
    let charts: Vec<Chart> = panels
        .into_iter()
        .flat_map(|(title, sample)| sample.map(|s| length_chart(title, s)))
        .collect();
    draw("", &charts, 2)
}

fn length_chart(title: &str, sample: &Sample) -> Chart {
    let point = |plies: u32, share: Proportion, aside: f64| {
        Point::with_interval(f64::from(plies) + aside, share.value(), share.interval())
    };
    let ours: Vec<Point> = [3, 5]
        .into_iter()
        .chain(LENGTHS)
        .map(|plies| (plies, sample.of_length(plies)))
        .filter(|(_, share)| share.hits > 0)
        .map(|(plies, share)| point(plies, share, -0.12))
        .collect();
    let published = sample.reading.published();
    let paper = LENGTHS
        .into_iter()
        .zip(published.by_length)
        .map(|(plies, hits)| point(plies, Proportion { hits, of: published.overall.of }, 0.12))
        .collect();
    let (name, curve) = exponential(&ours);
    Chart {
        title: title.into(),
        x_label: "M_win, plies".into(),
        y_label: "share of placements".into(),
        ticks: plies(3, DEPTH),
        logarithmic: true,
        series: vec![
            Series::new("ours", SeriesStyle::Points, ours),
            Series::new("published collection", SeriesStyle::Points, paper),
            Series::new(name, SeriesStyle::Line, curve),
        ],
    }
}

/// The exponential function through the points, as the paper draws it.
fn exponential(points: &[Point]) -> (String, Vec<Point>) {
    let observations: Vec<Observation> = points
        .iter()
        .map(|p| Observation { variables: vec![p.x.round()], response: p.y.ln(), variance: 0.0 })
        .collect();
    let Some(fit) = least_squares(&observations) else { return (String::new(), Vec::new()) };
    let (scale, rate) = (fit.coefficients[0].exp(), fit.coefficients[1]);
    let curve = points.iter().map(|p| Point::new(p.x.round(), scale * (rate * p.x.round()).exp()));
    (format!("{scale:.3} exp({rate:.3} M), R2 {:.3}", fit.r_squared), curve.collect())
}

fn figure_5(samples: &[Sample]) -> Result<Figure, LabError> {
    let shown = [Reading::NotRevealed, Reading::NumbersMiscounted];
    let charts: Vec<Chart> = samples
        .iter()
        .filter(|sample| shown.contains(&sample.reading))
        .map(|sample| Chart {
            title: format!("Success by counts: {}", sample.reading.name()),
            x_label: "N_B N_R N_b N_r".into(),
            y_label: "share of placements".into(),
            ticks: combination_ticks(sample),
            logarithmic: false,
            series: vec![
                Series::new("ours", SeriesStyle::Points, by_combination(sample)),
                Series::new("the paper's equation", SeriesStyle::Line, by_equation(sample)),
            ],
        })
        .collect();
    draw("counts", &charts, 1)
}

/// A mark where N_R changes.
fn combination_ticks(sample: &Sample) -> Vec<(f64, String)> {
    let own_red = |i: usize| sample.combinations[i].own_red;
    let all = sample.combinations.iter().enumerate();
    all.filter(|(i, _)| *i == 0 || own_red(*i) != own_red(i - 1))
        .map(|(i, &colours)| (i as f64 + 1.0, name(colours)))
        .collect()
}

fn by_combination(sample: &Sample) -> Vec<Point> {
    (0..sample.combinations.len())
        .map(|i| (i, sample.of_combination(i)))
        .map(|(i, share)| Point::with_interval(i as f64 + 1.0, share.value(), share.interval()))
        .collect()
}

fn by_equation(sample: &Sample) -> Vec<Point> {
    let equation = &sample.reading.published().equation;
    let predicted = sample.combinations.iter().map(|&colours| predicted(equation, colours));
    predicted.enumerate().map(|(i, y)| Point::new(i as f64 + 1.0, y)).collect()
}
