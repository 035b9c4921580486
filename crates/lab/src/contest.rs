//! Solvers against each other on the same positions, and all of them against the truth.

use crate::statistics::Share;
use crate::{Cell, LabError, Run};
use search::{Algorithm, AndOr, Budget, Conclusion, Limits, Settings, Stop};
use serde::{Deserialize, Serialize};

/// How a solver ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum End {
    Proved,
    Disproved,
    BelievedWon,
    BelievedNotWon,
    Out,
}

impl End {
    /// Whether it says that the position is won, proof or belief.
    pub(crate) fn says(self) -> Option<bool> {
        match self {
            End::Proved | End::BelievedWon => Some(true),
            End::Disproved | End::BelievedNotWon => Some(false),
            End::Out => None,
        }
    }

    pub(crate) fn is_belief(self) -> bool {
        matches!(self, End::BelievedWon | End::BelievedNotWon)
    }
}

/// What a solver made of a position.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Attempt {
    pub(crate) end: End,
    pub(crate) iterations: u64,
    pub(crate) nodes: u64,
    pub(crate) milliseconds: f64,
}

/// A solver with its settings, and where it may stop on belief: each precision is an entry of its
/// own in the tables, but all come from one search, which a precision does not alter but end.
#[derive(Clone, Debug)]
pub(crate) struct Contestant {
    pub(crate) algorithm: Algorithm,
    pub(crate) settings: Settings,
    pub(crate) precisions: Vec<f64>,
    /// It may make so many times the iterations, and take as many times the memory, because each
    /// costs so much less.
    pub(crate) allowance: u64,
}

impl Contestant {
    /// One that only proves.
    pub(crate) fn proving(algorithm: Algorithm, settings: Settings) -> Contestant {
        Contestant { algorithm, settings, precisions: vec![0.0], allowance: 1 }
    }

    /// The same with an allowance.
    pub(crate) fn allowed(self, allowance: u64) -> Contestant {
        Contestant { allowance, ..self }
    }

    /// PPNS with this theta, ended on belief at several precisions.
    pub(crate) fn believing(theta: f64, settings: Settings, precisions: &[f64]) -> Contestant {
        let settings = Settings { theta, precision: 0.0, ..settings };
        let precisions = precisions.to_vec();
        Contestant { algorithm: Algorithm::Ppns, settings, precisions, allowance: 1 }
    }

    /// Its entries: names for the tables, theta and precision where it has them.
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

    /// What it makes of a position: one attempt for each entry.
    pub(crate) fn attempts<P: AndOr>(
        &self,
        run: &Run<'_>,
        position: &P,
        limits: &Limits,
    ) -> Result<Vec<Attempt>, LabError> {
        self.watched(run, position, limits, &mut |_, _| {})
    }

    /// The same; `look` sees the number of every iteration and the move it would make.
    pub(crate) fn watched<P: AndOr>(
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
            belief.filter(|a| a.iterations < last.iterations || last.end == End::Out)
        };
        Ok(believed.into_iter().map(|belief| first(belief).unwrap_or(last)).collect())
    }
}

/// Whether an win_estimate is near enough to certainty.
fn belief(win_estimate: f64, precision: f64) -> Option<End> {
    if precision <= 0.0 {
        None
    } else if win_estimate >= 1.0 - precision {
        Some(End::BelievedWon)
    } else {
        (win_estimate <= precision).then_some(End::BelievedNotWon)
    }
}

fn end(conclusion: Conclusion) -> Result<End, LabError> {
    match conclusion {
        Conclusion::Proved => Ok(End::Proved),
        Conclusion::Disproved => Ok(End::Disproved),
        Conclusion::Believed(true) => Ok(End::BelievedWon),
        Conclusion::Believed(false) => Ok(End::BelievedNotWon),
        Conclusion::Unknown(Stop::Interrupted) => Err(LabError::Stopped),
        Conclusion::Unknown(_) => Ok(End::Out),
    }
}

/// A line of a table: a solver with its settings.
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

/// What came of an entry over many positions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) positions: u64,
    pub(crate) solved: u64,
    pub(crate) disproved: u64,
    pub(crate) beliefs: u64,
    /// Beliefs and proofs whose truth is known, and those of them that are wrong.
    pub(crate) checked: u64,
    pub(crate) wrong: u64,
    pub(crate) wrong_proofs: u64,
    iterations: f64,
    nodes: f64,
    milliseconds: f64,
}

impl Tally {
    /// Counts attempts, each with the truth where it is known.
    pub(crate) fn of(attempts: impl Iterator<Item = (Attempt, Option<bool>)>) -> Tally {
        let mut tally = Tally::default();
        for (attempt, truth) in attempts {
            let says = attempt.end.says();
            let wrong = says.zip(truth).is_some_and(|(says, truth)| says != truth);
            tally.positions += 1;
            tally.solved += u64::from(says == Some(true));
            tally.disproved += u64::from(says == Some(false));
            tally.beliefs += u64::from(attempt.end.is_belief());
            tally.checked += u64::from(says.is_some() && truth.is_some());
            tally.wrong += u64::from(wrong);
            tally.wrong_proofs += u64::from(wrong && !attempt.end.is_belief());
            tally.iterations += attempt.iterations as f64;
            tally.nodes += attempt.nodes as f64;
            tally.milliseconds += attempt.milliseconds;
        }
        tally
    }

    pub(crate) fn concluded(&self) -> Share {
        Share { hits: self.solved + self.disproved, of: self.positions }
    }

    pub(crate) fn wrong_share(&self) -> Share {
        Share { hits: self.wrong, of: self.checked }
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

    /// The cells of [`Tally::COLUMNS`]. The means are over all positions, those not concluded too.
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

/// The entry that concludes most often without ever being wrong where that could be checked, belief
/// allowed.
pub(crate) fn best_never_wrong(rows: &[(Entry, Tally)]) -> Option<&(Entry, Tally)> {
    let never_wrong = rows.iter().filter(|(_, tally)| tally.wrong == 0 && tally.checked > 0);
    never_wrong.max_by_key(|(_, tally)| (tally.concluded().hits, std::cmp::Reverse(tally.beliefs)))
}
