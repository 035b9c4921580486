//! P5: styles of guessing by evolution, their clusters, and who dominates whom. What the paper
//! leaves open is decided in [`players::style`] and [`train::evolve`].

use crate::p5_figures::{clusters_figure, dominance_figure, projections_figure, shares_figure};
use crate::{Cell, Experiment, LabError, Progress, Report, ResultTable, Run, trials};
use common::rng::derive_seed;
use play::elo::MatchScore;
use players::record::BoardName;
use players::style::parameters::NAMES;
use players::style::{Style, StyleFile};
use train::evolve::clusters::{Clusters, clusters, distance};
use train::evolve::dominance::{cycles, edges};
use train::evolve::games::{PairingResult, beats_random, play_all_set_ups, play_pair, sum};
use train::evolve::genetic_operators::candidate;
use train::evolve::{CLUSTERS, EvolutionConfig};

/// The results of an evolution.
#[derive(Clone, Debug, PartialEq)]
pub struct Styles {
    /// Tables, figures and findings.
    pub report: Report,
    /// The style of each cluster, the largest first.
    pub styles: Vec<StyleFile>,
}

/// P5 table 1.
const PAPER: [(&str, [f64; 3]); CLUSTERS] = [
    ("A", [0.2685, -0.2646, -0.2592]),
    ("B", [0.3847, 0.2832, -0.3515]),
    ("C", [-0.0794, 0.1240, -0.3194]),
    ("D", [0.1012, 0.2411, 0.1975]),
    ("E", [-0.3819, 0.0200, 0.1309]),
];

/// P5 table 2: the row's share against the column.
const PAPER_MATCHES: [[Option<f64>; CLUSTERS]; CLUSTERS] = [
    [None, Some(0.375), Some(0.312), Some(0.625), Some(0.813)],
    [Some(0.625), None, Some(0.437), Some(0.406), Some(0.563)],
    [Some(0.688), Some(0.563), None, Some(0.250), Some(0.688)],
    [Some(0.375), Some(0.594), Some(0.750), None, Some(0.625)],
    [Some(0.187), Some(0.437), Some(0.312), Some(0.375), None],
];

/// How often every encounter of 72 games is repeated, to separate strength from luck.
const REPETITIONS: u64 = 20;

/// The number of candidates per batch; it is fixed, so that results do not depend on threads.
const BATCH: u64 = 64;

/// The bar is too high if fewer than one in this many candidates passes.
const MAX_CANDIDATES_PER_PASS: u64 = 20_000;

/// An agent that was kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Elite {
    pub(crate) generation: u32,
    pub(crate) style: Style,
    pub(crate) fitness: f64,
}

/// What happened in a generation.
struct Generation {
    elites: Vec<Elite>,
    mean_fitness: f64,
    tried: u64,
    draws: f64,
}

/// Runs the experiment by the settings of the lab.
pub(crate) fn run(run: &Run<'_>) -> Result<Report, LabError> {
    let config = if run.full { EvolutionConfig::PAPER } else { EvolutionConfig::SMALL };
    let generations = run.trials(config.generations.into(), config.generations.into());
    let generations = u32::try_from(generations).unwrap_or(u32::MAX);
    Ok(evolve(run, EvolutionConfig { generations, ..config })?.report)
}

/// Runs the experiment at any size.
///
/// # Errors
/// If it was stopped, if hardly any style passes the trial, or if the styles cannot be divided.
pub fn evolve(run: &Run<'_>, config: EvolutionConfig) -> Result<Styles, LabError> {
    let generations = evolution(run, config)?;
    let elites: Vec<Elite> =
        generations.iter().flat_map(|generation| generation.elites.iter().copied()).collect();
    let styles: Vec<Style> = elites.iter().map(|elite| elite.style).collect();
    let found = clusters(&styles, CLUSTERS, run.seed);
    let found = found.map_err(|error| LabError::Input(error.to_string()))?;
    let centres: Vec<Style> = found.centres.iter().map(|centre| centre.rounded()).collect();
    let ours = round_robin(run, "encounters of our styles", &centres)?;
    let published: Vec<Style> = PAPER.iter().filter_map(|(_, p)| Style::from_array(*p)).collect();
    let theirs = round_robin(run, "encounters of the paper's styles", &published)?;
    let report = report(run, config, &generations, &elites, &found, &centres, [&ours, &theirs])?;
    let file = |style: &Style| StyleFile { board: BoardName::Small, style: *style };
    Ok(Styles { report, styles: centres.iter().map(file).collect() })
}

/// Reports the progress over all generations.
struct Overall<'a> {
    progress: &'a dyn Progress,
    before: u64,
    all: u64,
}

impl Progress for Overall<'_> {
    fn step(&self, _: &str, done: u64, _: u64) {
        self.progress.step("rows of fitness", self.before + done, self.all);
    }
}

/// Generation after generation.
fn evolution(run: &Run<'_>, config: EvolutionConfig) -> Result<Vec<Generation>, LabError> {
    let mut generations: Vec<Generation> = Vec::new();
    let mut kept: Vec<Style> = Vec::new();
    for number in 0..config.generations {
        let (agents, tried) = filled(run, config, number, &kept)?;
        let rows = u64::from(config.population);
        let (before, all) = (rows * u64::from(number), rows * u64::from(config.generations));
        let overall = Overall { progress: run.progress, before, all };
        let run = Run { progress: &overall, ..*run };
        let generation = selection(&run, config, number, &agents, tried)?;
        kept = generation.elites.iter().map(|elite| elite.style).collect();
        generations.push(generation);
    }
    Ok(generations)
}

/// The agents of a generation: those that were kept, and candidates that pass the trial by the
/// random player, in their order; and how many were tried.
fn filled(
    run: &Run<'_>,
    config: EvolutionConfig,
    generation: u32,
    kept: &[Style],
) -> Result<(Vec<Style>, u64), LabError> {
    let (mut agents, mut tried) = (kept.to_vec(), 0);
    let trial_seed = derive_seed(derive_seed(run.seed, u64::from(generation)), u64::MAX);
    let quiet = Run { progress: &(), ..*run };
    while agents.len() < config.population as usize {
        let style = |number: u64| candidate(kept, run.seed, generation, number as u32);
        let passed = trials::run_trials(&quiet, "", BATCH, |at| {
            let (number, needed) = (tried + at, config.wins_against_random);
            Ok(beats_random(style(number), needed, derive_seed(trial_seed, number)))
        })?;
        for (at, _) in (0..).zip(&passed).filter(|(_, passed)| **passed) {
            if agents.len() < config.population as usize {
                agents.push(style(tried + at));
            }
        }
        tried += BATCH;
        if tried > MAX_CANDIDATES_PER_PASS * u64::from(config.population) {
            let reason = "hardly any style beats the random player so often; ask for fewer wins";
            return Err(LabError::Input(reason.into()));
        }
    }
    Ok((agents, tried))
}

/// Plays everybody against everybody and keeps the best.
fn selection(
    run: &Run<'_>,
    config: EvolutionConfig,
    generation: u32,
    agents: &[Style],
    tried: u64,
) -> Result<Generation, LabError> {
    let all = agents.len() as u64;
    let seed = derive_seed(derive_seed(run.seed, u64::from(generation)), u64::MAX - 1);
    // A row is an agent against the half of the others that follows it, so that all rows are of one
    // length; with an even number the two opposite each other meet in the row of the first.
    let opponents = |row: u64| {
        let most = if all.is_multiple_of(2) && row >= all / 2 { all / 2 - 1 } else { all / 2 };
        (1..=most).map(move |ahead| (row + ahead) % all)
    };
    let rows: Vec<Vec<[u32; 3]>> = trials::run_trials(run, "rows", all, |row| {
        let meet = |other: u64| {
            let seed = derive_seed(derive_seed(seed, row), other);
            parts(play_pair(agents[row as usize], agents[other as usize], seed))
        };
        Ok(opponents(row).map(meet).collect())
    })?;
    let mut scores = vec![MatchScore::default(); agents.len()];
    for (row, found) in (0..all).zip(&rows) {
        for (other, &[wins, draws, losses]) in opponents(row).zip(found) {
            let mine = MatchScore { wins, draws, losses };
            let theirs = MatchScore { wins: losses, draws, losses: wins };
            scores[row as usize] = sum(scores[row as usize], mine);
            scores[other as usize] = sum(scores[other as usize], theirs);
        }
    }
    let total = scores.iter().fold(MatchScore::default(), |total, score| sum(total, *score));
    let elite = |(style, score): (&Style, &MatchScore)| Elite {
        generation,
        style: *style,
        fitness: score.share(),
    };
    let mut elites: Vec<Elite> = agents.iter().zip(&scores).map(elite).collect();
    let mean_fitness = total.share();
    // The sort is stable: of equals the earlier ones are kept.
    elites.sort_by(|a, b| b.fitness.total_cmp(&a.fitness));
    elites.truncate(config.keep as usize);
    let draws = f64::from(total.draws) / f64::from(total.games().max(1));
    Ok(Generation { elites, mean_fitness, tried, draws })
}

fn parts(score: MatchScore) -> [u32; 3] {
    [score.wins, score.draws, score.losses]
}

fn whole([wins, draws, losses]: [u32; 3]) -> MatchScore {
    MatchScore { wins, draws, losses }
}

/// The shares of the points of everybody against everybody.
pub(crate) type Shares = Vec<Vec<Option<f64>>>;

/// The results of the games between styles.
struct RoundRobin {
    /// From 72 games.
    all: Shares,
    /// From the 32 of them without mirror images.
    unmirrored: Shares,
    /// From all repetitions.
    repeated: Shares,
    /// The share of draws over all repetitions.
    draws: f64,
}

fn round_robin(run: &Run<'_>, what: &str, styles: &[Style]) -> Result<RoundRobin, LabError> {
    let number = styles.len();
    let pairs: Vec<(usize, usize)> =
        (0..number).flat_map(|x| (x + 1..number).map(move |y| (x, y))).collect();
    let repetitions = if run.full { REPETITIONS } else { 2 };
    let seed = derive_seed(run.seed, 0x5457_4C45);
    let found: Vec<[[u32; 3]; 2]> =
        trials::run_trials(run, what, pairs.len() as u64 * repetitions, |trial| {
            let (x, y) = pairs[(trial % pairs.len() as u64) as usize];
            let PairingResult { all, unmirrored } =
                play_all_set_ups(styles[x], styles[y], derive_seed(seed, trial));
            Ok([parts(all), parts(unmirrored)])
        })?;
    let no_scores = || vec![vec![MatchScore::default(); number]; number];
    let (mut all, mut unmirrored, mut repeated) = (no_scores(), no_scores(), no_scores());
    for (trial, &[of_all, of_unmirrored]) in found.iter().enumerate() {
        let (x, y) = pairs[trial % pairs.len()];
        let add = |table: &mut Vec<Vec<MatchScore>>, [wins, draws, losses]: [u32; 3]| {
            table[x][y] = sum(table[x][y], whole([wins, draws, losses]));
            table[y][x] = sum(table[y][x], whole([losses, draws, wins]));
        };
        if trial < pairs.len() {
            add(&mut all, of_all);
            add(&mut unmirrored, of_unmirrored);
        }
        add(&mut repeated, of_all);
    }
    let total =
        repeated.iter().flatten().fold(MatchScore::default(), |total, one| sum(total, *one));
    let draws = f64::from(total.draws) / f64::from(total.games().max(1));
    let [all, unmirrored, repeated] = [all, unmirrored, repeated].map(|table| shares(&table));
    Ok(RoundRobin { all, unmirrored, repeated, draws })
}

fn shares(table: &[Vec<MatchScore>]) -> Shares {
    let share = |score: &MatchScore| (score.games() > 0).then(|| score.share());
    table.iter().map(|row| row.iter().map(share).collect()).collect()
}

/// The names of our clusters.
pub(crate) const OURS: [&str; CLUSTERS] = ["1", "2", "3", "4", "5"];

fn report(
    run: &Run<'_>,
    config: EvolutionConfig,
    generations: &[Generation],
    elites: &[Elite],
    found: &Clusters,
    centres: &[Style],
    [ours, theirs]: [&RoundRobin; 2],
) -> Result<Report, LabError> {
    let shares = shares_by_generation(elites, found, config.generations);
    Ok(Report {
        experiment: Experiment::P5Styles,
        settings: settings(run, config),
        tables: vec![
            clusters_table(found, centres),
            matches_table("matches", "Our styles against each other", &OURS, ours, None),
            matches_table(
                "paper",
                "The paper's styles against each other, played by our player",
                &PAPER.map(|(name, _)| name),
                theirs,
                Some(PAPER_MATCHES),
            ),
            generations_table(generations, &shares),
            elites_table(elites, found),
        ],
        figures: vec![
            clusters_figure(elites, &found.of)?,
            projections_figure(elites, &found.of)?,
            shares_figure(&shares)?,
            dominance_figure(&ours.all, &OURS)?,
        ],
        findings: findings(generations, ours, theirs),
    })
}

fn settings(run: &Run<'_>, config: EvolutionConfig) -> Vec<(&'static str, String)> {
    vec![
        ("seed", run.seed.to_string()),
        ("population", config.population.to_string()),
        ("keep", config.keep.to_string()),
        ("generations", config.generations.to_string()),
        ("wins of 100 against random", config.wins_against_random.to_string()),
    ]
}

/// Which of the paper's clusters each of ours is nearest to, all of them together.
fn matched(centres: &[Style]) -> Vec<usize> {
    let cost = |way: &[usize]| -> f64 {
        let paper = way.iter().filter_map(|&at| Style::from_array(PAPER[at].1));
        centres.iter().zip(paper).map(|(ours, paper)| distance(*ours, paper)).sum()
    };
    let mut best: Option<(f64, Vec<usize>)> = None;
    each_order(&mut Vec::new(), centres.len(), &mut |way| {
        let cost = cost(way);
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, way.to_vec()));
        }
    });
    best.map_or_else(Vec::new, |(_, way)| way)
}

fn each_order(way: &mut Vec<usize>, number: usize, cycles_text: &mut impl FnMut(&[usize])) {
    if way.len() == number {
        return cycles_text(way);
    }
    for next in 0..number {
        if !way.contains(&next) {
            way.push(next);
            each_order(way, number, cycles_text);
            way.pop();
        }
    }
}

fn clusters_table(found: &Clusters, centres: &[Style]) -> ResultTable {
    let columns = [
        "cluster",
        "agents",
        NAMES[0],
        NAMES[1],
        NAMES[2],
        "nearest in paper",
        "paper adjacent",
        "paper away",
        "paper towards",
        "distance",
    ];
    let title = "Clusters and their styles beside P5 table 1, matched by least distance";
    let mut table = ResultTable::new("", title, columns);
    let matched = matched(centres);
    for (at, (centre, &of)) in centres.iter().zip(&matched).enumerate() {
        let size = found.of.iter().filter(|cluster| **cluster == at).count();
        let (name, paper) = PAPER[of];
        let mut row: Vec<Cell> = vec![OURS[at].into(), Cell::Count(size as u64)];
        row.extend(centre.to_array().map(|parameter| Cell::Number(parameter, 4)));
        row.push(name.into());
        row.extend(paper.map(|parameter| Cell::Number(parameter, 4)));
        let apart = Style::from_array(paper).map(|paper| distance(*centre, paper));
        row.push(apart.map(|apart| Cell::Number(apart, 3)).into());
        table.row(row);
    }
    table
}

fn matches_table(
    name: &'static str,
    title: &'static str,
    names: &[&'static str; CLUSTERS],
    found: &RoundRobin,
    published: Option<[[Option<f64>; CLUSTERS]; CLUSTERS]>,
) -> ResultTable {
    let [a, b, c, d, e] = *names;
    let mut table = ResultTable::new(name, title, ["style", "games", a, b, c, d, e]);
    let mut rows = |games: &str, shares: &[Vec<Option<f64>>]| {
        for (name, row) in names.iter().zip(shares) {
            let mut cells: Vec<Cell> = vec![(*name).into(), games.into()];
            let shown = |share: &Option<f64>| share.map(|share| Cell::Number(share, 3)).into();
            cells.extend(row.iter().map(shown));
            table.row(cells);
        }
    };
    if let Some(published) = published {
        rows("paper", &published.map(|row| row.to_vec()));
    }
    rows("72", &found.all);
    rows("32", &found.unmirrored);
    rows("repeated", &found.repeated);
    table
}

/// The share of each cluster among the kept, generation by generation.
fn shares_by_generation(elites: &[Elite], found: &Clusters, number: u32) -> Vec<[f64; CLUSTERS]> {
    let mut shares = vec![[0.0; CLUSTERS]; number as usize];
    for (elite, &cluster) in elites.iter().zip(&found.of) {
        shares[elite.generation as usize][cluster] += 1.0;
    }
    for row in &mut shares {
        let all: f64 = row.iter().sum();
        *row = row.map(|count| count / all.max(1.0));
    }
    shares
}

fn generations_table(generations: &[Generation], shares: &[[f64; CLUSTERS]]) -> ResultTable {
    let columns =
        ["generation", "1", "2", "3", "4", "5", "best", "worst kept", "mean", "draws", "tried"];
    let title = "Shares of the clusters among the kept, their fitness, and candidates tried";
    let mut table = ResultTable::new("generations", title, columns);
    for (number, (generation, shares)) in generations.iter().zip(shares).enumerate() {
        let fitness =
            |elite: Option<&Elite>| Cell::from(elite.map(|elite| Cell::Number(elite.fitness, 3)));
        let mut row: Vec<Cell> = vec![Cell::Count(number as u64 + 1)];
        row.extend(shares.map(|share| Cell::Number(share, 3)));
        row.push(fitness(generation.elites.first()));
        row.push(fitness(generation.elites.last()));
        row.push(Cell::Number(generation.mean_fitness, 3));
        row.push(Cell::Number(generation.draws, 3));
        row.push(Cell::Count(generation.tried));
        table.row(row);
    }
    table
}

fn elites_table(elites: &[Elite], found: &Clusters) -> ResultTable {
    let columns = ["generation", NAMES[0], NAMES[1], NAMES[2], "fitness", "cluster"];
    let mut table = ResultTable::new("agents", "All agents that were kept", columns);
    for (elite, &cluster) in elites.iter().zip(&found.of) {
        let mut row: Vec<Cell> = vec![Cell::Count(u64::from(elite.generation) + 1)];
        row.extend(elite.style.to_array().map(|parameter| Cell::Number(parameter, 4)));
        row.push(Cell::Number(elite.fitness, 3));
        row.push(OURS[cluster].into());
        table.row(row);
    }
    table
}

/// The circles of dominance in words.
fn cycles_text(shares: &Shares, names: &[&str]) -> String {
    let found = cycles(&edges(shares));
    let cycle = |cycle: &Vec<usize>| {
        let mut way: Vec<&str> = cycle.iter().map(|at| names[*at]).collect();
        way.push(names[cycle[0]]);
        way.join(" beats ")
    };
    if found.is_empty() {
        return "no circle of dominance".into();
    }
    let cycles: Vec<String> = found.iter().map(cycle).collect();
    format!("circles of dominance: {}", cycles.join("; "))
}

fn findings(generations: &[Generation], ours: &RoundRobin, theirs: &RoundRobin) -> Vec<String> {
    let tried: u64 = generations.iter().map(|generation| generation.tried).sum();
    let paper = PAPER_MATCHES.map(|row| row.to_vec()).to_vec();
    let letters = PAPER.map(|(name, _)| name);
    vec![
        format!("{tried} candidates were tried by the random player"),
        format!("Our styles in 72 games each: {}", cycles_text(&ours.all, &OURS)),
        format!("Our styles in all repetitions: {}", cycles_text(&ours.repeated, &OURS)),
        format!("The paper's table 2: {}", cycles_text(&paper, &letters)),
        format!(
            "The paper's styles by our player, repeated: {}",
            cycles_text(&theirs.repeated, &letters)
        ),
        format!(
            "Draws: {:.1} % of our styles' games, {:.1} % of the paper's styles' by our player",
            100.0 * ours.draws,
            100.0 * theirs.draws
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_centres_are_matched_with_themselves() {
        let order = [3, 0, 4, 2, 1];
        let centres: Vec<Style> =
            order.iter().map(|&at| Style::from_array(PAPER[at].1).unwrap()).collect();
        assert_eq!(matched(&centres), order);
    }

    #[test]
    fn the_papers_circle_is_found() {
        let paper = PAPER_MATCHES.map(|row| row.to_vec()).to_vec();
        let letters = PAPER.map(|(name, _)| name);
        assert_eq!(
            cycles_text(&paper, &letters),
            "circles of dominance: A beats D beats C beats A"
        );
    }

    /// The statements about P5's table 2.
    #[test]
    fn the_papers_shares_are_of_32_games() {
        let fits = |games: f64| {
            let shares = PAPER_MATCHES.iter().flatten().flatten();
            shares
                .filter(|share| ((*share * games).round() / games - *share).abs() < 0.0006)
                .count()
        };
        assert_eq!(fits(32.0), 20);
        assert!(fits(72.0) < 20 && fits(144.0) < 20);
    }
}
