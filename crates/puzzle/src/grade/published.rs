//! The published mean ratings of a hundred puzzles by eight beginners (P1 tables B.3 and B.4):
//! interest and difficulty from -2 to 2. Ratings of single puzzles are not published, so the
//! default grade is constructed to reproduce these averages.

use geister::solver::Revealed;

/// A mean rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Average {
    /// From -2, boring, to 2, interesting.
    pub interest: f64,
    /// From -2, easy, to 2, difficult.
    pub difficulty: f64,
}

const fn average(interest: f64, difficulty: f64) -> Average {
    Average { interest, difficulty }
}

/// Table B.3: `M_win`, number of puzzles, averages.
pub const BY_LENGTH: [(u32, u32, Average); 8] = [
    (5, 2, average(-1.38, -1.88)),
    (7, 10, average(-0.48, -1.44)),
    (9, 19, average(-0.13, -0.88)),
    (11, 18, average(-0.14, -0.40)),
    (13, 29, average(0.12, 0.05)),
    (15, 17, average(-0.11, 0.32)),
    (17, 3, average(0.21, 1.42)),
    (19, 2, average(0.06, 1.00)),
];

/// The averages of the puzzles with and without a property.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The number of puzzles with the property, and their average.
    pub yes: (u32, Average),
    /// The number of puzzles without it, and their average.
    pub no: (u32, Average),
}

/// Table B.4: partly revealed, of all.
pub const PARTLY: Pair = Pair { yes: (38, average(0.04, -0.21)), no: (62, average(-0.19, -0.33)) };
/// Table B.4: red-wall, of all.
pub const RED_WALL: Pair =
    Pair { yes: (36, average(0.11, -0.17)), no: (64, average(-0.22, -0.35)) };
/// Table B.4: capture-win, of the partly revealed.
pub const CAPTURE_WIN: Pair =
    Pair { yes: (19, average(0.11, -0.24)), no: (19, average(-0.03, -0.18)) };

impl Pair {
    /// The effect of having the property or not, relative to the overall average.
    fn effect(&self, belongs: bool) -> Average {
        let ((n, yes), (m, no)) = (self.yes, self.no);
        let all = f64::from(n + m);
        let mean = |a: f64, b: f64| (f64::from(n) * a + f64::from(m) * b) / all;
        let this = if belongs { yes } else { no };
        average(
            this.interest - mean(yes.interest, no.interest),
            this.difficulty - mean(yes.difficulty, no.difficulty),
        )
    }
}

/// The kind of a puzzle, as distinguished by the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PuzzleKind {
    /// Plies of the shortest win.
    pub m_win: u32,
    /// Whether a colour is revealed. The paper has no fully revealed puzzles; they count as partly.
    pub revealed: Revealed,
    /// The categories.
    pub red_wall: bool,
    /// See `red_wall`.
    pub capture_win: bool,
}

/// The expected rating of a puzzle of this kind: the average of its length plus the effects of its
/// categories.
///
/// The effects are added as if categories and length were independent, which the paper's averages
/// of `M_win` by category support. Outside its lengths there is no data: shorter than 5 counts as
/// 5, and above 19 difficulty rises by a tenth every two plies.
pub fn expected(kind: PuzzleKind) -> Average {
    let base = by_length(kind.m_win);
    let partly = kind.revealed != Revealed::None;
    let mut effects = vec![PARTLY.effect(partly), RED_WALL.effect(kind.red_wall)];
    if partly {
        effects.push(CAPTURE_WIN.effect(kind.capture_win));
    }
    let sum = |of: fn(&Average) -> f64| of(&base) + effects.iter().map(of).sum::<f64>();
    average(sum(|a| a.interest), sum(|a| a.difficulty))
}

fn by_length(m_win: u32) -> Average {
    let (longest, _, last) = BY_LENGTH[BY_LENGTH.len() - 1];
    let known = BY_LENGTH.iter().rev().find(|(plies, ..)| *plies <= m_win);
    let (_, _, base) = known.unwrap_or(&BY_LENGTH[0]);
    if m_win <= longest {
        return *base;
    }
    let beyond = f64::from((m_win - longest) / 2);
    average(last.interest, (last.difficulty + 0.1 * beyond).min(1.8))
}

/// The standard deviation of single puzzles of one kind.
///
/// P1 gives the error and R2 of its models, RMSE^2 / (1 - R2) is the variance of all averages, and
/// what table B.3 explains of it is taken off: 0.69 for difficulty, 0.58 for interest.
pub const DEVIATION: Average = average(0.58, 0.69);

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper's hundred puzzles, with lengths and categories independent: a weight for each
    /// kind.
    fn hundred() -> Vec<(f64, PuzzleKind)> {
        let mut all = Vec::new();
        let share = |pair: Pair, yes: bool| {
            f64::from(if yes { pair.yes.0 } else { pair.no.0 }) / f64::from(pair.yes.0 + pair.no.0)
        };
        for (m_win, puzzles, _) in BY_LENGTH {
            for bits in 0..8 {
                let [partly, red_wall, capture_win] = [1, 2, 4].map(|bit| bits & bit != 0);
                let capture = if partly { share(CAPTURE_WIN, capture_win) } else { 0.5 };
                let weight = share(PARTLY, partly) * share(RED_WALL, red_wall) * capture;
                let revealed = if partly { Revealed::Partly } else { Revealed::None };
                let kind = PuzzleKind { m_win, revealed, red_wall, capture_win };
                all.push((f64::from(puzzles) * weight, kind));
            }
        }
        all
    }

    fn mean(of: impl Fn(PuzzleKind) -> bool) -> Average {
        let these: Vec<_> = hundred().into_iter().filter(|(_, kind)| of(*kind)).collect();
        let weight: f64 = these.iter().map(|(weight, _)| weight).sum();
        let sum = |get: fn(Average) -> f64| {
            these.iter().map(|(weight, kind)| weight * get(expected(*kind))).sum::<f64>() / weight
        };
        average(sum(|a| a.interest), sum(|a| a.difficulty))
    }

    fn comes_back(found: Average, published: Average) {
        let near =
            |a: f64, b: f64| assert!((a - b).abs() <= 0.005 + 1e-9, "{found:?} {published:?}");
        near(found.interest, published.interest);
        near(found.difficulty, published.difficulty);
    }

    #[test]
    fn the_published_averages_come_back() {
        for (m_win, _, published) in BY_LENGTH {
            comes_back(mean(|kind| kind.m_win == m_win), published);
        }
        let partly = |kind: PuzzleKind| kind.revealed == Revealed::Partly;
        comes_back(mean(partly), PARTLY.yes.1);
        comes_back(mean(|kind| !partly(kind)), PARTLY.no.1);
        comes_back(mean(|kind| kind.red_wall), RED_WALL.yes.1);
        comes_back(mean(|kind| !kind.red_wall), RED_WALL.no.1);
        comes_back(mean(|kind| partly(kind) && kind.capture_win), CAPTURE_WIN.yes.1);
        comes_back(mean(|kind| partly(kind) && !kind.capture_win), CAPTURE_WIN.no.1);
    }

    /// RMSE^2 / (1 - R2) less the variance that the lengths explain.
    #[test]
    fn the_deviations_follow_from_the_published_errors() {
        let within = |rmse: f64, r_squared: f64, of: fn(Average) -> f64| {
            let mean =
                BY_LENGTH.iter().map(|(_, n, a)| f64::from(*n) * of(*a)).sum::<f64>() / 100.0;
            let between = BY_LENGTH.iter().map(|(_, n, a)| f64::from(*n) * (of(*a) - mean).powi(2));
            (rmse * rmse / (1.0 - r_squared) - between.sum::<f64>() / 100.0).sqrt()
        };
        assert!((within(0.54, 0.27, |a| a.interest) - DEVIATION.interest).abs() < 0.01);
        assert!((within(0.66, 0.54, |a| a.difficulty) - DEVIATION.difficulty).abs() < 0.01);
    }
}
