//! `disk-full`: another file takes the space of the database.

use super::disk::Disk;
use super::environment::Environment;
use super::fault::{Fault, FaultDuration};
use crate::Failure;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// The maximum free space, drawn anew each time so that the database fails at different places.
const MAX_FREE_BYTES: u64 = 64 << 10;

/// A file that takes all space.
pub(super) struct DiskFull;

fn disk(site: &Environment) -> Result<&Disk, Failure> {
    site.disk.as_ref().ok_or_else(|| "the site has no disk of its own".to_owned())
}

impl Fault for DiskFull {
    fn inject(
        &mut self,
        site: &mut Environment,
        random: &mut ChaCha8Rng,
    ) -> Result<FaultDuration, Failure> {
        disk(site)?.fill(random.random_range(0..=MAX_FREE_BYTES))?;
        Ok(FaultDuration::UntilFelt)
    }

    fn remove(&mut self, site: &mut Environment) -> Result<(), Failure> {
        disk(site)?.free()?;
        // PostgreSQL ends if it cannot write its log. A service manager starts it again.
        let Some(postgres) = &mut site.postgres else { return Ok(()) };
        if postgres.has_ended() { postgres.run() } else { Ok(()) }
    }
}
