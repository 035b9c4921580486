//! `kill`: the process of the site is killed without warning and started again.

use super::environment::Environment;
use super::fault::{Fault, FaultDuration};
use crate::Failure;
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

/// SIGKILL and a restart.
pub(super) struct Kill;

impl Fault for Kill {
    fn inject(
        &mut self,
        site: &mut Environment,
        _: &mut ChaCha8Rng,
    ) -> Result<FaultDuration, Failure> {
        site.kill()?;
        Ok(FaultDuration::For(Duration::ZERO))
    }

    fn remove(&mut self, site: &mut Environment) -> Result<(), Failure> {
        site.launch()
    }
}
