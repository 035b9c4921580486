//! Replications of the papers' experiments.
//!
//! One file is one experiment: settings in, tables and figures out, the published values next to
//! ours with confidence intervals. Experiments never print; they report to a [`Progress`] and end
//! when the stop flag is set. A trial is a pure function of the seed and its number, so that the
//! results do not depend on the number of threads.

#![forbid(unsafe_code)]

mod collection;
mod feel_games;
mod feel_measures;
mod figure;
mod geister_games;
mod grades;
mod journal;
mod miscount;
mod p1_pruning;
mod p1_random;
mod p1_special;
mod p2_darkboard;
mod p2_endgames;
mod p3_random;
mod p3_reverse;
mod p3_search;
mod p4_2048;
mod p4_2048_small;
mod p4_connect_four;
mod p4_geister_feel;
mod p4_geister_solvers;
mod p4_othello;
mod p4_pgame;
mod p5_figures;
mod p5_styles;
mod placement;
mod puzzle_sample;
mod rank_statistics;
mod ratings;
pub mod result_table;
mod solver_comparison;
pub mod statistics;
mod trials;
mod variant;

pub use figure::Figure;
pub use journal::{Journal, JournalError, JournalHeader};
pub use p5_styles::{Styles, evolve};
pub use result_table::{Cell, ResultTable};

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

/// Defines the experiments: variant and what it is, name, sentence, trial, module.
macro_rules! experiments {
    ($($(#[$doc:meta])* $variant:ident: $name:literal, $about:literal, $trial:literal, $module:ident;)*) => {
        /// An experiment of a paper.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Experiment {
            $($(#[$doc])* $variant,)*
        }

        impl Experiment {
            /// All experiments.
            pub const ALL: &[Experiment] = &[$(Experiment::$variant),*];

            /// The name on the command line and of the files.
            pub const fn name(self) -> &'static str {
                match self { $(Experiment::$variant => $name,)* }
            }

            /// What it measures, in one sentence.
            pub const fn about(self) -> &'static str {
                match self { $(Experiment::$variant => $about,)* }
            }

            /// What a trial is, of which `--trials` gives the number.
            pub const fn trial(self) -> &'static str {
                match self { $(Experiment::$variant => $trial,)* }
            }

            /// Runs the experiment.
            ///
            /// # Errors
            /// If it was stopped, if its input is missing or bad, or if a figure cannot be drawn.
            pub fn run(self, run: &Run<'_>) -> Result<Report, LabError> {
                match self { $(Experiment::$variant => $module::run(run),)* }
            }
        }
    };
}

experiments! {
    /// P1 table 1.
    P1Pruning: "p1-pruning",
        "P1 table 1: how much search the lower bounds save the reference df-pn",
        "placements of each combination", p1_pruning;
    /// P1 figures 4, 5 and 6, equations 1 and 2.
    P1Random: "p1-random",
        "P1 figures 4 to 6: how often random placement succeeds, and what kind it makes",
        "placements of each combination", p1_random;
    /// The collection that P1 published.
    Collection: "collection",
        "P1's published collection (--file CSV): every label solved again",
        "puzzles, evenly spread over the file", collection;
    /// P2's player: an ablation of its parts and constants.
    P2Darkboard: "p2-darkboard",
        "P2's Kriegspiel player: what each of its parts and constants is worth in matches",
        "games of each variant at depth 1; deeper ones play fewer", p2_darkboard;
    /// Kriegspiel endgames against a bare king.
    P2Endgames: "p2-endgames",
        "Kriegspiel: how often queen, rook and two bishops mate a bare king that is not seen",
        "starts of each kind against each king", p2_endgames;
    /// P3 table 1.
    P3Search: "p3-search",
        "P3 table 1: alpha-beta against df-pn on 9-ply puzzles",
        "puzzles of each size", p3_search;
    /// P3 table 2.
    P3Random: "p3-random",
        "P3 table 2: the lengths of random placements, two of each kind",
        "placements under each reading", p3_random;
    /// P3 table 3.
    P3Reverse: "p3-reverse",
        "P3 table 3: how often a puzzle can be made two plies longer by taking moves back",
        "placements to take puzzles from", p3_reverse;
    /// P4 III-A: random trees.
    P4Pgame: "p4-pgame",
        "P4: how fast solvers settle random trees, and how often they err",
        "trees of each shape", p4_pgame;
    /// P4 figure 2.
    P4ConnectFour: "p4-connect-four",
        "P4 figure 2: solvers on Connect Four, each conclusion checked",
        "positions", p4_connect_four;
    /// P4 table 1.
    P4Othello: "p4-othello",
        "P4 table 1: solvers on Othello, checked near the end",
        "positions of each kind", p4_othello;
    /// P4 table 3.
    P4Twenty48Small: "p4-2048-small",
        "P4 table 3: proof-number searches on 2048 of 2x2, beside the exact answer",
        "searches from each start", p4_2048_small;
    /// P4 tables 4, 6 and 7, figures 7 to 10 and 13.
    P4Twenty48: "p4-2048",
        "P4 tables 4, 6 and 7: 2048 by Expectimax, and how it feels by conspiracy numbers",
        "games at each depth", p4_2048;
    /// P4's solvers on our puzzles.
    P4GeisterSolvers: "p4-geister-solvers",
        "P4's solvers (PNS, MCPNS, PPNS, UCT, MCTS) on our puzzles, beside df-pn and the solver",
        "puzzles of each length", p4_geister_solvers;
    /// P4's roller coaster on our puzzles.
    P4GeisterFeel: "p4-geister-feel",
        "P4's roller coaster: do conspiracy numbers tell interesting puzzles from dull ones?",
        "puzzles of each length at most", p4_geister_feel;
    /// P3 figure 4, by our grades.
    Grades: "grades",
        "P3 figure 4: interest against difficulty, by the default grade of our collection",
        "puzzles, evenly spread over the collection", grades;
    /// P5 tables 1 and 2, figures 5 to 7.
    P5Styles: "p5-styles",
        "P5 tables 1 and 2, figures 5 to 7: styles of guessing by evolution, and who beats whom",
        "generations", p5_styles;
    /// Simulated raters, to see what training can find out.
    Ratings: "ratings",
        "simulated raters: how much of a known taste `spuk train` finds out",
        "samples of each size", ratings;
}

impl Experiment {
    /// Whether [`Run::depth`] has an effect.
    pub const fn uses_depth(self) -> bool {
        matches!(self, Experiment::P1Pruning | Experiment::P2Darkboard | Experiment::P4Twenty48)
    }

    /// Whether [`Run::input`] has an effect.
    pub const fn uses_input(self) -> bool {
        matches!(self, Experiment::Collection)
    }

    /// Whether [`Run::full`] sets only the number of trials, so that it has no effect beside
    /// `Run::trials`.
    pub const fn full_sets_only_trials(self) -> bool {
        matches!(
            self,
            Experiment::P1Random
                | Experiment::Collection
                | Experiment::P2Darkboard
                | Experiment::P2Endgames
                | Experiment::P3Random
                | Experiment::P3Reverse
                | Experiment::P4Pgame
                | Experiment::P4Twenty48Small
                | Experiment::P4Twenty48
                | Experiment::Grades
        )
    }
}

impl fmt::Display for Experiment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error for an unknown experiment name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownExperiment;

impl fmt::Display for UnknownExperiment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Experiment::ALL.iter().map(|one| one.name()).collect();
        let names = names.join(", ");
        write!(f, "there is no such experiment; experiments are {names}")
    }
}

impl std::error::Error for UnknownExperiment {}

impl FromStr for Experiment {
    type Err = UnknownExperiment;

    fn from_str(text: &str) -> Result<Experiment, UnknownExperiment> {
        Experiment::ALL.iter().copied().find(|one| one.name() == text).ok_or(UnknownExperiment)
    }
}

/// The settings of a run.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// Whether to run at the size of the paper instead of a small size.
    pub full: bool,
    /// The number of trials instead of the default; see [`Experiment::trial`].
    pub trials: Option<u64>,
    /// The search depth in plies instead of the default in `p1-pruning`; the maximum depth in
    /// `p4-2048` and `p2-darkboard`.
    pub depth: Option<u32>,
    /// The seed of the random generator.
    pub seed: u64,
    /// The text of the input file, if the experiment reads one.
    pub input: Option<&'a str>,
    /// The journal of finished trials, so that the run can be resumed.
    pub journal: Option<&'a Journal>,
    /// Receives progress reports.
    pub progress: &'a dyn Progress,
    /// The stop flag.
    pub stop: &'a AtomicBool,
}

impl<'a> Run<'a> {
    /// A small run with seed 1, without progress reports.
    pub fn small(stop: &'a AtomicBool) -> Run<'a> {
        Run {
            full: false,
            trials: None,
            depth: None,
            seed: 1,
            input: None,
            journal: None,
            progress: &(),
            stop,
        }
    }

    /// The number of trials: as given, or by size.
    fn trials(&self, small: u64, full: u64) -> u64 {
        self.trials.unwrap_or(if self.full { full } else { small })
    }
}

/// A receiver of progress reports from several threads.
pub trait Progress: Sync {
    /// `done` of `all` steps of `what` are done.
    fn step(&self, part: &str, done: u64, all: u64);
}

/// Ignores all reports.
impl Progress for () {
    fn step(&self, _: &str, _: u64, _: u64) {}
}

/// The results of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The experiment.
    pub experiment: Experiment,
    /// The settings: names and values.
    pub settings: Vec<(&'static str, String)>,
    /// The tables, the main one first.
    pub tables: Vec<ResultTable>,
    /// The figures, the main one first.
    pub figures: Vec<Figure>,
    /// The findings in sentences.
    pub findings: Vec<String>,
}

/// The error of an experiment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LabError {
    /// The stop flag was set.
    Stopped,
    /// The input is missing or bad: one sentence.
    Input(String),
    /// A figure cannot be drawn.
    Drawing(String),
}

impl fmt::Display for LabError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LabError::Stopped => f.write_str("the experiment was stopped"),
            LabError::Input(reason) => f.write_str(reason),
            LabError::Drawing(reason) => write!(f, "the figure cannot be drawn: {reason}"),
        }
    }
}

impl std::error::Error for LabError {}
