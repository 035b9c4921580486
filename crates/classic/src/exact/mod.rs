//! Shared parts of the exact solvers: the score, the narrowing of its bounds, the transposition
//! table.

mod transposition_table;

pub(crate) use transposition_table::{Entry, Key, TranspositionTable};

use games::Rules;
use search::Stop;

/// The proved score for the player to move: positive for a win, 0 for a draw, negative for a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameScore {
    /// The score with best play of both sides.
    Exact(i32),
    /// A limit was hit. The score lies between these bounds, both included.
    Between {
        /// The lower bound.
        lower: i32,
        /// The upper bound.
        upper: i32,
        /// The limit.
        stop: Stop,
    },
}

/// The game-theoretic outcome for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The player to move wins.
    Win,
    /// A draw.
    Draw,
    /// The opponent wins.
    Loss,
}

impl GameScore {
    /// The outcome, if it is proved; that may be before the score is exact.
    #[must_use]
    pub const fn outcome(self) -> Option<Outcome> {
        match self {
            GameScore::Exact(0) => Some(Outcome::Draw),
            GameScore::Exact(score) if score > 0 => Some(Outcome::Win),
            GameScore::Exact(_) => Some(Outcome::Loss),
            GameScore::Between { lower, .. } if lower > 0 => Some(Outcome::Win),
            GameScore::Between { upper, .. } if upper < 0 => Some(Outcome::Loss),
            GameScore::Between { .. } => None,
        }
    }

    /// The score, if it is proved.
    #[must_use]
    pub const fn exact(self) -> Option<i32> {
        match self {
            GameScore::Exact(score) => Some(score),
            GameScore::Between { .. } => None,
        }
    }
}

/// Finds a score between `lower` and `upper` by a sequence of null-window searches, as MTD(f) does.
///
/// `next` chooses a threshold from the bounds, at least the lower and below the upper one; `probe`
/// searches whether the score is above it and returns a bound: an upper bound if it is at most the
/// threshold, else a lower bound.
pub(crate) fn narrow_bounds(
    mut lower: i32,
    mut upper: i32,
    next: impl Fn(i32, i32) -> i32,
    mut probe: impl FnMut(i32) -> Result<i32, Stop>,
) -> GameScore {
    while lower < upper {
        let threshold = next(lower, upper);
        match probe(threshold) {
            Ok(bound) if bound > threshold => lower = lower.max(bound),
            Ok(bound) => upper = upper.min(bound),
            Err(stop) => return GameScore::Between { lower, upper, stop },
        }
    }
    GameScore::Exact(lower)
}

/// The moves that reach `score`, the exact score of `position`. `bound` gives a bound on the score of a
/// position, on the side of the threshold where the score lies.
pub(crate) fn best_moves<P: Rules>(
    position: &P,
    score: i32,
    mut bound: impl FnMut(&P, i32) -> Result<i32, Stop>,
) -> Result<Vec<P::Move>, Stop> {
    let mut best = Vec::new();
    for mv in position.legal_moves() {
        // The opponent scores no more than the exact score allows.
        if bound(&position.play_unchecked(mv), -score)? <= -score {
            best.push(mv);
        }
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_score_is_found_with_any_threshold_rule() {
        for score in -10..=10 {
            let probe =
                |threshold: i32| Ok(if score > threshold { threshold + 1 } else { threshold });
            for next in
                [|lower, _| lower, |_, upper| upper - 1, |lower, upper| (lower + upper) >> 1]
            {
                assert_eq!(narrow_bounds(-10, 10, next, probe), GameScore::Exact(score));
            }
        }
    }

    #[test]
    fn a_limit_leaves_the_proved_bounds() {
        let mut probes = [Ok(3), Ok(7), Err(Stop::Nodes)].into_iter();
        let found = narrow_bounds(
            -10,
            10,
            |lower, _| lower.max(0) + 4 * i32::from(lower > 0),
            |_| probes.next().unwrap_or(Err(Stop::Time)),
        );
        // 3 is above 0, and 7 is not above 7.
        assert_eq!(found, GameScore::Between { lower: 3, upper: 7, stop: Stop::Nodes });
        assert_eq!((found.outcome(), found.exact()), (Some(Outcome::Win), None));
        let open = GameScore::Between { lower: -2, upper: 0, stop: Stop::Nodes };
        assert_eq!(open.outcome(), None);
    }
}
