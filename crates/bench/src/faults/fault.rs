//! The interface of all faults.

use super::environment::Environment;
use crate::Failure;
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

/// How long a fault lasts.
pub(super) enum FaultDuration {
    /// This long.
    For(Duration),
    /// Until requests fail, and a little longer.
    UntilFelt,
}

/// A fault that can be injected into a running site and removed.
pub(super) trait Fault {
    /// Prepares a new site, before its first visitor.
    fn prepare(&mut self, _: &mut Environment) -> Result<(), Failure> {
        Ok(())
    }

    /// Injects the fault.
    fn inject(
        &mut self,
        site: &mut Environment,
        random: &mut ChaCha8Rng,
    ) -> Result<FaultDuration, Failure>;

    /// Removes the fault.
    fn remove(&mut self, site: &mut Environment) -> Result<(), Failure>;
}
