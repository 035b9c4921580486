//! P4 on 2048 of four by four: Expectimax (table 4), single conspiracy numbers along its games
//! (figures 7 to 9), motion in mind (table 6, figures 10 and 13), and the reading of table 7.
//!
//! P4 leaves open the weights of its evaluation, what its depth counts, the first threshold and the
//! tree of the conspiracy number. Our choices are settings with their reasons:
//! [`classic::twenty48`], [`game::THRESHOLD`] and [`game::Tree`].

mod feel;
mod figures;
mod game;
mod paper;
mod tables;

use crate::trials::run_trials;
use crate::{Experiment, LabError, Report, Run};
use classic::twenty48::{P4_WEIGHTS, Weights, plies};
use feel::GameMotion;
use game::{Game, THRESHOLD, Tree};
use search::Motion;

/// The depths that P4 plays at: rookie, casual, expert and master.
const DEPTHS: [u32; 4] = [2, 3, 4, 5];

/// The highest tiles, as powers of two, that table 6 and figures 10 and 13 distinguish.
const OBJECTIVES: [u32; 2] = [10, 11];

/// The games at one depth.
struct Played {
    d: u32,
    games: Vec<Game>,
}

impl Played {
    /// The motions of the games by the numbers of this tree.
    fn motions(&self, tree: Tree) -> Vec<GameMotion> {
        self.games.iter().filter_map(|game| GameMotion::of(game, tree)).collect()
    }

    /// The motions of the games with this highest tile.
    fn reaching(&self, tree: Tree, highest: u32) -> Vec<GameMotion> {
        let mut motions = self.motions(tree);
        motions.retain(|motion| motion.highest == highest);
        motions
    }
}

/// The average motion of games.
fn average(motions: &[GameMotion]) -> Option<Motion> {
    let motions: Vec<Motion> = motions.iter().map(|motion| motion.motion).collect();
    Motion::average(&motions)
}

/// Runs the experiment.
pub(crate) fn run(run: &Run<'_>) -> Result<Report, LabError> {
    let games = run.trials(5, paper::GAMES);
    let weights = Weights::new(P4_WEIGHTS);
    let mut all = Vec::new();
    for d in
        DEPTHS.into_iter().filter(|d| run.depth.is_none_or(|deepest| *d <= deepest.max(DEPTHS[0])))
    {
        let what = format!("2048 at depth {d}");
        let games = run_trials(run, &what, games, |trial| game::play(run, &weights, d, trial))?;
        all.push(Played { d, games });
    }
    Ok(Report {
        experiment: Experiment::P4Twenty48,
        settings: vec![
            ("seed", run.seed.to_string()),
            ("games at each depth", games.to_string()),
            ("plies of depth d", format!("d + {}", plies(0))),
            ("weights", format!("{P4_WEIGHTS:?}")),
            ("threshold", format!("{THRESHOLD} of the next milestone in the best cell")),
        ],
        tables: vec![
            tables::scores(&all),
            tables::motion(&all),
            tables::milestones(&all),
            tables::readings(&all),
        ],
        figures: vec![
            figures::scores(&all)?,
            figures::traces(&all)?,
            figures::momentum(&all)?,
            figures::mass(&all)?,
        ],
        findings: tables::findings(&all),
    })
}
