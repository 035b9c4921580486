//! Features: numbers that describe a puzzle, the input of grades and models.
//!
//! Features 1 to 32 are those of P1 B.2.1, in its order and with its formulas; distances are
//! Manhattan distances. The others are P3's alternatives, and features that no paper has tried on
//! Geister. Each is a function of the puzzle alone: the same on every machine.
//!
//! | numbers | where | cost |
//! | --- | --- | --- |
//! | 1 to 15, 26 to 29 | [`board`] | none |
//! | 16, 21 to 25 | [`main_line`] | none |
//! | 17 to 20 | [`search_effort`] | the reference df-pn, which may take seconds |
//! | 30 to 32 | the record | none |
//! | P3's minima | [`minima`] | some milliseconds of proof |
//! | the others | [`indicator`], [`tempting_moves`] | milliseconds |

pub mod board;
pub mod indicator;
pub mod main_line;
pub mod minima;
pub mod search_effort;
pub mod tempting_moves;

use crate::proof::Proof;
use crate::record::Puzzle;
use geister::solver::Revealed;
use search::Stop;

/// Defines the features: variant, name, number in P1, meaning.
macro_rules! features {
    ($($variant:ident, $name:literal, $number:expr, $about:literal;)*) => {
        /// A feature of a puzzle.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Feature {
            $(#[doc = $about] $variant,)*
        }

        impl Feature {
            /// All features, in the order of [`Features::values`].
            pub const ALL: [Feature; [$(Feature::$variant),*].len()] = [$(Feature::$variant),*];

            /// Its name in records, models and tables.
            pub const fn name(self) -> &'static str {
                match self { $(Feature::$variant => $name,)* }
            }

            /// Its number in P1 B.2.1.
            pub const fn number(self) -> Option<u32> {
                match self { $(Feature::$variant => $number,)* }
            }

            /// A short description.
            pub const fn about(self) -> &'static str {
                match self { $(Feature::$variant => $about,)* }
            }
        }
    };
}

features! {
    OwnBlues, "own_blues", Some(1), "`N_B`, own blues";
    OwnReds, "own_reds", Some(2), "`N_R`, own reds";
    TopBlues, "top_blues", Some(3), "`N_b`, opposing blues, shown or not";
    TopReds, "top_reds", Some(4), "`N_r`, opposing reds, shown or not";
    OwnGhosts, "own_ghosts", Some(5), "`N_B + N_R`";
    TopGhosts, "top_ghosts", Some(6), "`N_b + N_r`";
    ShownBlues, "shown_blues", Some(7), "shown opposing blues";
    ShownReds, "shown_reds", Some(8), "shown opposing reds";
    MWin, "m_win", Some(9), "`M_win`, plies of the shortest win";
    OwnBlueToExit, "own_blue_to_exit", Some(10), "least distance of an own blue to a6 or f6";
    TopLeaverToExit, "top_leaver_to_exit", Some(11), "least distance of an opposing ghost that may be blue to a1 or f1";
    TopGhostToOwnExit, "top_ghost_to_own_exit", Some(12), "least distance of any opposing ghost to a6 or f6";
    OwnGhostToTopExit, "own_ghost_to_top_exit", Some(13), "least distance of any own ghost to a1 or f1";
    NearestPrey, "nearest_prey", Some(14), "over the opposing ghosts that may be blue, the least distance to the nearest own ghost";
    FarthestPrey, "farthest_prey", Some(15), "the same, the greatest";
    AsideMoves, "aside_moves", Some(16), "own moves on the main line that are not for its purpose, see [`main_line`]";
    RootProof, "root_proof", Some(17), "greatest proof number of the root in the reference df-pn";
    RootDisproof, "root_disproof", Some(18), "greatest disproof number of the root before the proof";
    NodesInAll, "nodes_in_all", Some(19), "nodes the reference df-pn expands at all depths";
    NodesAtLastDepth, "nodes_at_last_depth", Some(20), "nodes it expands at the depth that proves";
    OwnCaptured, "own_captured", Some(21), "own ghosts captured on the main line";
    TopCaptured, "top_captured", Some(22), "opposing ghosts captured on the main line";
    Captured, "captured", Some(23), "both";
    OwnMovers, "own_movers", Some(24), "different own ghosts that move on the main line";
    TopMovers, "top_movers", Some(25), "different opposing ghosts that do";
    OwnInTopHalf, "own_in_top_half", Some(26), "share of the own ghosts in rows 4 to 6";
    TopInBottomHalf, "top_in_bottom_half", Some(27), "share of the opposing ghosts in rows 1 to 3";
    AllInTopHalf, "all_in_top_half", Some(28), "share of all ghosts in rows 4 to 6";
    AllInLeftHalf, "all_in_left_half", Some(29), "share of all ghosts in files a to c";
    Shown, "shown", Some(30), "0 if no opposing colour is shown, 1 if some are, 2 if all are";
    RedWall, "red_wall", Some(31), "1 for a red wall, else 0";
    CaptureWin, "capture_win", Some(32), "1 for a capture-win, else 0";
    FewestCaptured, "fewest_captured", None, "P3: fewest ghosts captured over all of best play";
    FewestMovers, "fewest_movers", None, "P3: fewest different own ghosts that move over all of best play";
    TopInTopHalf, "top_in_top_half", None, "P3: share of the opposing ghosts in rows 4 to 6";
    Keys, "keys", None, "first moves that keep the shortest win";
    WinningMoves, "winning_moves", None, "first moves that win at all";
    Purity, "purity", None, "share of own moves on the main line without an equally short choice";
    FutilePlies, "futile_plies", None, "plies that attacks without a point add";
    BestPlay, "best_play", None, "positions of best play, as a logarithm to base 2: how far the proof branches";
    Temptations, "temptations", None, "first moves that look as good as the key at a glance and are wrong, see [`tempting_moves`]";
    DeepestTemptation, "deepest_temptation", None, "plies one has to look to tell the most tempting one from the key";
    TemptationMean, "temptation_mean", None, "the same, the mean over all wrong first moves";
    ConspiracyNumber, "conspiracy", None, "single conspiracy number at the start, see [`geister::feel`]";
    ConspiracyMean, "conspiracy_mean", None, "its mean along the main line";
    ConspiracyRises, "conspiracy_rises", None, "how much it rises along the main line, all rises summed";
    ConspiracyTurns, "conspiracy_turns", None, "how often it turns";
    Velocity, "velocity", None, "motion in mind along the main line: `v`";
    Momentum, "momentum", None, "motion in mind: the mean of the single `m v`";
    Energy, "energy", None, "motion in mind: `2 m v^2` of the means";
    Chance, "chance", None, "probability-based proof number of the root after a short search";
}

impl Feature {
    /// The feature with this name.
    pub fn from_name(name: &str) -> Option<Feature> {
        Feature::ALL.into_iter().find(|feature| feature.name() == name)
    }
}

/// The feature vector of a puzzle; features that were not computed or took too long are unknown.
#[derive(Clone, Debug, PartialEq)]
pub struct Features([Option<f64>; Feature::ALL.len()]);

impl Features {
    /// All features unknown.
    pub const UNKNOWN: Features = Features([None; Feature::ALL.len()]);

    /// The value of a feature, if it is known.
    pub fn get(&self, feature: Feature) -> Option<f64> {
        self.0[feature as usize]
    }

    /// The values in the order of [`Feature::ALL`].
    pub fn values(&self) -> &[Option<f64>] {
        &self.0
    }

    /// Sets a value. A value that is not finite stays unknown.
    pub fn set(&mut self, feature: Feature, value: f64) {
        self.0[feature as usize] = Some(value).filter(|value| value.is_finite());
    }

    fn set_known(&mut self, feature: Feature, value: Option<u32>) {
        if let Some(value) = value {
            self.set(feature, f64::from(value));
        }
    }
}

/// The features that need no search, from the record and its main line: P1's features except 17 to
/// 20, and the quality measures.
pub fn static_features(puzzle: &Puzzle) -> Features {
    let mut features = Features::UNKNOWN;
    board::fill(&puzzle.position, &mut features);
    main_line::fill(&puzzle.position, &puzzle.line, &mut features);
    let shown = match puzzle.revealed() {
        Revealed::None => 0.0,
        Revealed::Partly => 1.0,
        Revealed::Fully => 2.0,
    };
    features.set(Feature::MWin, f64::from(puzzle.m_win));
    features.set(Feature::Shown, shown);
    features.set(Feature::RedWall, f64::from(u8::from(puzzle.red_wall)));
    features.set(Feature::CaptureWin, f64::from(u8::from(puzzle.capture_win)));
    features.set(Feature::Keys, f64::from(puzzle.quality.keys));
    features.set(Feature::WinningMoves, f64::from(puzzle.quality.winning_first_moves));
    features.set(Feature::Purity, puzzle.quality.purity);
    features.set_known(Feature::FutilePlies, puzzle.quality.futile_plies);
    features
}

/// Adds the search indicators: conspiracy, motion, tempting moves, win probability.
pub fn add_indicators(puzzle: &Puzzle, features: &mut Features) {
    indicator::fill(puzzle, features);
    tempting_moves::fill(puzzle, features);
}

/// Adds P3's counts over all best play, and its branching.
///
/// # Errors
/// If a limit is hit.
pub fn add_best_play(proof: &mut Proof<'_, '_>, features: &mut Features) -> Result<(), Stop> {
    minima::fill(proof, features)
}

/// Adds the search effort of the reference df-pn (17 to 20), unless it exceeds `nodes` nodes.
pub fn add_effort(puzzle: &Puzzle, nodes: u64, features: &mut Features) {
    search_effort::fill(&puzzle.position, puzzle.m_win, nodes, features);
}
