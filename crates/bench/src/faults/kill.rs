//! `kill`: the process of the site ends without a warning, and is started again.

use super::environment::Environment;
use super::fault::{Fault, Hold};
use crate::Failure;
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

/// SIGKILL, and a start.
pub(super) struct Kill;

impl Fault for Kill {
    fn inject(&mut self, site: &mut Environment, _: &mut ChaCha8Rng) -> Result<Hold, Failure> {
        site.kill()?;
        Ok(Hold::For(Duration::ZERO))
    }

    fn lift(&mut self, site: &mut Environment) -> Result<(), Failure> {
        site.launch()
    }
}
