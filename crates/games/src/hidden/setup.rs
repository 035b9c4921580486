//! The secret set-up of games that have none.

use std::fmt;
use std::str::FromStr;

/// The only set-up of a game whose players set up nothing. Its text is `-`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct NoSetup;

/// Text other than `-` for a game without a set-up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SetupTextError;

impl fmt::Display for NoSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("-")
    }
}

impl FromStr for NoSetup {
    type Err = SetupTextError;

    fn from_str(text: &str) -> Result<NoSetup, SetupTextError> {
        if text == "-" { Ok(NoSetup) } else { Err(SetupTextError) }
    }
}

impl fmt::Display for SetupTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this game has no set-up; write `-`")
    }
}

impl std::error::Error for SetupTextError {}
