//! The figures.

use super::game::Tree;
use super::tables::{Mean, at_milestone};
use super::{OBJECTIVES, Played, paper};
use crate::figure::{Chart, Point, Series, SeriesStyle, draw};
use crate::{Figure, LabError};
use search::Motion;

/// The number of turns averaged for one point of a trace; single turns would be a grey band.
const SMOOTHED: usize = 25;

/// Table 4 as a figure.
pub(super) fn scores(all: &[Played]) -> Result<Figure, LabError> {
    let ours = all.iter().map(|played| {
        let mean = Mean::of(&played.games, |game| game.score);
        Point::with_interval(f64::from(played.d) - 0.03, mean.value, mean.interval())
    });
    let published = paper::TABLE_4.iter().map(|row| Point::new(f64::from(row.d) + 0.03, row.score));
    let chart = Chart {
        title: "2048 by Expectimax".into(),
        x_label: "depth".into(),
        y_label: "mean score".into(),
        ticks: all.iter().map(|played| (f64::from(played.d), played.d.to_string())).collect(),
        logarithmic: false,
        series: vec![
            Series::new("ours", SeriesStyle::Both, ours.collect()),
            Series::new("P4 table 4, 20 games", SeriesStyle::Both, published.collect()),
        ],
    };
    draw("", &[chart], 1)
}

/// Figures 7 to 9: a game to each objective at every depth.
pub(super) fn traces(all: &[Played]) -> Result<Figure, LabError> {
    let charts: Vec<Chart> = all.iter().map(trace).collect();
    draw("scn", &charts, 2)
}

fn trace(played: &Played) -> Chart {
    let games = OBJECTIVES.iter().filter_map(|&highest| {
        let motion = played.reaching(Tree::Common, highest).into_iter().next()?;
        let points = motion.velocities.chunks(SMOOTHED).enumerate().map(|(chunk, turns)| {
            let turn = (chunk * SMOOTHED) as f64 + turns.len() as f64 / 2.0;
            Point::new(turn, turns.iter().sum::<f64>() / turns.len() as f64)
        });
        Some(Series::new(
            format!("highest tile {}", 1 << highest),
            SeriesStyle::Line,
            points.collect(),
        ))
    });
    let series: Vec<Series> = games.collect();
    let last = series.iter().flat_map(|s| &s.points).map(|p| p.x).fold(0.0, f64::max);
    Chart {
        title: format!("A game at depth {} (means of {SMOOTHED} turns)", played.d),
        x_label: "turn".into(),
        y_label: "conspiracy number, 0 to 1".into(),
        ticks: (0..=last as u32 / 250)
            .map(|n| (f64::from(250 * n), (250 * n).to_string()))
            .collect(),
        logarithmic: false,
        series,
    }
}

/// Figure 10.
pub(super) fn momentum(all: &[Played]) -> Result<Figure, LabError> {
    let charts = OBJECTIVES.map(|highest| {
        [
            by_milestone(all, highest, "momentum", |motion| motion.momentum),
            by_milestone(all, highest, "potential energy", |motion| motion.potential),
        ]
    });
    draw("momentum", &charts.concat(), 2)
}

/// Figure 13.
pub(super) fn mass(all: &[Played]) -> Result<Figure, LabError> {
    let charts = OBJECTIVES.map(|highest| by_milestone(all, highest, "mass", |motion| motion.mass));
    draw("mass", &charts, 2)
}

fn by_milestone(all: &[Played], highest: u32, what: &str, of: fn(&Motion) -> f64) -> Chart {
    let series = all.iter().map(|played| {
        let motions = played.reaching(Tree::Common, highest);
        let points = (2..=highest).filter_map(|power| {
            let motion = at_milestone(&motions, power).1?;
            Some(Point::new(power, of(&motion)))
        });
        Series::new(format!("d = {}", played.d), SeriesStyle::Both, points.collect())
    });
    Chart {
        title: format!("Games with the highest tile {}", 1 << highest),
        x_label: "largest tile so far".into(),
        y_label: what.into(),
        ticks: (2..=highest).map(|power| (f64::from(power), (1 << power).to_string())).collect(),
        logarithmic: false,
        series: series.collect(),
    }
}
