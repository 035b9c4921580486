//! Results in points of Elo's scale, with what they leave open.

/// Wins, draws and losses of the first of two players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Games it won.
    pub wins: u32,
    /// Games nobody won.
    pub draws: u32,
    /// Games it lost.
    pub losses: u32,
}

/// Points, and the interval that holds the true ones 95 times of 100.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The points.
    pub points: f64,
    /// The least of the interval.
    pub low: f64,
    /// The most.
    pub high: f64,
}

/// The widest difference that is told: beyond, every game is won.
const MOST: f64 = 1200.0;

impl Score {
    /// All games.
    pub fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The share of points: a draw is half.
    pub fn share(self) -> f64 {
        (f64::from(self.wins) + 0.5 * f64::from(self.draws)) / f64::from(self.games().max(1))
    }

    /// The difference in strength.
    pub fn elo(self) -> Elo {
        let [low, high] = self.share_interval().map(points);
        Elo { points: points(self.share()), low, high }
    }

    /// Where the share of points lies with 95 % confidence: Wilson's interval, with the variance
    /// that the draws leave.
    pub fn share_interval(self) -> [f64; 2] {
        const Z: f64 = 1.959_963_984_540_054;
        let games = f64::from(self.games().max(1));
        let share = self.share();
        let spread = |value: f64, count: u32| f64::from(count) * (value - share).powi(2);
        let variance =
            (spread(1.0, self.wins) + spread(0.5, self.draws) + spread(0.0, self.losses)) / games;
        // Wilson's interval has p(1 - p) for the variance; draws make it smaller.
        let shrink =
            if share > 0.0 && share < 1.0 { variance / (share * (1.0 - share)) } else { 1.0 };
        let z2 = Z * Z * shrink;
        let centre = (share + z2 / (2.0 * games)) / (1.0 + z2 / games);
        let half =
            (z2 / games * (share * (1.0 - share) + z2 / (4.0 * games))).sqrt() / (1.0 + z2 / games);
        [centre - half, centre + half]
    }
}

fn points(share: f64) -> f64 {
    if share <= 0.0 {
        return -MOST;
    }
    if share >= 1.0 {
        return MOST;
    }
    (400.0 * (share / (1.0 - share)).log10()).clamp(-MOST, MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_differences() {
        let even = Score { wins: 50, draws: 0, losses: 50 }.elo();
        assert!(even.points.abs() < 1e-9 && (even.low + even.high).abs() < 1e-9);
        assert!((60.0..80.0).contains(&even.high), "{even:?}");
        let three_to_one = Score { wins: 75, draws: 0, losses: 25 }.elo();
        assert!((three_to_one.points - 190.848).abs() < 0.01);
        let drawn = Score { wins: 10, draws: 80, losses: 10 }.elo();
        assert!(drawn.high < even.high, "draws tell more: {drawn:?}");
        let all = Score { wins: 100, draws: 0, losses: 0 }.elo();
        assert!(all.points == MOST && all.low > 500.0 && all.low < MOST, "{all:?}");
        assert!(Score::default().elo().points.is_finite());
    }
}
