//! Grades: difficulty and interest from -2 to 2, on P1's scale.
//!
//! Without ratings the grade is *calibrated*: the averages that P1 published for puzzles of its
//! kind ([`published`]), and within a length the ranking by simulated solvers and features
//! ([`calibration`]). It is labelled as such wherever it is shown. A model trained on ratings
//! replaces it.

pub mod calibration;
pub mod published;
mod reason;
mod score;

pub use reason::{Reason, reasons};

use crate::features::{self, Feature, Features};
use crate::model::{Model, Models};
use crate::proof::Proof;
use crate::record::Puzzle;
use crate::simulated_solvers::{Decision, SIMULATED_SOLVERS, Simulation, decisions, simulate};
use calibration::{Calibration, GradeDimension};
use games::Seat;
use geister::solver::{Revealed, Solver};
use published::{Average, DEVIATION, PuzzleKind, expected};
use search::{Budget, Limits};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// The basis of a grade.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// Published averages and a simulation; no ratings.
    Calibrated,
    /// A model that was trained on ratings.
    Model,
}

impl Basis {
    /// Its name in records and CSV files.
    pub const fn name(self) -> &'static str {
        match self {
            Basis::Calibrated => "calibrated",
            Basis::Model => "model",
        }
    }
}

/// A grade.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Grade {
    /// From -2, easy, to 2, difficult.
    pub difficulty: f64,
    /// From -2, boring, to 2, interesting.
    pub interest: f64,
    /// Its basis.
    pub basis: Basis,
}

/// A grade with its explanation, as stored in the record of a puzzle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Graded {
    /// The grade.
    #[serde(flatten)]
    pub grade: Grade,
    /// The reasons, as codes; see [`Reason`].
    pub reasons: Vec<Reason>,
    /// The solve rates of the simulated solvers, weakest first.
    pub solved: [f64; SIMULATED_SOLVERS.len()],
    /// The positions they evaluate in an attempt.
    pub effort: [f64; SIMULATED_SOLVERS.len()],
    /// The search effort of the reference df-pn: features 17 to 20, if computed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<[f64; 4]>,
}

/// The slow features, which the record stores.
const STORED_FEATURES: [Feature; 4] =
    [Feature::RootProof, Feature::RootDisproof, Feature::NodesInAll, Feature::NodesAtLastDepth];

impl Graded {
    /// A grade with its explanation.
    pub fn new(puzzle: &Puzzle, appraisal: &Appraisal, grade: Grade) -> Graded {
        let hundredth = |value: f64| (value * 100.0).round() / 100.0;
        Graded {
            grade,
            reasons: reasons(puzzle, appraisal),
            solved: appraisal.simulation.0.map(|record| hundredth(record.solved)),
            effort: appraisal.simulation.0.map(|record| record.effort.round()),
            search: kept(&appraisal.features),
        }
    }

    /// Whether both values lie between -2 and 2, and all other numbers are valid.
    pub(crate) fn is_on_scale(&self) -> bool {
        let Grade { difficulty, interest, .. } = self.grade;
        let shares = self.solved.iter().all(|share| (0.0..=1.0).contains(share));
        let counts = self.effort.iter().chain(self.search.iter().flatten());
        [difficulty, interest].iter().all(|value| (-2.0..=2.0).contains(value))
            && shares
            && counts.into_iter().all(|count| count.is_finite() && *count >= 0.0)
    }
}

/// Adds the search effort of the reference df-pn to a graded puzzle without it.
pub fn add_search(puzzle: &mut Puzzle, nodes: u64) {
    if puzzle.grade.as_ref().is_none_or(|graded| graded.search.is_some()) {
        return;
    }
    let mut features = Features::UNKNOWN;
    features::add_effort(puzzle, nodes, &mut features);
    if let Some(graded) = &mut puzzle.grade {
        graded.search = kept(&features);
    }
}

/// The stored features, if all of them are known.
fn kept(features: &Features) -> Option<[f64; 4]> {
    let kept = STORED_FEATURES.map(|feature| features.get(feature));
    kept.iter().all(Option::is_some).then(|| kept.map(Option::unwrap_or_default))
}

/// The input of a grade: features and simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Appraisal {
    /// Its features.
    pub features: Features,
    /// The results of the simulated solvers.
    pub simulation: Simulation,
}

/// The node limit for finding the correct moves along the main line. Beyond it, only the moves of
/// the main line itself count as correct.
const MAX_PROOF_NODES: u64 = 2_000_000;

/// Computes the features and simulations of puzzles.
pub struct Appraiser {
    solver: Solver,
    seed: u64,
    slow_nodes: Option<u64>,
}

impl Appraiser {
    /// An appraiser with the memory of its solver in bytes and the seed of the simulation.
    pub fn new(memory: usize, seed: u64) -> Appraiser {
        Appraiser { solver: Solver::new(memory), seed, slow_nodes: None }
    }

    /// The same appraiser with the features of the reference df-pn, within a node limit. Without
    /// this they are taken from the record, if it has them.
    #[must_use]
    pub fn with_slow_features(self, nodes: u64) -> Appraiser {
        Appraiser { slow_nodes: Some(nodes), ..self }
    }

    /// The appraisal of a puzzle. It depends on the puzzle and the seed alone.
    pub fn appraise(&mut self, puzzle: &Puzzle) -> Appraisal {
        let mut features = features::static_features(puzzle);
        features::add_indicators(puzzle, &mut features);
        let limits = Limits { nodes: Some(MAX_PROOF_NODES), ..Limits::default() };
        let mut budget = Budget::new(&limits);
        let mut proof = Proof::new(&mut self.solver, &mut budget, puzzle.position, puzzle.m_win);
        let decisions = decisions(&mut proof, &puzzle.line);
        let decisions = decisions.unwrap_or_else(|_| main_line_alone(puzzle));
        // If the node limit is hit, these features stay unknown.
        let _ = features::add_best_play(&mut proof, &mut features);
        let kept = puzzle.grade.as_ref().and_then(|graded| graded.search);
        match (kept, self.slow_nodes) {
            (Some(kept), _) => {
                STORED_FEATURES
                    .iter()
                    .zip(kept)
                    .for_each(|(feature, value)| features.set(*feature, value));
            }
            (None, Some(nodes)) => features::add_effort(puzzle, nodes, &mut features),
            (None, None) => {}
        }
        Appraisal { features, simulation: simulate(puzzle, &decisions, self.seed) }
    }
}

/// The own turns of the main line, with its moves as the only correct ones.
fn main_line_alone(puzzle: &Puzzle) -> Vec<Decision> {
    let mut position = puzzle.position;
    let mut decisions = Vec::new();
    for &mv in &puzzle.line {
        if position.turn() == Seat::First {
            decisions.push(Decision { position, right: vec![mv] });
        }
        position = position.play_unchecked(mv);
    }
    decisions
}

/// The scores that rank puzzles of one length: difficulty and interest.
pub fn scores(puzzle: &Puzzle, appraisal: &Appraisal) -> (f64, f64) {
    (score::difficulty(appraisal), score::interest(puzzle, appraisal))
}

/// The default grade.
pub fn calibrated(puzzle: &Puzzle, appraisal: &Appraisal, calibration: &Calibration) -> Grade {
    let (difficulty, interest) = scores(puzzle, appraisal);
    let kind = kind(puzzle);
    let (expected, spread) = (expected(kind), spread(kind.m_win));
    let place = |dimension, score| calibration.place(kind.m_win, dimension, score);
    let difficulty =
        expected.difficulty + spread.difficulty * place(GradeDimension::Difficulty, difficulty);
    let interest = expected.interest + spread.interest * place(GradeDimension::Interest, interest);
    Grade {
        difficulty: on_scale(difficulty),
        interest: on_scale(interest),
        basis: Basis::Calibrated,
    }
}

/// The grade by models that were trained on ratings.
pub fn modelled(appraisal: &Appraisal, models: &Models) -> Grade {
    let by = |model: &Model| on_scale(model.predict(&appraisal.features));
    Grade {
        difficulty: by(&models.difficulty),
        interest: by(&models.interest),
        basis: Basis::Model,
    }
}

fn kind(puzzle: &Puzzle) -> PuzzleKind {
    PuzzleKind {
        m_win: puzzle.m_win,
        revealed: puzzle.revealed(),
        red_wall: puzzle.red_wall,
        capture_win: puzzle.capture_win,
    }
}

/// The range of the default grade of any puzzle of this length.
pub fn bounds(m_win: u32, dimension: GradeDimension) -> RangeInclusive<f64> {
    let spread = spread(m_win);
    let of = |average: Average| match dimension {
        GradeDimension::Difficulty => average.difficulty,
        GradeDimension::Interest => average.interest,
    };
    // Ranks are shifted a little beyond -1 and 1.
    let reach = 1.2 * of(spread);
    let all = every_kind(m_win).map(of);
    let (low, high) = all.fold((2.0_f64, -2.0_f64), |(low, high), e| (low.min(e), high.max(e)));
    on_scale(low - reach)..=on_scale(high + reach)
}

/// The expected grades of all kinds of puzzles of a length.
fn every_kind(m_win: u32) -> impl Iterator<Item = Average> + Clone {
    (0..8).map(move |bits| {
        let [partly, red_wall, capture_win] = [1, 2, 4].map(|bit| bits & bit != 0);
        let revealed = if partly { Revealed::Partly } else { Revealed::None };
        expected(PuzzleKind { m_win, revealed, red_wall, capture_win })
    })
}

/// Clamped to -2..2 and rounded to two digits.
fn on_scale(value: f64) -> f64 {
    (value.clamp(-2.0, 2.0) * 100.0).round() / 100.0
}

/// The distance of the lowest and highest rank from the average of a length: uniformly distributed
/// ranks then have the published standard deviation, unless the scale ends before.
fn spread(m_win: u32) -> Average {
    let room = |of: fn(&Average) -> f64| {
        every_kind(m_win).map(|average| 2.0 - of(&average).abs()).fold(2.0, f64::min).max(0.0)
    };
    let wide = |deviation: f64| deviation * 3.0_f64.sqrt();
    Average {
        interest: wide(DEVIATION.interest).min(room(|a| a.interest)),
        difficulty: wide(DEVIATION.difficulty).min(room(|a| a.difficulty)),
    }
}
