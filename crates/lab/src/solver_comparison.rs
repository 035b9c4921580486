//! Comparison of solvers on the same positions, with each other and with the exact result.

use crate::statistics::Proportion;
use crate::{Cell, LabError, Run};
use search::{Algorithm, AndOr, Budget, Conclusion, Limits, Settings, Stop};
use serde::{Deserialize, Serialize};

/// How a solver ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum SolverOutcome {
    Proved,
    Disproved,
    BelievedWon,
    BelievedNotWon,
    Out,
}

impl SolverOutcome {
    /// Whether it claims that the position is won, proved or believed.
    pub(crate) fn says(self) -> Option<bool> {
        match self {
            SolverOutcome::Proved | SolverOutcome::BelievedWon => Some(true),
            SolverOutcome::Disproved | SolverOutcome::BelievedNotWon => Some(false),
            SolverOutcome::Out => None,
        }
    }

    pub(crate) fn is_belief(self) -> bool {
        matches!(self, SolverOutcome::BelievedWon | SolverOutcome::BelievedNotWon)
    }
}

/// The result of a solver on a position.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Attempt {
    pub(crate) end: SolverOutcome,
    pub(crate) iterations: u64,
    pub(crate) nodes: u64,
    pub(crate) milliseconds: f64,
}

/// A solver with its settings and the precisions at which it may stop without a proof. Each
/// precision is an entry of its own in the tables, but all come from one search, since a precision
/// only decides when it ends.
#[derive(Clone, Debug)]
pub(crate) struct Contestant {
    pub(crate) algorithm: Algorithm,
    pub(crate) settings: Settings,
    pub(crate) precisions: Vec<f64>,
    /// The factor on the limits of iterations and memory, for solvers with cheaper iterations.
    pub(crate) allowance: u64,
}

impl Contestant {
    /// A contestant that only proves.
    pub(crate) fn proving(algorithm: Algorithm, settings: Settings) -> Contestant {
        Contestant { algorithm, settings, precisions: vec![0.0], allowance: 1 }
    }

    /// The same contestant with an allowance.
    pub(crate) fn allowed(self, allowance: u64) -> Contestant {
        Contestant { allowance, ..self }
    }

    /// PPNS with this theta, ended on belief at several precisions.
    pub(crate) fn believing(theta: f64, settings: Settings, precisions: &[f64]) -> Contestant {
        let settings = Settings { theta, precision: 0.0, ..settings };
        let precisions = precisions.to_vec();
        Contestant { algorithm: Algorithm::Ppns, settings, precisions, allowance: 1 }
    }

    /// Its entries in the tables, one for each precision.
    pub(crate) fn entries(&self) -> Vec<Entry> {
        let is_ppns = self.algorithm == Algorithm::Ppns;
        let theta = is_ppns.then_some(self.settings.theta);
        let entry = |&precision: &f64| Entry {
            algorithm: self.algorithm,
            theta,
            precision: is_ppns.then_some(precision),
        };
        self.precisions.iter().map(entry).collect()
    }

    /// Its attempts at a position, one for each entry.
    pub(crate) fn attempts<P: AndOr>(
        &self,
        run: &Run<'_>,
        position: &P,
        limits: &Limits,
    ) -> Result<Vec<Attempt>, LabError> {
        self.attempts_observed(run, position, limits, &mut |_, _| {})
    }

    /// The same; `look` is called with the number and the best move of every iteration.
    pub(crate) fn attempts_observed<P: AndOr>(
        &self,
        run: &Run<'_>,
        position: &P,
        limits: &Limits,
        look: &mut dyn FnMut(u64, Option<P::Move>),
    ) -> Result<Vec<Attempt>, LabError> {
        let limits = Limits {
            nodes: limits.nodes.map(|nodes| nodes.saturating_mul(self.allowance)),
            memory: limits.memory.saturating_mul(self.allowance as usize),
            ..*limits
        };
        let mut budget = Budget::new(&limits).stopped_by(run.stop);
        let clock = std::time::Instant::now();
        let mut believed: Vec<Option<Attempt>> = vec![None; self.precisions.len()];
        let mut watch = |iteration: &search::Iteration<P::Move>| {
            look(iteration.number, iteration.best);
            for (precision, attempt) in self.precisions.iter().zip(&mut believed) {
                let end = belief(iteration.win_estimate, *precision);
                if let (None, Some(end)) = (&attempt, end) {
                    *attempt = Some(Attempt {
                        end,
                        iterations: iteration.number,
                        nodes: iteration.nodes as u64,
                        milliseconds: clock.elapsed().as_secs_f64() * 1e3,
                    });
                }
            }
        };
        let mut solver = self.algorithm.solver(&self.settings);
        let solved = solver.solve_observed(position, &mut budget, &mut watch);
        let last = Attempt {
            end: end(solved.conclusion)?,
            iterations: solved.last.number,
            nodes: solved.last.nodes as u64,
            milliseconds: clock.elapsed().as_secs_f64() * 1e3,
        };
        // A proof at the very iteration of a belief is a proof.
        let first = |belief: Option<Attempt>| {
            belief.filter(|a| a.iterations < last.iterations || last.end == SolverOutcome::Out)
        };
        Ok(believed.into_iter().map(|belief| first(belief).unwrap_or(last)).collect())
    }
}

/// The outcome without proof, if the win estimate is close enough to 0 or 1.
fn belief(win_estimate: f64, precision: f64) -> Option<SolverOutcome> {
    if precision <= 0.0 {
        None
    } else if win_estimate >= 1.0 - precision {
        Some(SolverOutcome::BelievedWon)
    } else {
        (win_estimate <= precision).then_some(SolverOutcome::BelievedNotWon)
    }
}

fn end(conclusion: Conclusion) -> Result<SolverOutcome, LabError> {
    match conclusion {
        Conclusion::Proved => Ok(SolverOutcome::Proved),
        Conclusion::Disproved => Ok(SolverOutcome::Disproved),
        Conclusion::Believed(true) => Ok(SolverOutcome::BelievedWon),
        Conclusion::Believed(false) => Ok(SolverOutcome::BelievedNotWon),
        Conclusion::Unknown(Stop::Interrupted) => Err(LabError::Stopped),
        Conclusion::Unknown(_) => Ok(SolverOutcome::Out),
    }
}

/// A row of a table: a solver with its settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) algorithm: Algorithm,
    pub(crate) theta: Option<f64>,
    pub(crate) precision: Option<f64>,
}

impl Entry {
    /// Such as `PPNS, theta 0.001, pr 0.001`.
    pub(crate) fn name(&self) -> String {
        let mut name = self.algorithm.name().to_uppercase();
        if let Some(theta) = self.theta {
            name += &format!(", theta {theta}");
        }
        match self.precision {
            Some(precision) if precision > 0.0 => name + &format!(", pr {precision}"),
            _ => name,
        }
    }

    /// The cells of [`Entry::COLUMNS`].
    pub(crate) fn cells(&self) -> Vec<Cell> {
        let number = |value: Option<f64>| value.map(|value| value.to_string()).into();
        vec![
            self.algorithm.name().to_uppercase().into(),
            number(self.theta),
            number(self.precision),
        ]
    }

    pub(crate) const COLUMNS: [&str; 3] = ["solver", "theta", "pr"];
}

/// The statistics of an entry over many positions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SolverStatistics {
    pub(crate) positions: u64,
    pub(crate) solved: u64,
    pub(crate) disproved: u64,
    pub(crate) beliefs: u64,
    /// Conclusions that can be checked, and those of them that are wrong.
    pub(crate) checked: u64,
    pub(crate) wrong: u64,
    pub(crate) wrong_proofs: u64,
    iterations: f64,
    nodes: f64,
    milliseconds: f64,
}

impl SolverStatistics {
    /// The statistics of attempts, each with the exact result if it is known.
    pub(crate) fn of(attempts: impl Iterator<Item = (Attempt, Option<bool>)>) -> SolverStatistics {
        let mut statistics = SolverStatistics::default();
        for (attempt, truth) in attempts {
            let says = attempt.end.says();
            let wrong = says.zip(truth).is_some_and(|(says, truth)| says != truth);
            statistics.positions += 1;
            statistics.solved += u64::from(says == Some(true));
            statistics.disproved += u64::from(says == Some(false));
            statistics.beliefs += u64::from(attempt.end.is_belief());
            statistics.checked += u64::from(says.is_some() && truth.is_some());
            statistics.wrong += u64::from(wrong);
            statistics.wrong_proofs += u64::from(wrong && !attempt.end.is_belief());
            statistics.iterations += attempt.iterations as f64;
            statistics.nodes += attempt.nodes as f64;
            statistics.milliseconds += attempt.milliseconds;
        }
        statistics
    }

    pub(crate) fn concluded(&self) -> Proportion {
        Proportion { hits: self.solved + self.disproved, of: self.positions }
    }

    pub(crate) fn wrong_share(&self) -> Proportion {
        Proportion { hits: self.wrong, of: self.checked }
    }

    pub(crate) const COLUMNS: [&str; 14] = [
        "positions",
        "solved",
        "disproved",
        "out",
        "concluded %",
        "from",
        "to",
        "beliefs",
        "checked",
        "wrong",
        "wrong %",
        "mean iterations",
        "mean nodes",
        "mean ms",
    ];

    /// The cells of [`SolverStatistics::COLUMNS`]. The means are over all positions, those not
    /// concluded too.
    pub(crate) fn cells(&self) -> Vec<Cell> {
        let concluded = self.concluded();
        let mean = |sum: f64, digits| Cell::Number(sum / self.positions.max(1) as f64, digits);
        let wrong = if self.checked == 0 {
            Cell::Empty
        } else {
            Cell::Number(100.0 * self.wrong_share().value(), 1)
        };
        vec![
            self.positions.into(),
            self.solved.into(),
            self.disproved.into(),
            (self.positions - concluded.hits).into(),
            Cell::Number(100.0 * concluded.value(), 1),
            Cell::Number(100.0 * concluded.interval().low, 1),
            Cell::Number(100.0 * concluded.interval().high, 1),
            self.beliefs.into(),
            self.checked.into(),
            self.wrong.into(),
            wrong,
            mean(self.iterations, 0),
            mean(self.nodes, 0),
            mean(self.milliseconds, 2),
        ]
    }
}

/// The entry with the most conclusions among those without a wrong one, as far as checked; beliefs
/// count too.
pub(crate) fn best_never_wrong(
    rows: &[(Entry, SolverStatistics)],
) -> Option<&(Entry, SolverStatistics)> {
    let never_wrong =
        rows.iter().filter(|(_, statistics)| statistics.wrong == 0 && statistics.checked > 0);
    never_wrong.max_by_key(|(_, statistics)| {
        (statistics.concluded().hits, std::cmp::Reverse(statistics.beliefs))
    })
}
