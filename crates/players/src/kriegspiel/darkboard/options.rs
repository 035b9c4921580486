//! The options of Darkboard, which experiments change or switch off.

use super::Weights;
use std::fmt;
use std::str::FromStr;

/// The options of Darkboard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The search depth in own moves, including the first one.
    pub depth: u32,
    /// The weight of the static value; `None` makes it depend on the balance of material.
    pub alpha: Option<f64>,
    /// Whether squares that were empty recently count as more likely to be still empty.
    pub age: bool,
    /// Whether the evaluation penalises uncertainty.
    pub information: bool,
    /// Whether metapositions apply inference rules beyond P2.
    pub sharp: bool,
    /// The beam width below the first move.
    pub beam: Option<usize>,
    /// The weights of the evaluation.
    pub weights: Weights,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            depth: 2,
            alpha: None,
            age: true,
            information: true,
            sharp: true,
            beam: Some(12),
            weights: Weights::default(),
        }
    }
}

/// The greatest allowed weight, so that values remain finite.
const MAX_WEIGHT: f32 = 1000.0;

/// A text that is not a valid option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionError(String);

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weights: Vec<&str> = Weights::default().named().iter().map(|(name, _)| *name).collect();
        write!(
            f,
            "{:?} is no option; options are depth=1 to 9, alpha=0 to 1, beam=1 to 99 or off, \
             age, information, sharp as on or off, and weights as 0 to {MAX_WEIGHT}: {}",
            self.0,
            weights.join(", ")
        )
    }
}

impl std::error::Error for OptionError {}

/// Options separated by commas, such as `depth=2,alpha=0.8,age=off,entropy=0.05`.
impl FromStr for Options {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Options, OptionError> {
        let mut options = Options::default();
        for option in text.split(',') {
            options.set(option).ok_or_else(|| OptionError(option.to_owned()))?;
        }
        Ok(options)
    }
}

impl Options {
    fn set(&mut self, option: &str) -> Option<()> {
        let (name, value) = option.split_once('=')?;
        let switch = || match value {
            "on" => Some(true),
            "off" => Some(false),
            _ => None,
        };
        match name {
            "depth" => self.depth = value.parse().ok().filter(|depth| (1..=9).contains(depth))?,
            "alpha" => {
                self.alpha = Some(value.parse().ok().filter(|alpha| (0.0..=1.0).contains(alpha))?);
            }
            "beam" if value == "off" => self.beam = None,
            "beam" => {
                self.beam = Some(value.parse().ok().filter(|beam| (1..=99).contains(beam))?);
            }
            "age" => self.age = switch()?,
            "information" => self.information = switch()?,
            "sharp" => self.sharp = switch()?,
            weight => {
                let value =
                    value.parse().ok().filter(|value| (0.0..=MAX_WEIGHT).contains(value))?;
                *self.weights.named_mut(weight)? = value;
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_and_refused() {
        let options: Options =
            "depth=2,alpha=0.8,age=off,information=off,sharp=off".parse().unwrap();
        let Options { depth, alpha, age, information, sharp, .. } = options;
        assert_eq!((depth, alpha), (2, Some(0.8)));
        assert!(!age && !information && !sharp);
        let wrong = ["", "depth", "depth=0", "depth=x", "alpha=2", "alpha=NaN", "age=maybe", "x=1"];
        for wrong in wrong.into_iter().chain(["mate=-1", "mate=NaN", "mate=inf", "mate=", "Mate=1"])
        {
            assert!(wrong.parse::<Options>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_weight_can_be_set_and_changes_nothing_else() {
        let before = Weights::default().named();
        for (at, (name, value)) in before.iter().enumerate() {
            let mut expected = before.clone();
            expected[at].1 = value / 2.0;
            let options: Options = format!("{name}={}", value / 2.0).parse().unwrap();
            assert_eq!(options.weights.named(), expected);
        }
    }
}
