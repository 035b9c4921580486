//! The score of a position: a forced win or loss with its distance, or a heuristic value.

use std::fmt;
use std::ops::Neg;

/// The score of a position for the maximising side.
///
/// Scores are ordered as that side prefers them: sooner wins, later wins, heuristic values from high
/// to low, later losses, sooner losses. It is one number inside, so that a comparison in a search
/// costs what comparing numbers costs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

/// The number of a win at once.
const WIN: i32 = 1_000_000;

/// The longest distance of a win or a loss, in plies.
const MAX_PLIES: u32 = 999;

/// Beyond this a number is a win.
const MAX_HEURISTIC: i32 = WIN - MAX_PLIES as i32 - 1;

impl Score {
    /// Better than every score: the upper end of a full window.
    pub const MAX: Score = Score(WIN + 1);
    /// Worse than every score: the lower end of a full window.
    pub const MIN: Score = Score(-WIN - 1);

    /// A win with the last of `plies` plies. More than 999 plies count as 999.
    #[inline]
    #[must_use]
    pub const fn win_in(plies: u32) -> Score {
        let plies = if plies < MAX_PLIES { plies } else { MAX_PLIES };
        Score(WIN - plies as i32)
    }

    /// A loss with the last of `plies` plies. More than 999 plies count as 999.
    #[inline]
    #[must_use]
    pub const fn loss_in(plies: u32) -> Score {
        Score(-Score::win_in(plies).0)
    }

    /// The score of an undecided position. Values beyond 999,000 are cut to that.
    #[inline]
    #[must_use]
    pub const fn heuristic(value: i32) -> Score {
        if value > MAX_HEURISTIC {
            Score(MAX_HEURISTIC)
        } else if value < -MAX_HEURISTIC {
            Score(-MAX_HEURISTIC)
        } else {
            Score(value)
        }
    }

    /// Whether it is a win or a loss.
    #[inline]
    #[must_use]
    pub const fn is_decided(self) -> bool {
        self.0.abs() > MAX_HEURISTIC
    }

    /// The plies to the win or the loss, if it is one.
    #[must_use]
    pub const fn plies(self) -> Option<u32> {
        if self.is_decided() { Some(WIN.abs_diff(self.0.abs())) } else { None }
    }

    /// The same score seen `plies` plies earlier: a win or a loss is farther away by as many.
    #[inline]
    #[must_use]
    pub const fn earlier(self, plies: u32) -> Score {
        self.shifted(plies as i32)
    }

    /// The same score seen `plies` plies later: a win or a loss is nearer by as many.
    #[inline]
    #[must_use]
    pub const fn later(self, plies: u32) -> Score {
        self.shifted(-(plies as i32))
    }

    const fn shifted(self, farther: i32) -> Score {
        if self.0 > MAX_HEURISTIC {
            Score(self.0 - farther)
        } else if self.0 < -MAX_HEURISTIC {
            Score(self.0 + farther)
        } else {
            self
        }
    }

    /// The score as a word, for tables.
    pub(crate) const fn to_bits(self) -> u32 {
        self.0.cast_unsigned()
    }

    /// The score that [`Score::to_bits`] made the word of.
    pub(crate) const fn from_bits(bits: u32) -> Score {
        Score(bits.cast_signed())
    }
}

impl Neg for Score {
    type Output = Score;

    /// The score for the other side.
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies() {
            Some(plies) if self.0 > 0 => write!(f, "win in {plies}"),
            Some(plies) => write!(f, "loss in {plies}"),
            None => write!(f, "{}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_ordered_as_the_maximising_side_prefers_them() {
        let ordered = [
            Score::MIN,
            Score::loss_in(0),
            Score::loss_in(4),
            Score::loss_in(2000),
            Score::heuristic(i32::MIN),
            Score::heuristic(-3),
            Score::heuristic(7),
            Score::heuristic(i32::MAX),
            Score::win_in(2000),
            Score::win_in(5),
            Score::win_in(0),
            Score::MAX,
        ];
        assert!(ordered.is_sorted_by(|a, b| a < b), "{ordered:?}");
    }

    #[test]
    fn distances_shift_and_heuristics_do_not() {
        assert_eq!(Score::win_in(3).earlier(2), Score::win_in(5));
        assert_eq!(Score::loss_in(5).later(2), Score::loss_in(3));
        assert_eq!(Score::heuristic(-40).earlier(9), Score::heuristic(-40));
        assert_eq!(Score::win_in(7).plies(), Some(7));
        assert_eq!(-Score::win_in(7), Score::loss_in(7));
        assert_eq!(Score::heuristic(0).plies(), None);
        for score in [Score::win_in(9), Score::loss_in(1), Score::heuristic(-5)] {
            assert_eq!(Score::from_bits(score.to_bits()), score);
        }
    }
}
