//! Does the roller coaster of P4 distinguish interesting puzzles from dull ones?
//!
//! Single conspiracy numbers and motion in mind along the main lines of the shipped collection,
//! with the goals and depths of [`SIGHTS`]. Ratings of single puzzles have not been published. So
//! the indicators are compared with what is available: P1's mean ratings by length (eight numbers),
//! and the proved themes and qualities of our puzzles, always among puzzles of equal length. The
//! [`BASELINES`] need no conspiracy numbers: an indicator is useful only if it does better.

use crate::feel_games;
use crate::feel_measures::{BASELINES, INDICATORS, Measured, SIGHTS, measure, name};
use crate::figure::{Chart, Point, Series, SeriesStyle, draw, plies};
use crate::puzzle_sample;
use crate::rank_statistics::{Case, Separation, separation, spearman, spearman_p};
use crate::statistics::{Interval, Proportion};
use crate::trials::run_trials_with_solver;
use crate::{Cell, Experiment, Figure, LabError, Report, ResultTable, Run};
use common::rng::stream;
use geister::feel::{Ride, Sight};
use puzzle::{Puzzle, Theme};
use search::{Motion, motion};

/// P1 table B.3: mean ratings by length of eight beginners over 100 puzzles, from -2 to 2.
const RATINGS: [(u32, f64, f64); 8] = [
    (5, -1.38, -1.88),
    (7, -0.48, -1.44),
    (9, -0.13, -0.88),
    (11, -0.14, -0.40),
    (13, 0.12, 0.05),
    (15, -0.11, 0.32),
    (17, 0.21, 1.42),
    (19, 0.06, 1.00),
];

/// A proved property that stands in for interest.
struct Proxy {
    name: &'static str,
    holds: fn(&Puzzle) -> bool,
}

/// The first is the main one. Solo is not an idea: it is the absence of one.
const PROXIES: [Proxy; 11] = [
    Proxy { name: "an idea", holds: |p| p.themes.iter().any(|theme| *theme != Theme::Solo) },
    Proxy { name: "sacrifice", holds: |p| p.themes.contains(&Theme::Sacrifice) },
    Proxy { name: "quiet key", holds: |p| p.themes.contains(&Theme::QuietKey) },
    Proxy { name: "retreat", holds: |p| p.themes.contains(&Theme::Retreat) },
    Proxy { name: "far exit", holds: |p| p.themes.contains(&Theme::FarExit) },
    Proxy { name: "tempo race", holds: |p| p.themes.contains(&Theme::TempoRace) },
    Proxy { name: "zugzwang", holds: |p| p.themes.contains(&Theme::Zugzwang) },
    Proxy { name: "red wall", holds: |p| p.themes.contains(&Theme::RedWall) },
    Proxy { name: "capture win", holds: |p| p.themes.contains(&Theme::CaptureWin) },
    Proxy { name: "pure line", holds: |p| p.quality.purity >= 1.0 },
    Proxy { name: "one winning move", holds: |p| p.quality.winning_first_moves == 1 },
];

/// The puzzles with what was measured.
struct Data {
    puzzles: Vec<Puzzle>,
    measured: Vec<Measured>,
    sights: Vec<Sight>,
    seed: u64,
    shuffles: u32,
}

/// A column of numbers, one for each puzzle: an indicator under a sight, or a baseline.
#[derive(Clone)]
struct Measure {
    sight: String,
    name: &'static str,
    values: Vec<f64>,
}

impl Data {
    fn measures(&self) -> Vec<Measure> {
        let baselines = BASELINES.iter().enumerate().map(|(index, (name, _))| Measure {
            sight: "none".into(),
            name,
            values: self.measured.iter().map(|m| m.baselines[index]).collect(),
        });
        let sights = self.sights.iter().enumerate();
        let indicators = sights.flat_map(|(place, &sight)| {
            INDICATORS.iter().enumerate().map(move |(index, (indicator, _))| Measure {
                sight: name(sight),
                name: indicator,
                values: self.measured.iter().map(|m| m.felt[place].values[index]).collect(),
            })
        });
        indicators.chain(baselines).collect()
    }

    /// The values of the puzzles of a length.
    fn of_length(&self, values: &[f64], m_win: u32) -> Vec<f64> {
        let all = self.puzzles.iter().zip(values);
        all.filter(|(puzzle, _)| puzzle.m_win == m_win).map(|(_, value)| *value).collect()
    }

    /// How well a measure separates puzzles with a property from those without, at equal length; with
    /// `equal_ghosts` also at equal numbers of ghosts.
    fn separation(
        &self,
        measure: &Measure,
        proxy: &Proxy,
        equal_ghosts: bool,
        shuffles: u32,
    ) -> Option<Separation> {
        let all = self.puzzles.iter().zip(&self.measured).zip(&measure.values);
        let cases: Vec<Case> = all
            .map(|((puzzle, measured), &value)| {
                let ghosts = if equal_ghosts { measured.baselines[1] as u32 } else { 0 };
                let stratum = 100 * puzzle.m_win + ghosts;
                Case { value, inside: (proxy.holds)(puzzle), stratum }
            })
            .collect();
        separation(&cases, shuffles, &mut stream(self.seed, 0))
    }
}

/// Mean and interval of a sample of numbers none of which is below 0.
fn mean(values: &[f64]) -> (f64, Interval) {
    let n = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    let Interval { low, high } = Interval::normal(mean, (variance / n).sqrt());
    (mean, Interval { low: low.max(0.0), high })
}

/// Runs the experiment.
pub(crate) fn run(run: &Run<'_>) -> Result<Report, LabError> {
    let number = run.trials(25, 400);
    let sights = if run.full { &SIGHTS[..] } else { &SIGHTS[..2] };
    let lengths = RATINGS.map(|(length, ..)| length);
    let puzzles = puzzle_sample::of_lengths(run, &lengths, number, |_| true)?;
    let measured =
        run_trials_with_solver(run, "rides of puzzles", puzzles.len() as u64, |solver, index| {
            measure(run, solver, &puzzles[index as usize], sights)
        })?;
    let games = feel_games::games(run, if run.full { 60 } else { number.min(8) })?;
    let shuffles = if run.full { 4_999 } else { 499 };
    let data = Data { puzzles, measured, sights: sights.to_vec(), seed: run.seed, shuffles };
    let (results, property_tests) = (results(&data), property_tests(&data));
    Ok(Report {
        experiment: Experiment::P4GeisterFeel,
        settings: vec![
            ("seed", run.seed.to_string()),
            ("puzzles", data.puzzles.len().to_string()),
            ("at most of each length", number.to_string()),
            ("shuffles", shuffles.to_string()),
        ],
        tables: vec![
            summary(&results),
            signatures(&property_tests),
            themes(&property_tests),
            by_length(&data),
            followers(&data),
            feel_games::table(&games),
            curves(&data),
        ],
        figures: vec![
            figure_by_length(&data)?,
            figure_of_areas(&results, &data)?,
            figure_of_curves(&data)?,
            feel_games::figure(&games)?,
        ],
        findings: findings(&results),
    })
}

/// A measure with its correlations and its separation of puzzles with an idea.
struct MeasureResult {
    measure: Measure,
    interest: f64,
    interest_p: f64,
    difficulty: f64,
    idea: Option<Separation>,
    idea_at_equal_ghosts: Option<Separation>,
}

fn results(data: &Data) -> Vec<MeasureResult> {
    let judge = |measure: Measure| {
        let present =
            RATINGS.iter().map(|rating| (rating, data.of_length(&measure.values, rating.0)));
        let present: Vec<_> = present.filter(|(_, values)| !values.is_empty()).collect();
        let means: Vec<f64> = present.iter().map(|(_, values)| mean(values).0).collect();
        let interest: Vec<f64> = present.iter().map(|(rating, _)| rating.1).collect();
        let difficulty: Vec<f64> = present.iter().map(|(rating, _)| rating.2).collect();
        let rng = &mut stream(data.seed, 1);
        MeasureResult {
            interest: spearman(&means, &interest),
            interest_p: spearman_p(&means, &interest, data.shuffles, rng),
            difficulty: spearman(&means, &difficulty),
            idea: data.separation(&measure, &PROXIES[0], false, data.shuffles),
            idea_at_equal_ghosts: data.separation(&measure, &PROXIES[0], true, 0),
            measure,
        }
    };
    data.measures().into_iter().map(judge).collect()
}

/// Area, interval and p as cells.
fn cells(found: Option<Separation>) -> [Cell; 4] {
    found.map_or([const { Cell::Empty }; 4], |found| {
        [
            Cell::Number(found.area, 3),
            Cell::Number(found.interval.low, 3),
            Cell::Number(found.interval.high, 3),
            Cell::Number(found.p, 4),
        ]
    })
}

fn summary(results: &[MeasureResult]) -> ResultTable {
    let mut table = ResultTable::new(
        "",
        "Each indicator against P1's ratings by length (rank correlation of 8 means) and, among \
         puzzles of equal length, with an idea against without (area under the ROC curve)",
        [
            "sight",
            "indicator",
            "rho interest",
            "p",
            "rho difficulty",
            "area",
            "from",
            "to",
            "p of area",
            "delta",
            "area, equal ghosts",
            "from, equal ghosts",
            "to, equal ghosts",
        ],
    );
    for one in results {
        let [equal, from, to, _] = cells(one.idea_at_equal_ghosts);
        let mut row = vec![
            one.measure.sight.clone().into(),
            one.measure.name.into(),
            Cell::Number(one.interest, 2),
            Cell::Number(one.interest_p, 3),
            Cell::Number(one.difficulty, 2),
        ];
        row.extend(cells(one.idea));
        // Cliff's delta: pairs won less pairs lost.
        row.push(one.idea.map_or(Cell::Empty, |found| Cell::Number(2.0 * found.area - 1.0, 3)));
        row.extend([equal, from, to]);
        table.row(row);
    }
    table
}

/// A measure property_tests against a property.
struct PropertyTest {
    proxy: &'static str,
    sight: String,
    indicator: &'static str,
    found: Option<Separation>,
    /// The same among puzzles with equally many ghosts.
    equal: Option<Separation>,
}

impl PropertyTest {
    /// Its distance from a random classifier.
    fn strength(&self) -> f64 {
        self.found.map_or(0.0, |found| (found.area - 0.5).abs())
    }
}

fn property_tests(data: &Data) -> Vec<PropertyTest> {
    let shuffles = data.shuffles.min(999);
    let measures = data.measures();
    let test = |proxy: &Proxy, measure: &Measure| PropertyTest {
        proxy: proxy.name,
        sight: measure.sight.clone(),
        indicator: measure.name,
        found: data.separation(measure, proxy, false, shuffles),
        equal: data.separation(measure, proxy, true, 0),
    };
    PROXIES.iter().flat_map(|proxy| measures.iter().map(move |m| test(proxy, m))).collect()
}

fn themes(property_tests: &[PropertyTest]) -> ResultTable {
    let mut table = ResultTable::new(
        "themes",
        "The same for every property: area under the ROC curve among puzzles of equal length",
        [
            "property",
            "with",
            "without",
            "sight",
            "indicator",
            "area",
            "from",
            "to",
            "p",
            "area, equal ghosts",
        ],
    );
    for test in property_tests {
        let mut row = vec![
            test.proxy.into(),
            test.found.map(|found| found.inside).into(),
            test.found.map(|found| found.outside).into(),
            test.sight.clone().into(),
            test.indicator.into(),
        ];
        row.extend(cells(test.found));
        row.push(test.equal.map_or(Cell::Empty, |found| Cell::Number(found.area, 3)));
        table.row(row);
    }
    table
}

/// The indicators that count ups and downs, and those of motion in mind.
const COASTER: [&str; 6] = ["rises", "climb", "steep", "turns", "p", "Ep"];

fn signatures(property_tests: &[PropertyTest]) -> ResultTable {
    let mut table = ResultTable::new(
        "signatures",
        "The strongest indicator for every property: of all, of the roller coaster alone, and without \
         conspiracy (the best of many: each is flattered)",
        [
            "property",
            "with",
            "without",
            "best of all",
            "area",
            "from",
            "to",
            "area, equal ghosts",
            "best of the coaster",
            "area of the coaster",
            "from, of the coaster",
            "to, of the coaster",
            "without conspiracy",
            "area without conspiracy",
        ],
    );
    for proxy in &PROXIES {
        let best = |fits: &dyn Fn(&PropertyTest) -> bool| {
            let of_proxy =
                property_tests.iter().filter(|test| test.proxy == proxy.name && fits(test));
            of_proxy.max_by(|a, b| a.strength().total_cmp(&b.strength()))
        };
        let conspires = |test: &PropertyTest| test.sight != "none";
        let all = best(&conspires);
        let coaster = best(&|test| conspires(test) && COASTER.contains(&test.indicator));
        let plain = best(&|test| !conspires(test));
        let named = |test: Option<&PropertyTest>| {
            Cell::from(test.map(|test| format!("{} ({})", test.indicator, test.sight)))
        };
        let areas = |test: Option<&PropertyTest>| {
            let [area, from, to, _] = cells(test.and_then(|test| test.found));
            [area, from, to]
        };
        let found = all.and_then(|test| test.found);
        let equal = all.and_then(|test| test.equal);
        let mut row = vec![
            proxy.name.into(),
            found.map(|found| found.inside).into(),
            found.map(|found| found.outside).into(),
            named(all),
        ];
        row.extend(areas(all));
        row.push(equal.map_or(Cell::Empty, |found| Cell::Number(found.area, 3)));
        row.push(named(coaster));
        row.extend(areas(coaster));
        row.push(plain.map(|test| test.indicator.to_string()).into());
        let [area, ..] = areas(plain);
        row.push(area);
        table.row(row);
    }
    table
}

fn by_length(data: &Data) -> ResultTable {
    let mut table = ResultTable::new(
        "lengths",
        "Means by length, with 95 % intervals, beside P1's table B.3",
        ["plies", "puzzles", "sight", "indicator", "mean", "from", "to", "interest", "difficulty"],
    );
    for (m_win, interest, difficulty) in RATINGS {
        for measure in data.measures() {
            let values = data.of_length(&measure.values, m_win);
            let (mean, interval) = mean(&values);
            table.row([
                m_win.into(),
                Cell::Count(values.len() as u64),
                measure.sight.into(),
                measure.name.into(),
                Cell::Number(mean, 3),
                Cell::Number(interval.low, 3),
                Cell::Number(interval.high, 3),
                Cell::Number(interest, 2),
                Cell::Number(difficulty, 2),
            ]);
        }
    }
    table
}

/// The results of a player who always plays the move with the least number.
fn followers(data: &Data) -> ResultTable {
    let mut table = ResultTable::new(
        "followers",
        "Trusting the numbers: the first move with the least number, against a defence by proof",
        [
            "sight",
            "plies",
            "puzzles",
            "finds the key %",
            "solves %",
            "from",
            "to",
            "loses %",
            "climb, main line",
            "climb, follower",
        ],
    );
    for (place, &sight) in data.sights.iter().enumerate() {
        for (m_win, ..) in RATINGS {
            let all = data.puzzles.iter().zip(&data.measured);
            let of_length = all.filter(|(puzzle, _)| puzzle.m_win == m_win);
            let felt: Vec<_> = of_length.map(|(_, measured)| &measured.felt[place]).collect();
            let share = |of: &dyn Fn(&crate::feel_measures::Follower) -> bool| Proportion {
                hits: felt.iter().filter(|felt| of(&felt.follower)).count() as u64,
                of: felt.len() as u64,
            };
            let climb = |of: &dyn Fn(&crate::feel_measures::SightMeasures) -> Ride| {
                mean(&felt.iter().map(|felt| of(felt).climbed).collect::<Vec<_>>()).0
            };
            let solves = share(&|follower| follower.solves);
            table.row([
                name(sight).into(),
                m_win.into(),
                Cell::Count(felt.len() as u64),
                Cell::percent(share(&|follower| follower.starts_well).value()),
                Cell::percent(solves.value()),
                Cell::percent(solves.interval().low),
                Cell::percent(solves.interval().high),
                Cell::percent(share(&|follower| follower.loses).value()),
                Cell::Number(climb(&|felt| Ride::over(&felt.heights)), 2),
                Cell::Number(climb(&|felt| Ride::over(&felt.follower.heights)), 2),
            ]);
        }
    }
    table
}

/// The lengths of which one puzzle is drawn.
const EXAMPLES: [u32; 4] = [9, 11, 13, 17];

/// One puzzle of each such length: the first whose idea the numbers do not see, or the first.
fn examples(data: &Data) -> Vec<(&Puzzle, &Measured)> {
    let all = || data.puzzles.iter().zip(&data.measured);
    let missed = |measured: &Measured| measured.felt.iter().all(|felt| !felt.follower.solves);
    let example = |m_win: u32| {
        let of_length = || all().filter(move |(puzzle, _)| puzzle.m_win == m_win);
        of_length().find(|(_, measured)| missed(measured)).or_else(|| of_length().next())
    };
    EXAMPLES.iter().filter_map(|&m_win| example(m_win)).collect()
}

/// The main line and the follower's line under each sight.
fn lines<'a>(data: &Data, measured: &'a Measured) -> Vec<(String, &'static str, &'a [f64])> {
    let sights = data.sights.iter().zip(&measured.felt);
    let both = |(&sight, felt): (&Sight, &'a crate::feel_measures::SightMeasures)| {
        [
            (name(sight), "main line", felt.heights.as_slice()),
            (name(sight), "follower", felt.follower.heights.as_slice()),
        ]
    };
    sights.flat_map(both).collect()
}

fn curves(data: &Data) -> ResultTable {
    let mut table = ResultTable::new(
        "curves",
        "The numbers along the main lines and the followers' lines of the puzzles drawn",
        ["puzzle", "position", "plies", "sight", "line", "own move", "number", "v", "m", "p", "Ep"],
    );
    for (puzzle, measured) in examples(data) {
        for (sight, line, heights) in lines(data, measured) {
            let moments = motion::moments(heights);
            for (own_move, height) in heights.iter().enumerate() {
                let moment = moments.get(own_move);
                let part = |of: fn(&Motion) -> f64| {
                    moment.map_or(Cell::Empty, |moment| Cell::Number(of(moment), 3))
                };
                table.row([
                    puzzle.id().into(),
                    puzzle.position.to_string().into(),
                    puzzle.m_win.into(),
                    sight.clone().into(),
                    line.into(),
                    Cell::Count(own_move as u64),
                    Cell::Number(*height, 0),
                    part(|moment| moment.velocity),
                    part(|moment| moment.mass),
                    part(|moment| moment.momentum),
                    part(|moment| moment.potential),
                ]);
            }
        }
    }
    table
}

fn figure_of_curves(data: &Data) -> Result<Figure, LabError> {
    let chart = |(puzzle, measured): (&Puzzle, &Measured)| {
        let series = lines(data, measured).into_iter().take(4).map(|(sight, line, heights)| {
            let points = heights.iter().enumerate().map(|(x, &y)| Point::new(x as u32, y));
            Series::new(format!("{sight}, {line}"), SeriesStyle::Both, points.collect())
        });
        let own_moves = puzzle.m_win.div_ceil(2);
        Chart {
            title: format!("{} plies: {}", puzzle.m_win, puzzle.position),
            x_label: "own moves made".into(),
            y_label: "conspiracy number".into(),
            ticks: (0..=own_moves).map(|x| (f64::from(x), x.to_string())).collect(),
            logarithmic: false,
            series: series.collect(),
        }
    };
    let charts: Vec<Chart> = examples(data).into_iter().map(chart).collect();
    draw("curves", &charts, 2)
}

fn figure_by_length(data: &Data) -> Result<Figure, LabError> {
    let measures = data.measures();
    let chart = |indicator: &str, title: &str| {
        let shown = measures.iter().filter(|measure| measure.name == indicator).enumerate();
        let series = shown.map(|(place, measure)| {
            let point = |(m_win, ..): (u32, f64, f64)| {
                let (mean, interval) = mean(&data.of_length(&measure.values, m_win));
                Point::with_interval(f64::from(m_win) + 0.15 * place as f64, mean, interval)
            };
            Series::new(measure.sight.clone(), SeriesStyle::Both, RATINGS.map(point).to_vec())
        });
        Chart {
            title: title.into(),
            x_label: "plies of the puzzle".into(),
            y_label: "mean".into(),
            ticks: plies(RATINGS[0].0, RATINGS[RATINGS.len() - 1].0),
            logarithmic: false,
            series: series.collect(),
        }
    };
    let ratings = |of: fn(&(u32, f64, f64)) -> f64| {
        RATINGS.iter().map(|rating| Point::new(rating.0, of(rating))).collect()
    };
    let paper = Chart {
        title: "P1 table B.3: eight beginners, 100 puzzles".into(),
        x_label: "plies of the puzzle".into(),
        y_label: "mean rating".into(),
        ticks: plies(RATINGS[0].0, RATINGS[RATINGS.len() - 1].0),
        logarithmic: false,
        series: vec![
            Series::new("interest", SeriesStyle::Both, ratings(|rating| rating.1)),
            Series::new("difficulty", SeriesStyle::Both, ratings(|rating| rating.2)),
        ],
    };
    let charts = [
        chart("climb", "How far the numbers climb along the main line"),
        chart("p", "Momentum"),
        chart("Ep", "Potential energy"),
        paper,
    ];
    draw("", &charts, 2)
}

fn figure_of_areas(results: &[MeasureResult], data: &Data) -> Result<Figure, LabError> {
    let sights = data.sights.iter().map(|&sight| name(sight)).chain(["none".to_string()]);
    let names = INDICATORS.iter().chain(&BASELINES[1..]).map(|(name, _)| *name);
    // The long names of the baselines stand a little apart.
    let place =
        |index: usize| index as f64 + 0.5 * index.saturating_sub(INDICATORS.len() - 1) as f64;
    let ticks: Vec<(f64, String)> =
        names.enumerate().map(|(index, name)| (place(index), name.to_string())).collect();
    let series = sights.enumerate().map(|(place, sight)| {
        let of_sight = results.iter().filter(|one| one.measure.sight == sight);
        let points = of_sight.filter_map(|one| {
            let (x, _) = ticks.iter().find(|(_, name)| name == one.measure.name)?;
            let found = one.idea?;
            let aside = 0.14 * (place as f64 - 2.0);
            let delta = |area: f64| 2.0 * area - 1.0;
            let Interval { low, high } = found.interval;
            let interval = Interval { low: delta(low), high: delta(high) };
            Some(Point::with_interval(x + aside, delta(found.area), interval))
        });
        let shown = if sight == "none" { "without conspiracy".to_string() } else { sight.clone() };
        Series::new(shown, SeriesStyle::Points, points.collect())
    });
    let mut series: Vec<Series> = series.collect();
    let level = vec![Point::new(-0.5, 0.0), Point::new(place(ticks.len() - 1) + 0.5, 0.0)];
    series.push(Series::new("no difference", SeriesStyle::Line, level));
    let chart = Chart {
        title: "Puzzles with an idea against those without, at equal length".into(),
        x_label: "indicator".into(),
        y_label: "Cliff's delta (0: no difference)".into(),
        ticks,
        logarithmic: false,
        series,
    };
    draw("areas", &[chart], 1)
}

fn findings(results: &[MeasureResult]) -> Vec<String> {
    let strength = |one: &&MeasureResult| one.idea.map_or(0.0, |found| (found.area - 0.5).abs());
    let best = |conspiracy: bool| {
        let of_kind = results.iter().filter(|one| (one.measure.sight != "none") == conspiracy);
        of_kind.max_by(|a, b| strength(a).total_cmp(&strength(b)))
    };
    let describe = |one: &MeasureResult| {
        one.idea.map_or_else(String::new, |Separation { area, interval, .. }| {
            let Interval { low, high } = interval;
            let Measure { sight, name, .. } = &one.measure;
            format!("{name} ({sight}) with an area of {area:.3} ({low:.3} to {high:.3})")
        })
    };
    let tests = results.iter().filter(|one| one.measure.sight != "none").count();
    let level = 0.05 / tests.max(1) as f64;
    let clear = results.iter().filter(|one| one.measure.sight != "none");
    let clear = clear.filter(|one| one.idea.is_some_and(|found| found.p <= level)).count();
    let mut findings = Vec::new();
    if let Some(one) = best(true) {
        findings.push(format!("The best indicator of an idea is {}", describe(one)));
    }
    if let Some(one) = best(false) {
        findings.push(format!("Without any conspiracy it is {}", describe(one)));
    }
    findings.push(format!(
        "{clear} of {tests} indicators differ at a level of 0.05 over all of them together"
    ));
    if let Some(plies) = results.iter().find(|one| one.measure.name == "plies") {
        let as_well = results.iter().filter(|one| one.measure.sight != "none");
        let better = as_well.filter(|one| one.interest.abs() > plies.interest.abs() + 1e-9).count();
        findings.push(format!(
            "The length alone has a rank correlation of {:.2} with interest over the lengths; {better} of \
             {tests} indicators have a greater one",
            plies.interest
        ));
    }
    findings
}
