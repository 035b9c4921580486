//! The tables, the paper's figures beside ours.

use super::feel::READINGS;
use super::game::{Game, Tree};
use super::{DEPTHS, GameMotion, OBJECTIVES, Played, average, paper};
use crate::statistics::{ChiSquare, Interval};
use crate::{Cell, ResultTable};
use search::Motion;

/// The mean of a sample, and the deviation of a single one.
pub(super) struct Mean {
    pub(super) value: f64,
    deviation: f64,
    of: f64,
}

impl Mean {
    pub(super) fn of(games: &[Game], what: impl Fn(&Game) -> u64) -> Mean {
        let of = games.len().max(1) as f64;
        let value = games.iter().map(|game| what(game) as f64).sum::<f64>() / of;
        let squares = games.iter().map(|game| (what(game) as f64 - value).powi(2)).sum::<f64>();
        Mean { value, deviation: (squares / (of - 1.0).max(1.0)).sqrt(), of }
    }

    /// The interval of the mean of this many games, if they have our distribution.
    fn interval_of(&self, games: f64) -> Interval {
        Interval::normal(self.value, self.deviation / games.sqrt())
    }

    pub(super) fn interval(&self) -> Interval {
        self.interval_of(self.of)
    }

    /// Whether a mean of the paper's number of games can be of the same player.
    fn agrees(&self, published: f64) -> bool {
        let deviation = self.deviation * (1.0 / self.of + 1.0 / paper::GAMES as f64).sqrt();
        let Interval { low, high } = Interval::normal(self.value, deviation);
        (low..=high).contains(&published)
    }
}

/// Games with the highest tile below 512, 512, 1024, 2048, 4096, and above.
fn highest_tiles(games: &[Game]) -> [u64; 6] {
    let mut counts = [0; 6];
    for game in games {
        counts[game.highest().clamp(8, 13) as usize - 8] += 1;
    }
    counts
}

/// Whether the highest tiles of the paper's games can be of the same player; none if there are too
/// few games to tell.
fn tiles_agree(ours: [u64; 6], paper: [u64; 4]) -> Option<ChiSquare> {
    let [none, a, b, c, d, above] = ours;
    let test = ChiSquare::of(&[none + a, b, c, d + above], &paper);
    (test.degrees_of_freedom > 0).then_some(test)
}

/// Table 4.
pub(super) fn scores(all: &[Played]) -> ResultTable {
    let mut table = ResultTable::new(
        "",
        "Table 4: highest tiles, score and steps by depth, a row of ours and one of the paper's",
        [
            "d",
            "whose",
            "games",
            "below 512",
            "512",
            "1024",
            "2048",
            "4096",
            "above",
            "score",
            "score from",
            "score to",
            "steps",
            "steps from",
            "steps to",
            "score agrees",
            "steps agree",
            "tiles agree",
        ],
    );
    for Played { d, games } in all {
        let (score, steps) = (Mean::of(games, |g| g.score), Mean::of(games, Game::steps));
        let tiles = highest_tiles(games);
        let published = paper::TABLE_4.iter().find(|row| row.d == *d);
        let mut cells: Vec<Cell> = vec![(*d).into(), "ours".into(), (games.len() as u64).into()];
        cells.extend(tiles.map(Cell::Count));
        for mean in [&score, &steps] {
            let Interval { low, high } = mean.interval();
            cells.extend([mean.value, low, high].map(|value| Cell::Number(value, 0)));
        }
        cells.push(published.map(|row| score.agrees(row.score)).into());
        cells.push(published.map(|row| steps.agrees(row.steps)).into());
        cells.push(
            published
                .and_then(|row| tiles_agree(tiles, row.tiles))
                .and_then(ChiSquare::fits)
                .into(),
        );
        table.row(cells);
        let Some(row) = published else { continue };
        let mut cells: Vec<Cell> =
            vec![(*d).into(), "paper".into(), paper::GAMES.into(), 0_u64.into()];
        cells.extend(row.tiles.map(Cell::Count));
        cells.push(0_u64.into());
        for mean in [row.score, row.steps] {
            cells.extend([Cell::Number(mean, 0), Cell::Empty, Cell::Empty]);
        }
        cells.extend([Cell::Empty, Cell::Empty, Cell::Empty]);
        table.row(cells);
    }
    table
}

/// The columns of a motion.
fn moved(motion: &Motion) -> [Cell; 4] {
    [motion.velocity, motion.mass, motion.momentum, motion.potential]
        .map(|value| Cell::Number(value, 5))
}

/// Table 6.
pub(super) fn motion(all: &[Played]) -> ResultTable {
    let mut table = ResultTable::new(
        "motion",
        "Table 6: velocity, mass, momentum and potential energy of the conspiracy numbers",
        [
            "d",
            "highest tile",
            "tree",
            "games",
            "v",
            "M",
            "p",
            "Ep",
            "paper v",
            "paper M",
            "paper p",
            "paper Ep",
        ],
    );
    for tree in Tree::ALL {
        for row in paper::TABLE_6 {
            let Some(played) = all.iter().find(|played| played.d == row.d) else { continue };
            let motions = played.reaching(tree, row.highest);
            let mut cells: Vec<Cell> = vec![
                row.d.into(),
                Cell::Count(1 << row.highest),
                tree.name().into(),
                (motions.len() as u64).into(),
            ];
            let ours = average(&motions);
            cells.extend(ours.map_or([(); 4].map(|()| Cell::Empty), |motion| moved(&motion)));
            let paper = [row.velocity, row.mass, row.momentum, row.potential];
            cells.extend(paper.map(|value| Cell::Number(value, 5)));
            table.row(cells);
        }
    }
    table
}

/// The average motion of games at a milestone, and how many of them have one there.
pub(super) fn at_milestone(motions: &[GameMotion], power: u32) -> (usize, Option<Motion>) {
    let parts = motions.iter().flat_map(|motion| &motion.milestones);
    let motions: Vec<Motion> = parts.filter(|(at, _)| *at == power).map(|(_, m)| *m).collect();
    (motions.len(), Motion::average(&motions))
}

/// The figures behind figures 10 and 13.
pub(super) fn milestones(all: &[Played]) -> ResultTable {
    let mut table = ResultTable::new(
        "milestones",
        "Figures 10 and 13: motion while the largest tile is this one, common tree",
        ["highest tile", "d", "largest tile", "games", "v", "M", "p", "Ep"],
    );
    for highest in OBJECTIVES {
        for played in all {
            let motions = played.reaching(Tree::Common, highest);
            for power in 1..=highest {
                let (games, Some(motion)) = at_milestone(&motions, power) else { continue };
                let mut cells: Vec<Cell> = vec![
                    Cell::Count(1 << highest),
                    played.d.into(),
                    Cell::Count(1 << power),
                    (games as u64).into(),
                ];
                cells.extend(moved(&motion));
                table.row(cells);
            }
        }
    }
    table
}

/// Table 7 over all games of a depth.
pub(super) fn readings(all: &[Played]) -> ResultTable {
    let mut table = ResultTable::new(
        "readings",
        "Table 7 read on our games: times between two milestones, and how many ended the game",
        ["d", "level", "gap", "reading", "times", "% of the depth's", "ended the game", "% ended"],
    );
    const DEGREES: [&str; 3] = ["low", "middle", "high"];
    for played in all {
        let motions = played.motions(Tree::Common);
        let milestone_classes: Vec<_> =
            motions.iter().flat_map(GameMotion::milestone_classes).collect();
        for (level, gap) in (0..3).flat_map(|level| (0..3).map(move |gap| (level, gap))) {
            let here =
                milestone_classes.iter().filter(|class| (class.level, class.gap) == (level, gap));
            let (times, ended) = (here.clone().count(), here.filter(|class| class.last).count());
            let share = |part: usize, of: usize| 100.0 * part as f64 / of.max(1) as f64;
            table.row([
                played.d.into(),
                DEGREES[level].into(),
                DEGREES[gap].into(),
                READINGS[level][gap].into(),
                (times as u64).into(),
                Cell::Number(share(times, milestone_classes.len()), 1),
                (ended as u64).into(),
                Cell::Number(share(ended, times), 1),
            ]);
        }
    }
    table
}

/// How often a time of this reading ended the game, over all depths.
fn ended(all: &[Played], reading: &str) -> (usize, usize) {
    let motions: Vec<_> = all.iter().flat_map(|played| played.motions(Tree::Common)).collect();
    let milestone_classes = motions.iter().flat_map(GameMotion::milestone_classes);
    let milestone_classes =
        milestone_classes.filter(|class| READINGS[class.level][class.gap].starts_with(reading));
    milestone_classes.fold((0, 0), |(ended, of), place| (ended + usize::from(place.last), of + 1))
}

pub(super) fn findings(all: &[Played]) -> Vec<String> {
    let mut findings = Vec::new();
    for row in paper::TABLE_4 {
        let Some(played) = all.iter().find(|played| played.d == row.d) else { continue };
        let score = Mean::of(&played.games, |game| game.score);
        let tiles = tiles_agree(highest_tiles(&played.games), row.tiles);
        let does = |yes: bool| if yes { "agrees" } else { "does not agree" };
        findings.push(format!(
            "Depth {}: a mean score of {:.0} {} with the paper's {:.0}; highest tiles: {}",
            row.d,
            score.value,
            does(score.agrees(row.score)),
            row.score,
            tiles.map_or("too few games to tell".into(), |tiles| tiles.to_string())
        ));
    }
    let published = |of: fn(&paper::Moved) -> f64| {
        paper::TABLE_6.iter().map(of).sum::<f64>() / paper::TABLE_6.len() as f64
    };
    for tree in Tree::ALL {
        let rows = DEPTHS.len() * OBJECTIVES.len();
        let cells: Vec<Motion> = all
            .iter()
            .flat_map(|played| OBJECTIVES.map(|highest| average(&played.reaching(tree, highest))))
            .flatten()
            .collect();
        let Some(motion) = Motion::average(&cells) else { continue };
        findings.push(format!(
            "Table 6 with numbers of the tree that is {}, {} of {rows} rows: v {:.3} and p {:.3} on \
             average, in the paper {:.3} and {:.3}",
            tree.name(),
            cells.len(),
            motion.velocity,
            motion.momentum,
            published(|row| row.velocity),
            published(|row| row.momentum)
        ));
    }
    let readings = ["trap", "favourable", "uncertain"].map(|reading| {
        let (ended, of) = ended(all, reading);
        format!("{reading} {ended} of {of}")
    });
    findings.push(format!("Times between milestones that ended the game: {}", readings.join(", ")));
    findings
}
