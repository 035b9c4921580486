//! What all faults have in common.

use super::environment::Environment;
use crate::Failure;
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

/// How long a fault lasts.
pub(super) enum Hold {
    /// This long.
    For(Duration),
    /// Until requests fail, and a little longer.
    UntilFelt,
}

/// Something that can be broken in a running site, and mended.
pub(super) trait Fault {
    /// Gets a new site ready, before its first visitor.
    fn prepare(&mut self, _: &mut Environment) -> Result<(), Failure> {
        Ok(())
    }

    /// Breaks something.
    fn inject(&mut self, site: &mut Environment, random: &mut ChaCha8Rng) -> Result<Hold, Failure>;

    /// Mends it.
    fn lift(&mut self, site: &mut Environment) -> Result<(), Failure>;
}
