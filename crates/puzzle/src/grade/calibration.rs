//! Calibration: quantiles of scores within each length, the scale of the default grade.
//!
//! Scores of simulated solvers and features have no natural unit, so only their order is used: the
//! fraction of the shipped puzzles of the same length that score less. The quantiles are read from
//! `calibration.csv`, which `spuk grade --calibration` creates from a graded collection.

use std::ops::RangeInclusive;

/// A dimension of the grade.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GradeDimension {
    /// How difficult the puzzle is.
    Difficulty,
    /// How interesting the puzzle is.
    Interest,
}

impl GradeDimension {
    /// Both dimensions.
    pub const ALL: [GradeDimension; 2] = [GradeDimension::Difficulty, GradeDimension::Interest];

    /// Its name in the file.
    pub const fn name(self) -> &'static str {
        match self {
            GradeDimension::Difficulty => "difficulty",
            GradeDimension::Interest => "interest",
        }
    }
}

/// The lengths in plies that share a scale: one each up to 21, then all longer ones.
pub fn band(m_win: u32) -> RangeInclusive<u32> {
    match m_win {
        0..=5 => 0..=5,
        23.. => 23..=u32::MAX,
        odd => odd..=odd,
    }
}

/// The number of steps between the quantiles 0 % and 100 %.
const QUANTILE_STEPS: usize = 20;

/// The quantiles of one dimension in one band.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    /// The first length of the band.
    pub plies: u32,
    /// The dimension.
    pub dimension: GradeDimension,
    /// Added to every rank, so that their mean over the collection is 0.
    shift: f64,
    /// The scores below which 0, 5, ..., 100 % of the collection lie.
    quantiles: Vec<f64>,
}

impl Scale {
    /// The scale of these scores; none without scores.
    pub fn of(plies: u32, dimension: GradeDimension, mut scores: Vec<f64>) -> Option<Scale> {
        scores.sort_by(f64::total_cmp);
        let last = scores.len().checked_sub(1)?;
        let at = |step: usize| rounded(scores[(step * last).div_ceil(QUANTILE_STEPS)]);
        let quantiles = (0..=QUANTILE_STEPS).map(at).collect();
        let mut scale = Scale { plies, dimension, shift: 0.0, quantiles };
        let mean =
            scores.iter().map(|&score| scale.place(score)).sum::<f64>() / scores.len() as f64;
        scale.shift = rounded(-mean);
        Some(scale)
    }

    /// The relative rank of a score: about -1 for the least, 1 for the greatest.
    pub fn place(&self, score: f64) -> f64 {
        // Tied quantiles give the middle rank: many puzzles share the score of unsolved ones.
        let below = self.quantiles.partition_point(|&q| q < score);
        let up_to = self.quantiles.partition_point(|&q| q <= score);
        let step = if below < up_to {
            (below + up_to - 1) as f64 / 2.0
        } else if below == 0 {
            0.0
        } else if below > QUANTILE_STEPS {
            QUANTILE_STEPS as f64
        } else {
            let (low, high) = (self.quantiles[below - 1], self.quantiles[below]);
            (below - 1) as f64 + (score - low) / (high - low)
        };
        2.0 * step / QUANTILE_STEPS as f64 - 1.0 + self.shift
    }

    /// The scale as a line of the file.
    pub fn line(&self) -> String {
        let numbers = std::iter::once(&self.shift).chain(&self.quantiles);
        let numbers: Vec<String> = numbers.map(ToString::to_string).collect();
        format!("{},{},{}\n", self.plies, self.dimension.name(), numbers.join(","))
    }

    fn from_line(line: &str) -> Option<Scale> {
        let mut fields = line.split(',');
        let plies = fields.next()?.parse().ok()?;
        let name = fields.next()?;
        let dimension =
            GradeDimension::ALL.into_iter().find(|dimension| dimension.name() == name)?;
        let mut numbers = fields.map(|field| field.parse().ok());
        let shift = numbers.next()??;
        let quantiles: Vec<f64> = numbers.collect::<Option<_>>()?;
        let whole = quantiles.len() == QUANTILE_STEPS + 1 && quantiles.is_sorted();
        whole.then_some(Scale { plies, dimension, shift, quantiles })
    }
}

/// Six digits are enough, and the same on every machine.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

/// All scales.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration(Vec<Scale>);

impl Calibration {
    /// The calibration that comes with the program.
    pub fn shipped() -> Calibration {
        Calibration::read(include_str!("calibration.csv"))
    }

    /// Reads the lines that are scales.
    pub fn read(text: &str) -> Calibration {
        Calibration(text.lines().filter_map(Scale::from_line).collect())
    }

    /// The calibration of a collection, given as length, difficulty score and interest score.
    pub fn of(scores: &[(u32, f64, f64)]) -> Calibration {
        let mut starts: Vec<u32> = scores.iter().map(|(m_win, ..)| *band(*m_win).start()).collect();
        starts.sort_unstable();
        starts.dedup();
        let scale = |plies: u32, dimension| {
            let these = scores.iter().filter(|(m_win, ..)| *band(*m_win).start() == plies);
            let score = |&(_, difficulty, interest): &(u32, f64, f64)| match dimension {
                GradeDimension::Difficulty => difficulty,
                GradeDimension::Interest => interest,
            };
            Scale::of(plies, dimension, these.map(score).collect())
        };
        let both = |plies| GradeDimension::ALL.map(|dimension| scale(plies, dimension));
        Calibration(starts.into_iter().flat_map(both).flatten().collect())
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        self.0.iter().map(Scale::line).collect()
    }

    /// The relative rank of a score among puzzles of its length: 0 if there are none.
    pub fn place(&self, m_win: u32, dimension: GradeDimension, score: f64) -> f64 {
        let start = *band(m_win).start();
        let scale = self.0.iter().find(|s| (s.plies, s.dimension) == (start, dimension));
        scale.map_or(0.0, |scale| scale.place(score))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_follow_the_order_and_balance() {
        let scores: Vec<f64> = (0..200).map(|i| f64::from(i * i)).chain([4e4; 40]).collect();
        let scale = Scale::of(7, GradeDimension::Interest, scores.clone()).unwrap();
        let places: Vec<f64> = scores.iter().map(|&score| scale.place(score)).collect();
        assert!(places.is_sorted());
        assert!(places.iter().sum::<f64>().abs() / 240.0 < 1e-4);
        assert!(places.iter().all(|place| (-1.2..=1.2).contains(place)));
        assert_eq!(scale.place(-5.0), scale.place(0.0));
        assert!(scale.place(9e9) >= scale.place(4e4));
    }

    #[test]
    fn the_file_is_read_again() {
        let scores: Vec<(u32, f64, f64)> =
            (0..90).map(|i| (3 + 2 * (i % 13), f64::from(i).sin(), f64::from(i).cos())).collect();
        let calibration = Calibration::of(&scores);
        assert_eq!(Calibration::read(&calibration.text()), calibration);
        assert_eq!(calibration.0.len(), 2 * 10);
        assert_eq!(Calibration::read("7,interest,0,1\nnonsense\n"), Calibration(Vec::new()));
    }
}
