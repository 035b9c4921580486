//! An ablation study of Darkboard (P2): matches of its variants with the same seeds, compared with
//! the unchanged player.
//!
//! Searches are limited by depth and not by time, so games repeat on every machine.

mod figure;
mod variants;

use crate::statistics::Interval;
use crate::{Cell, Experiment, LabError, Report, ResultTable, Run, trials};
use games::kriegspiel::{Game, Position};
use play::elo::{Elo, MatchScore};
use play::matches::{Make, Seeding, Terms, one_game};
use players::kriegspiel::darkboard::{Darkboard, Options};
use players::kriegspiel::roster::player;
use std::time::Duration;
use variants::{Matchup, Variant, matchups};

/// Games at depth 1 against `greedy`, small and full; the other matchups have a fraction of them.
const GAMES: [u64; 2] = [2, 200];

/// The greatest depth of a matchup.
const MAX_DEPTH: u32 = 3;

/// A node limit that no search reaches, so that only the depth limits it.
const UNLIMITED_NODES: u64 = u64::MAX;

/// The result of a variant.
struct Outcome<'a> {
    variant: &'a Variant,
    matchup: &'a Matchup,
    score: MatchScore,
    /// How much its share of points exceeds that of the baseline in the same games; `None` for the
    /// baseline of depth 1. The baselines of other depths are compared with that one.
    gain: Option<Gain>,
}

/// A paired difference between two players that had the same opponent, side and seed in each game.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Gain {
    mean: f64,
    interval: Interval,
}

impl Gain {
    /// The gain in points per game, over the games that both have played.
    fn between(points: &[f64], baseline: &[f64]) -> Gain {
        let gains: Vec<f64> = points.iter().zip(baseline).map(|(one, other)| one - other).collect();
        let games = gains.len().max(1) as f64;
        let mean = gains.iter().sum::<f64>() / games;
        let squares: f64 = gains.iter().map(|gain| (gain - mean).powi(2)).sum();
        let standard_error = (squares / (games - 1.0).max(1.0) / games).sqrt();
        // A single game, for instance, does not determine the variance.
        let interval = if squares == 0.0 && mean != 0.0 {
            Interval { low: -1.0, high: 1.0 }
        } else {
            Interval::normal(mean, standard_error)
        };
        Gain { mean, interval }
    }

    /// Whether the gain is statistically significant: 0 is outside the interval.
    fn is_significant(self) -> bool {
        self.interval.low > 0.0 || self.interval.high < 0.0
    }
}

/// Runs the experiment.
pub(crate) fn run(run: &Run<'_>) -> Result<Report, LabError> {
    let requested = run.trials(GAMES[0], GAMES[1]);
    let matchups = matchups(run.depth.unwrap_or(MAX_DEPTH));
    let mut outcomes = Vec::new();
    let mut baseline_of_depth_1 = Vec::new();
    for matchup in &matchups {
        let played = play(run, matchup, requested)?;
        if baseline_of_depth_1.is_empty() {
            baseline_of_depth_1.clone_from(&played[0]);
        }
        outcomes.extend(compare(matchup, &played, &baseline_of_depth_1));
    }
    let games = matchups.iter().map(|matchup| {
        let games = matchup.games(requested);
        format!("depth {} against {} {games}", matchup.depth, matchup.opponent)
    });
    Ok(Report {
        experiment: Experiment::P2Darkboard,
        settings: vec![
            ("seed", run.seed.to_string()),
            ("games of each variant", games.collect::<Vec<_>>().join(", ")),
        ],
        tables: vec![table(&outcomes)],
        figures: matchups
            .iter()
            .map(|matchup| figure::draw(matchup, &outcomes))
            .collect::<Result<_, _>>()?,
        findings: findings(&outcomes),
    })
}

/// The points of all variants of a matchup, game by game.
fn play(run: &Run<'_>, matchup: &Matchup, requested: u64) -> Result<Vec<Vec<f64>>, LabError> {
    let each = matchup.variants.iter().map(|variant| {
        let label = format!("{} against {}", variant.options, matchup.opponent);
        trials::run_trials(run, &label, matchup.games(requested), |number| {
            points(run, variant, matchup.opponent, number as u32)
        })
    });
    each.collect()
}

/// The points of a variant in the game with this number.
fn points(run: &Run<'_>, variant: &Variant, opponent: &str, number: u32) -> Result<f64, LabError> {
    let options: Options =
        variant.options.parse().map_err(|error| LabError::Input(format!("{error}")))?;
    let make_opponent: &Make<'_, Game> =
        &|| player(opponent).expect("opponents are players of the roster");
    let makers: [&Make<'_, Game>; 2] =
        [&|| Box::new(Darkboard::new(options).with_nodes(UNLIMITED_NODES)), make_opponent];
    let terms = Terms {
        games: number + 1,
        time: Duration::ZERO,
        seed: run.seed,
        start: Position::start(),
        seeding: Seeding::Seats,
        own_setups: false,
    };
    let game = one_game([&variant.options, opponent], makers, &terms, number, run.stop);
    Ok(match game.ok_or(LabError::Stopped)?.winner {
        Some(0) => 1.0,
        Some(_) => 0.0,
        None => 0.5,
    })
}

/// The outcomes of all variants of a matchup, the baseline first.
fn compare<'a>(
    matchup: &'a Matchup,
    played: &[Vec<f64>],
    baseline_of_depth_1: &[f64],
) -> impl Iterator<Item = Outcome<'a>> {
    let baseline = &played[0];
    let outcome = |(at, (variant, points)): (usize, (&'a Variant, &Vec<f64>))| {
        let gain = match at {
            0 if matchup.depth == 1 => None,
            0 => Some(Gain::between(points, baseline_of_depth_1)),
            _ => Some(Gain::between(points, baseline)),
        };
        Outcome { variant, matchup, score: score(points), gain }
    };
    matchup.variants.iter().zip(played).enumerate().map(outcome).collect::<Vec<_>>().into_iter()
}

fn score(points: &[f64]) -> MatchScore {
    let count = |wanted: f64| points.iter().filter(|&&points| points == wanted).count() as u32;
    MatchScore { wins: count(1.0), draws: count(0.5), losses: count(0.0) }
}

fn table(outcomes: &[Outcome<'_>]) -> ResultTable {
    let mut table = ResultTable::new(
        "",
        "Variants of darkboard: points in per cent with 95 % intervals, and how many more than the \
         base of the same depth in the same games (a base: than depth 1)",
        [
            "options",
            "against",
            "games",
            "won",
            "drawn",
            "lost",
            "points",
            "low",
            "high",
            "Elo",
            "Elo low",
            "Elo high",
            "more",
            "more low",
            "more high",
            "beyond chance",
        ],
    );
    let percent = |share: f64| Cell::Number(100.0 * share, 1);
    for Outcome { variant, matchup, score, gain } in outcomes {
        let [low, high] = score.share_interval().map_or([None; 2], |interval| interval.map(Some));
        let elo = |of: fn(Elo) -> Option<f64>| {
            score.elo().and_then(of).map_or(Cell::Empty, |points| Cell::Number(points, 0))
        };
        let bound = |share: Option<f64>| share.map_or(Cell::Empty, percent);
        let gained =
            |of: &dyn Fn(&Gain) -> f64| gain.as_ref().map_or(Cell::Empty, |g| percent(of(g)));
        table.row([
            variant.options.as_str().into(),
            matchup.opponent.into(),
            score.games().into(),
            score.wins.into(),
            score.draws.into(),
            score.losses.into(),
            percent(score.share()),
            bound(low),
            bound(high),
            elo(|elo| elo.points),
            elo(|elo| elo.low),
            elo(|elo| elo.high),
            gained(&|gain| gain.mean),
            gained(&|gain| gain.interval.low),
            gained(&|gain| gain.interval.high),
            gain.map(Gain::is_significant).into(),
        ]);
    }
    table
}

/// The variants that differ significantly from the baseline, and the expected number of false
/// positives.
fn findings(outcomes: &[Outcome<'_>]) -> Vec<String> {
    let gains: Vec<(&Outcome<'_>, Gain)> =
        outcomes.iter().filter_map(|one| Some((one, one.gain?))).collect();
    let names_where = |wanted: &dyn Fn(Gain) -> bool| -> String {
        let names = gains.iter().filter(|(_, gain)| gain.is_significant() && wanted(*gain));
        let names = names
            .map(|(one, _)| format!("{} against {}", one.variant.options, one.matchup.opponent));
        let names: Vec<String> = names.collect();
        if names.is_empty() { "none".into() } else { names.join("; ") }
    };
    vec![
        format!("better than the base beyond chance: {}", names_where(&|gain| gain.mean > 0.0)),
        format!("worse: {}", names_where(&|gain| gain.mean < 0.0)),
        format!(
            "of {} comparisons about {:.0} would be beyond chance if nothing mattered",
            gains.len(),
            0.05 * gains.len() as f64
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_by_hand() {
        // Differences 1, 0, 0, -0.5: mean 0.125, variance 1.1875 / 3, standard error 0.3146.
        let gain = Gain::between(&[1.0, 0.5, 0.0, 0.5, 1.0], &[0.0, 0.5, 0.0, 1.0]);
        assert!((gain.mean - 0.125).abs() < 1e-9);
        assert!((gain.interval.high - (0.125 + 1.959_964 * 0.314_576)).abs() < 1e-4, "{gain:?}");
        assert!(!gain.is_significant());
        assert!(Gain::between(&[1.0, 1.0, 0.5], &[0.0, 0.0, 0.0]).is_significant());
        assert!(!Gain::between(&[0.0], &[1.0]).is_significant());
        assert_eq!(Gain::between(&[], &[]).mean, 0.0);
    }

    #[test]
    fn points_are_counted() {
        assert_eq!(score(&[1.0, 0.5, 0.0, 1.0]), MatchScore { wins: 2, draws: 1, losses: 1 });
    }
}
