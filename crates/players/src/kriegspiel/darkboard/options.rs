//! What can be set, or switched off to see what it is worth.

use super::Weights;
use std::fmt;
use std::str::FromStr;

/// How Darkboard plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Own moves that are looked at in a row, the first one included.
    pub depth: u32,
    /// How much the static value counts when material is even; `None` lets it follow the balance.
    pub alpha: Option<f64>,
    /// Whether squares that were seen empty lately are taken for likely still empty.
    pub age: bool,
    /// Whether what is not known counts against a metaposition.
    pub information: bool,
    /// Whether the metaposition draws the conclusions beyond those of P2.
    pub sharp: bool,
    /// Below the first move only so many moves are followed.
    pub beam: Option<usize>,
    /// What the evaluation is made of.
    pub weights: Weights,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            depth: 3,
            alpha: None,
            age: true,
            information: true,
            sharp: true,
            beam: Some(12),
            weights: Weights::default(),
        }
    }
}

/// Text that is no option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionError(String);

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:?} is no option; options are depth=1 to 9, alpha=0 to 1, beam=1 to 99 or off, \
             and age, information, sharp as on or off",
            self.0
        )
    }
}

impl std::error::Error for OptionError {}

/// Options with commas between them, such as `depth=2,alpha=0.8,age=off`.
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
            _ => return None,
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
        for wrong in ["", "depth", "depth=0", "depth=x", "alpha=2", "alpha=NaN", "age=maybe", "x=1"]
        {
            assert!(wrong.parse::<Options>().is_err(), "{wrong}");
        }
    }
}
