//! Results of matches in points of the Elo scale, with their error margins.

/// Wins, draws and losses of the first of two players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatchScore {
    /// Games it won.
    pub wins: u32,
    /// Games nobody won.
    pub draws: u32,
    /// Games it lost.
    pub losses: u32,
}

/// A difference in Elo points with its 95 % confidence interval. `None` is unbounded: a player that
/// wins every game may be stronger by any number of points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The estimate.
    pub points: Option<f64>,
    /// The lower end of the interval.
    pub low: Option<f64>,
    /// The upper end of the interval.
    pub high: Option<f64>,
}

/// The 97.5th percentile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

impl MatchScore {
    /// All games.
    pub fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The fraction of points: a draw is half a point.
    pub fn share(self) -> f64 {
        (f64::from(self.wins) + 0.5 * f64::from(self.draws)) / f64::from(self.games().max(1))
    }

    /// The difference in strength; `None` without games.
    pub fn elo(self) -> Option<Elo> {
        let [low, high] = self.share_interval()?.map(points);
        Some(Elo { points: points(self.share()), low, high })
    }

    /// The 95 % confidence interval of the fraction of points; `None` without games.
    ///
    /// It is the score interval for a difference of two dependent proportions, here of wins and
    /// losses (Tango 1998): the differences that a score test does not reject, with the variance
    /// that each of them implies. Unlike an interval from the observed variance it does not
    /// collapse if all games end alike, and without draws it is Wilson's.
    pub fn share_interval(self) -> Option<[f64; 2]> {
        if self.games() == 0 {
            return None;
        }
        let observed = self.difference();
        let low = bisect(observed, -1.0, |difference| self.deviation(difference) <= Z);
        let high = bisect(observed, 1.0, |difference| self.deviation(difference) >= -Z);
        Some([low, high].map(|difference| (1.0 + difference) / 2.0))
    }

    /// Wins less losses, as a fraction of the games.
    fn difference(self) -> f64 {
        (f64::from(self.wins) - f64::from(self.losses)) / f64::from(self.games())
    }

    /// By how many standard deviations the observed difference exceeds the true one, if that is
    /// `difference`.
    fn deviation(self, difference: f64) -> f64 {
        let [games, wins, losses] = [self.games(), self.wins, self.losses].map(f64::from);
        // The probability of a loss that is most likely under this difference: the positive root
        // of a quadratic equation.
        let a = 2.0 * games;
        let b = (a - wins + losses) * difference - wins - losses;
        let c = -losses * difference * (1.0 - difference);
        let loss = ((b * b - 4.0 * a * c).max(0.0).sqrt() - b) / (2.0 * a);
        let variance = games * (2.0 * loss + difference * (1.0 - difference));
        let excess = wins - losses - games * difference;
        if variance > 0.0 { excess / variance.sqrt() } else { excess * f64::INFINITY }
    }
}

/// The farthest point from `inside` towards `end` that is accepted. The accepted points are an
/// interval around `inside`.
fn bisect(inside: f64, end: f64, accepted: impl Fn(f64) -> bool) -> f64 {
    if accepted(end) {
        return end;
    }
    let (mut inside, mut outside) = (inside, end);
    for _ in 0..60 {
        let middle = 0.5 * (inside + outside);
        *(if accepted(middle) { &mut inside } else { &mut outside }) = middle;
    }
    inside
}

fn points(share: f64) -> Option<f64> {
    (share > 0.0 && share < 1.0).then(|| 400.0 * (share / (1.0 - share)).log10())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(wins: u32, draws: u32, losses: u32) -> MatchScore {
        MatchScore { wins, draws, losses }
    }

    fn close(found: Option<f64>, expected: f64, tolerance: f64) -> bool {
        found.is_some_and(|found| (found - expected).abs() < tolerance)
    }

    #[test]
    fn known_differences() {
        let even = score(50, 0, 50).elo().unwrap();
        assert!(close(even.points, 0.0, 1e-9) && close(even.low, -even.high.unwrap(), 1e-6));
        let three_to_one = score(75, 0, 25).elo().unwrap();
        assert!(close(three_to_one.points, 190.848, 0.01));
        let drawn = score(10, 80, 10).elo().unwrap();
        assert!(drawn.high < even.high, "draws narrow the interval: {drawn:?}");
    }

    #[test]
    fn there_is_no_estimate_without_information() {
        assert_eq!((score(0, 0, 0).elo(), score(0, 0, 0).share_interval()), (None, None));
        let perfect = score(100, 0, 0).elo().unwrap();
        assert_eq!((perfect.points, perfect.high), (None, None));
        assert!(perfect.low.unwrap() > 500.0);
        let hopeless = score(0, 0, 2).elo().unwrap();
        assert_eq!((hopeless.points, hopeless.low), (None, None));
        assert!(hopeless.high.unwrap() > 100.0, "two games say little");
        let two_draws = score(0, 2, 0).elo().unwrap();
        assert!(close(two_draws.points, 0.0, 1e-9));
        assert!(two_draws.low.unwrap() < -200.0 && two_draws.high.unwrap() > 200.0);
    }

    /// Wilson's interval by its formula.
    #[test]
    fn without_draws_it_is_the_interval_of_wilson() {
        for (wins, losses) in [(1, 0), (0, 3), (2, 1), (7, 3), (50, 50), (99, 1), (400, 0)] {
            let score = score(wins, 0, losses);
            let (n, share) = (f64::from(score.games()), score.share());
            let centre = (share + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
            let half =
                Z / (1.0 + Z * Z / n) * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
            let [low, high] = score.share_interval().unwrap();
            assert!((low - (centre - half)).abs() < 1e-9, "{score:?}");
            assert!((high - (centre + half)).abs() < 1e-9, "{score:?}");
        }
    }

    /// The probability that the interval contains the truth, by summing over all results.
    fn coverage(games: u32, win: f64, loss: f64) -> f64 {
        let draw = 1.0 - win - loss;
        let truth = win + 0.5 * draw;
        let choose = |n: u32, k: u32| -> f64 {
            (0..k).map(|i| f64::from(n - i) / f64::from(i + 1)).product()
        };
        let mut covered = 0.0;
        for wins in 0..=games {
            for losses in 0..=games - wins {
                let draws = games - wins - losses;
                let ways = choose(games, wins) * choose(games - wins, losses);
                let probability = ways
                    * win.powi(wins as i32)
                    * loss.powi(losses as i32)
                    * draw.powi(draws as i32);
                let [low, high] = score(wins, draws, losses).share_interval().unwrap();
                if (low - 1e-9..=high + 1e-9).contains(&truth) {
                    covered += probability;
                }
            }
        }
        covered
    }

    #[test]
    fn intervals_hold_for_few_games_many_draws_and_lopsided_players() {
        let (mut sum, mut count) = (0.0, 0.0);
        for games in [1, 2, 3, 5, 10, 25] {
            for win in [0.0, 0.02, 0.1, 0.25, 0.45, 0.5, 0.7, 0.9, 0.98] {
                for loss in [0.0, 0.02, 0.1, 0.25, 0.5, 0.7, 0.9] {
                    if win + loss <= 1.0 {
                        let covered = coverage(games, win, loss);
                        assert!(covered > 0.899, "{games} games, {win} {loss}: {covered}");
                        (sum, count) = (sum + covered, count + 1.0);
                    }
                }
            }
        }
        assert!(sum / count > 0.95, "the mean coverage is {}", sum / count);
    }
}
