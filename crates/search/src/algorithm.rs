//! The best-first solvers, selected by name.

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

/// The name of a [`Solve`]r.
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

/// The settings of all solvers; each solver uses its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The playouts of the Monte-Carlo solvers.
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
    /// The default settings of each solver.
    fn default() -> Self {
        let (Ppns { playouts, theta, precision }, mcts) = (Ppns::default(), Mcts::default());
        let Mcts { exploration, iterations, .. } = mcts;
        Self { playouts, theta, precision, exploration, iterations }
    }
}

impl Algorithm {
    /// All algorithms.
    pub const ALL: [Self; 5] = [Self::Pns, Self::Mcpns, Self::Ppns, Self::Uct, Self::Mcts];

    /// The name on the command line and in files.
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

    /// A solver that uses this algorithm.
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

/// The error for an unknown solver name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownAlgorithm;

impl fmt::Display for UnknownAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the solvers are {}", Algorithm::ALL.map(Algorithm::name).join(", "))
    }
}

impl std::error::Error for UnknownAlgorithm {}

impl FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    fn from_str(text: &str) -> Result<Self, UnknownAlgorithm> {
        Self::ALL.into_iter().find(|one| one.name() == text).ok_or(UnknownAlgorithm)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_back() {
        for algorithm in Algorithm::ALL {
            assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
        }
        assert!("PNS".parse::<Algorithm>().unwrap_err().to_string().contains("pns, mcpns"));
    }
}
