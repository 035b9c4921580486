//! The best-first solvers by name.

use crate::and_or::AndOr;
use crate::mcpns::Mcpns;
use crate::mcts::Mcts;
use crate::playout::Playouts;
use crate::pns::Pns;
use crate::ppns::Ppns;
use crate::solve::Solve;
use crate::uct::Uct;
use std::fmt;
use std::str::FromStr;

/// A kind of [`Solve`]r.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// [`Pns`].
    Pns,
    /// [`Mcpns`].
    Mcpns,
    /// [`Ppns`].
    Ppns,
    /// [`Uct`].
    Uct,
    /// [`Mcts`].
    Mcts,
}

/// The settings of all of them; each takes what is its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How leaves are judged, where they are judged by playouts.
    pub playouts: Playouts,
    /// See [`Ppns::theta`].
    pub theta: f64,
    /// See [`Ppns::precision`].
    pub precision: f64,
    /// See [`Uct::exploration`].
    pub exploration: f64,
    /// See [`Mcts::iterations`].
    pub iterations: u64,
}

impl Default for Settings {
    /// The usual settings of each solver.
    fn default() -> Self {
        let (Ppns { playouts, theta, precision }, mcts) = (Ppns::default(), Mcts::default());
        let Mcts { exploration, iterations, .. } = mcts;
        Self { playouts, theta, precision, exploration, iterations }
    }
}

impl Algorithm {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Pns, Self::Mcpns, Self::Ppns, Self::Uct, Self::Mcts];

    /// Its name in one word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pns => "pns",
            Self::Mcpns => "mcpns",
            Self::Ppns => "ppns",
            Self::Uct => "uct",
            Self::Mcts => "mcts",
        }
    }

    /// A solver of this kind.
    #[must_use]
    pub fn solver<P: AndOr>(self, settings: &Settings) -> Box<dyn Solve<P>> {
        let Settings { playouts, theta, precision, exploration, iterations } = *settings;
        match self {
            Self::Pns => Box::new(Pns::default()),
            Self::Mcpns => Box::new(Mcpns { playouts }),
            Self::Ppns => Box::new(Ppns { playouts, theta, precision }),
            Self::Uct => Box::new(Uct { playouts, exploration }),
            Self::Mcts => Box::new(Mcts { playouts, exploration, iterations }),
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchAlgorithm;

impl fmt::Display for NoSuchAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the solvers are {}", Algorithm::ALL.map(Algorithm::name).join(", "))
    }
}

impl std::error::Error for NoSuchAlgorithm {}

impl FromStr for Algorithm {
    type Err = NoSuchAlgorithm;

    fn from_str(text: &str) -> Result<Self, NoSuchAlgorithm> {
        Self::ALL.into_iter().find(|one| one.name() == text).ok_or(NoSuchAlgorithm)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_again() {
        for algorithm in Algorithm::ALL {
            assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
        }
        assert!("PNS".parse::<Algorithm>().unwrap_err().to_string().contains("pns, mcpns"));
    }
}
