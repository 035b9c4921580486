//! Glicko-2 ratings of puzzles and players (Glickman 2012).
//!
//! An attempt is a game between player and puzzle: the player wins by solving it. The grade of a
//! puzzle is its initial rating, and attempts update it.

use serde::{Deserialize, Serialize};
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, expected_score, glicko2};

/// The rating of a puzzle or a player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// Higher is harder, or stronger; 1500 is the middle.
    pub rating: f64,
    /// The rating deviation (RD): the standard deviation of the rating.
    pub deviation: f64,
    /// The volatility: the expected fluctuation of the rating.
    pub volatility: f64,
}

/// Rating points for one step on the scale of grades. The published averages of 5 to 19 plies then
/// span what separates a newcomer from a strong amateur on the usual sites: 900 to 1900.
const POINTS_PER_GRADE: f64 = 300.0;

/// The deviation of a puzzle that has no attempts yet.
const GRADE_DEVIATION: f64 = 200.0;

impl Rating {
    /// A player without attempts.
    pub const NEW_PLAYER: Rating = Rating { rating: 1500.0, deviation: 350.0, volatility: 0.06 };

    /// The initial rating of a puzzle with this difficulty, from -2 to 2.
    pub fn of_difficulty(difficulty: f64) -> Rating {
        let rating = 1500.0 + POINTS_PER_GRADE * difficulty.clamp(-2.0, 2.0);
        Rating { rating, deviation: GRADE_DEVIATION, volatility: 0.06 }
    }

    /// The probability that this player solves that puzzle.
    pub fn probability_against(self, puzzle: Rating) -> f64 {
        expected_score(&self.into(), &puzzle.into()).0
    }
}

impl Rating {
    /// This rating after a fraction of an observation that would make it `after`: 0 leaves it
    /// unchanged, 1 gives `after`. A full observation adds its information (the inverse of the
    /// variance); a fraction adds that fraction of it.
    pub fn moved(self, after: Rating, weight: f64) -> Rating {
        let [before_information, full_information] =
            [self, after].map(|rating| rating.deviation.powi(-2));
        let information = before_information + weight * (full_information - before_information);
        let step = weight * (after.rating - self.rating) * full_information / information;
        Rating {
            rating: self.rating + step,
            deviation: information.powf(-0.5),
            volatility: self.volatility + weight * (after.volatility - self.volatility),
        }
    }
}

/// The ratings of player and puzzle after an attempt.
pub fn after(player: Rating, puzzle: Rating, solved: bool) -> (Rating, Rating) {
    let outcome = if solved { Outcomes::WIN } else { Outcomes::LOSS };
    let (player, puzzle) = glicko2(&player.into(), &puzzle.into(), &outcome, &Glicko2Config::new());
    (player.into(), puzzle.into())
}

impl From<Rating> for Glicko2Rating {
    fn from(Rating { rating, deviation, volatility }: Rating) -> Glicko2Rating {
        Glicko2Rating { rating, deviation, volatility }
    }
}

impl From<Glicko2Rating> for Rating {
    fn from(Glicko2Rating { rating, deviation, volatility }: Glicko2Rating) -> Rating {
        Rating { rating, deviation, volatility }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difficulty_grade_becomes_an_initial_rating() {
        let [easy, hard] = [-1.88, 1.42].map(Rating::of_difficulty);
        assert!(easy.rating < Rating::NEW_PLAYER.rating && hard.rating > Rating::NEW_PLAYER.rating);
        assert!(Rating::NEW_PLAYER.probability_against(easy) > 0.8);
        assert!(Rating::NEW_PLAYER.probability_against(hard) < 0.2);
        assert_eq!(Rating::of_difficulty(99.0), Rating::of_difficulty(2.0));
    }

    #[test]
    fn attempts_change_both_ratings_and_lower_their_deviations() {
        let (player, puzzle) = (Rating::NEW_PLAYER, Rating::of_difficulty(0.5));
        let (up, down) = after(player, puzzle, true);
        assert!(up.rating > player.rating && down.rating < puzzle.rating);
        assert!(up.deviation < player.deviation && down.deviation < puzzle.deviation);
        let (fallen, risen) = after(player, puzzle, false);
        assert!(fallen.rating < player.rating && risen.rating > puzzle.rating);
        // Solving what is hard says more than solving what is easy.
        let gain = |difficulty| after(player, Rating::of_difficulty(difficulty), true).0.rating;
        assert!(gain(1.5) > gain(0.0) && gain(0.0) > gain(-1.5));
    }

    #[test]
    fn a_fractional_observation_changes_the_rating_less() {
        let (player, puzzle) = (Rating::NEW_PLAYER, Rating::of_difficulty(1.0));
        for solved in [true, false] {
            let full = after(player, puzzle, solved).0;
            let close = |a: Rating, b: Rating| {
                (a.rating - b.rating).abs() < 1e-9 && (a.deviation - b.deviation).abs() < 1e-9
            };
            assert!(close(player.moved(full, 0.0), player) && close(player.moved(full, 1.0), full));
            let steps = [0.0, 0.1, 0.3, 0.6, 1.0].map(|weight| player.moved(full, weight));
            for pair in steps.windows(2) {
                assert_eq!(pair[0].rating < pair[1].rating, solved);
                assert!(pair[0].deviation > pair[1].deviation);
            }
        }
    }

    /// Players of known strength find the ratings of puzzles of known difficulty.
    #[test]
    fn ratings_settle_where_they_belong() {
        let truth = 1800.0;
        let mut puzzle = Rating::of_difficulty(0.0);
        let mut number = 7u64;
        for _ in 0..400 {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let strength = 1400.0 + f64::from((number >> 33) as u32 % 600);
            let player = Rating { rating: strength, deviation: 50.0, volatility: 0.06 };
            let chance = 1.0 / (1.0 + 10f64.powf((truth - strength) / 400.0));
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let solved = f64::from((number >> 33) as u32 % 10_000) < 10_000.0 * chance;
            puzzle = after(player, puzzle, solved).1;
        }
        assert!((puzzle.rating - truth).abs() < 2.5 * puzzle.deviation, "{puzzle:?}");
        assert!(puzzle.deviation < 80.0, "{puzzle:?}");
    }
}
