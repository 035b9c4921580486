//! Conspiracy numbers along whole games between simple players, from the bottom side's view.

use crate::feel_measures::{SIGHTS, name};
use crate::figure::{Chart, Point, Series, SeriesStyle, draw};
use crate::geister_games::{Player, play};
use crate::statistics::Proportion;
use crate::trials::{budget, run_trials};
use crate::{Cell, Figure, LabError, ResultTable, Run};
use common::rng::stream;
use games::Seat;
use geister::feel::{self, Ride, Trace};
use search::Motion;
use serde::{Deserialize, Serialize};

/// The pairings, the bottom side first.
const PAIRS: [(Player, Player); 4] = [
    (Player::Random, Player::Random),
    (Player::Greedy, Player::Random),
    (Player::Random, Player::Greedy),
    (Player::Greedy, Player::Greedy),
];

/// The number of sights used: deeper trees are expensive with sixteen ghosts on the board.
const SEEN: usize = 2;

/// A game with the numbers of its own turns and its end, for each of the sights used.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Game {
    pair: usize,
    plies: u32,
    won: bool,
    lost: bool,
    heights: Vec<Vec<f64>>,
}

/// Plays `number` games of each pairing.
pub(crate) fn games(run: &Run<'_>, number: u64) -> Result<Vec<Game>, LabError> {
    let pairs = PAIRS.len() as u64;
    run_trials(run, "rides of games", pairs * number, |trial| {
        let pair = (trial % pairs) as usize;
        // A random stream that no sample uses.
        let mut rng = stream(run.seed, (1 << 40) + trial);
        let seen = play(PAIRS[pair].0, PAIRS[pair].1, &mut rng);
        let end = match seen.winner {
            Some(Seat::First) => Some(Some(0)),
            Some(Seat::Second) => Some(None),
            None => None,
        };
        let heights = SIGHTS[..SEEN].iter().map(|&sight| {
            let positions = seen.positions.iter().copied();
            let trace = Trace::through(positions, sight, &mut budget(run, 0));
            let mut trace = trace.map_err(|_| LabError::Stopped)?;
            trace.points.extend(end.map(|number| feel::Point { counts: true, number }));
            Ok(trace.heights())
        });
        Ok(Game {
            pair,
            plies: seen.plies,
            won: seen.winner == Some(Seat::First),
            lost: seen.winner == Some(Seat::Second),
            heights: heights.collect::<Result<_, LabError>>()?,
        })
    })
}

fn pair_name(pair: usize) -> String {
    let (bottom, top) = PAIRS[pair];
    format!("{} against {}", bottom.name(), top.name())
}

/// The means over the games of each pairing.
pub(crate) fn table(games: &[Game]) -> ResultTable {
    let mut table = ResultTable::new(
        "games",
        "Whole games as the bottom side sees them: means over games",
        [
            "game",
            "sight",
            "games",
            "won %",
            "plies",
            "number",
            "rises",
            "turns",
            "turns/move",
            "v",
            "M",
            "p",
            "Ep",
        ],
    );
    for pair in 0..PAIRS.len() {
        let games: Vec<&Game> = games.iter().filter(|game| game.pair == pair).collect();
        for (place, &sight) in SIGHTS[..SEEN].iter().enumerate() {
            let mean = |of: &dyn Fn(&Game) -> f64| {
                games.iter().map(|game| of(game)).sum::<f64>() / games.len().max(1) as f64
            };
            let height = |game: &Game| {
                let heights = &game.heights[place];
                heights.iter().sum::<f64>() / heights.len().max(1) as f64
            };
            let ride = |game: &Game| Ride::over(&game.heights[place]);
            let motions: Vec<Motion> =
                games.iter().filter_map(|game| Motion::of(&game.heights[place])).collect();
            let motion = Motion::average(&motions);
            let part = |of: fn(&Motion) -> f64| {
                motion.as_ref().map_or(Cell::Empty, |motion| Cell::Number(of(motion), 3))
            };
            let won = games.iter().filter(|game| game.won).count() as u64;
            let moves = |game: &Game| game.heights[place].len().max(1) as f64;
            table.row([
                pair_name(pair).into(),
                name(sight).into(),
                Cell::Count(games.len() as u64),
                Cell::percent(Proportion { hits: won, of: games.len() as u64 }.value()),
                Cell::Number(mean(&|game| game.plies.into()), 1),
                Cell::Number(mean(&height), 2),
                Cell::Number(mean(&|game| ride(game).rises.into()), 1),
                Cell::Number(mean(&|game| ride(game).turns.into()), 1),
                Cell::Number(mean(&|game| f64::from(ride(game).turns) / moves(game)), 3),
                part(|motion| motion.velocity),
                part(|motion| motion.mass),
                part(|motion| motion.momentum),
                part(|motion| motion.potential),
            ]);
        }
    }
    table
}

/// The first decisive game of each pairing, or the first.
pub(crate) fn figure(games: &[Game]) -> Result<Figure, LabError> {
    let chart = |pair: usize| {
        let of_pair = || games.iter().filter(move |game| game.pair == pair);
        let game = of_pair().find(|game| game.won || game.lost).or_else(|| of_pair().next())?;
        let ending = match (game.won, game.lost) {
            (true, _) => "won",
            (_, true) => "lost",
            _ => "drawn",
        };
        let series = SIGHTS[..SEEN].iter().zip(&game.heights).map(|(&sight, heights)| {
            let points = heights.iter().enumerate().map(|(x, &y)| Point::new(x as u32, y));
            Series::new(name(sight), SeriesStyle::Line, points.collect())
        });
        let moves = game.heights.first().map_or(0, Vec::len) as u32;
        let step = (moves / 8).max(1) as usize;
        Some(Chart {
            title: format!("{}, {ending}", pair_name(pair)),
            x_label: "own moves made".into(),
            y_label: "conspiracy number".into(),
            ticks: (0..moves).step_by(step).map(|x| (f64::from(x), x.to_string())).collect(),
            logarithmic: false,
            series: series.collect(),
        })
    };
    let charts: Vec<Chart> = (0..PAIRS.len()).filter_map(chart).collect();
    draw("games", &charts, 2)
}
