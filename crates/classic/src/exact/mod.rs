//! What the exact solvers of other games share: the answer, the way to it, and the table.

mod table;

pub(crate) use table::{Entry, Key, Table};

use search::Stop;

/// What is proved about the final score, seen by the player to move: over 0 a win, 0 a draw, under
/// 0 a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// The score with best play of both sides.
    Exact(i32),
    /// A limit was hit. The score lies between these bounds, both included.
    Between {
        /// No less than this.
        least: i32,
        /// No more than this.
        most: i32,
        /// The limit.
        stop: Stop,
    },
}

/// Who wins with best play, seen by the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The player to move wins.
    Win,
    /// Nobody wins.
    Draw,
    /// The other player wins.
    Loss,
}

impl Score {
    /// Who wins, if that is proved; it may be before the score is.
    #[must_use]
    pub const fn outcome(self) -> Option<Outcome> {
        match self {
            Score::Exact(0) => Some(Outcome::Draw),
            Score::Exact(score) if score > 0 => Some(Outcome::Win),
            Score::Exact(_) => Some(Outcome::Loss),
            Score::Between { least, .. } if least > 0 => Some(Outcome::Win),
            Score::Between { most, .. } if most < 0 => Some(Outcome::Loss),
            Score::Between { .. } => None,
        }
    }

    /// The score, if it is proved.
    #[must_use]
    pub const fn exact(self) -> Option<i32> {
        match self {
            Score::Exact(score) => Some(score),
            Score::Between { .. } => None,
        }
    }
}

/// Closes in on a score between `least` and `most`.
///
/// `next` chooses a threshold from the bounds, at least the lower and under the upper one; `probe`
/// searches whether the score is above it and returns a bound: an upper one if that is no more than
/// the threshold, a lower one if it is more.
pub(crate) fn close_in(
    mut least: i32,
    mut most: i32,
    next: impl Fn(i32, i32) -> i32,
    mut probe: impl FnMut(i32) -> Result<i32, Stop>,
) -> Score {
    while least < most {
        let threshold = next(least, most);
        match probe(threshold) {
            Ok(bound) if bound > threshold => least = least.max(bound),
            Ok(bound) => most = most.min(bound),
            Err(stop) => return Score::Between { least, most, stop },
        }
    }
    Score::Exact(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_score_is_found_from_every_side() {
        for score in -10..=10 {
            let probe =
                |threshold: i32| Ok(if score > threshold { threshold + 1 } else { threshold });
            for next in [|least, _| least, |_, most| most - 1, |least, most| (least + most) >> 1] {
                assert_eq!(close_in(-10, 10, next, probe), Score::Exact(score));
            }
        }
    }

    #[test]
    fn a_limit_leaves_what_is_proved() {
        let mut probes = [Ok(3), Ok(7), Err(Stop::Nodes)].into_iter();
        let found = close_in(
            -10,
            10,
            |least, _| least.max(0) + 4 * i32::from(least > 0),
            |_| probes.next().unwrap_or(Err(Stop::Time)),
        );
        // 3 is above 0, and 7 is not above 7.
        assert_eq!(found, Score::Between { least: 3, most: 7, stop: Stop::Nodes });
        assert_eq!((found.outcome(), found.exact()), (Some(Outcome::Win), None));
        let open = Score::Between { least: -2, most: 0, stop: Stop::Nodes };
        assert_eq!(open.outcome(), None);
    }
}
