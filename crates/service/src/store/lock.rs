//! A lock file beside a SQLite database: servers share it, and a restore needs it exclusively.
//!
//! SQLite's own locks are not enough: a server without a request for ten minutes has closed all of its
//! connections, and would find another file where its database was.

use super::StoreError;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// The lock, held until the last clone is gone, or the process.
#[derive(Clone, Debug)]
pub(super) struct Lock {
    _file: Arc<File>,
}

impl Lock {
    /// A lock that others may share.
    pub(super) fn shared(database: &Path) -> Result<Lock, StoreError> {
        Lock::take(database, false)
    }

    /// An exclusive lock.
    pub(super) fn exclusive(database: &Path) -> Result<Lock, StoreError> {
        Lock::take(database, true)
    }

    fn take(database: &Path, alone: bool) -> Result<Lock, StoreError> {
        let mut name = database.as_os_str().to_owned();
        name.push(".lock");
        let file = open(Path::new(&name)).map_err(sqlx::Error::Io)?;
        match lock(&file, alone) {
            true => Ok(Lock { _file: Arc::new(file) }),
            false => Err(StoreError::Locked(database.to_owned())),
        }
    }
}

fn open(path: &Path) -> std::io::Result<File> {
    let mut options = File::options();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Whether the file is locked now. On systems without such locks it never is.
#[cfg(unix)]
fn lock(file: &File, alone: bool) -> bool {
    use rustix::fs::{FlockOperation, flock};
    let how = match alone {
        true => FlockOperation::NonBlockingLockExclusive,
        false => FlockOperation::NonBlockingLockShared,
    };
    flock(file, how) != Err(rustix::io::Errno::WOULDBLOCK)
}

#[cfg(not(unix))]
fn lock(_: &File, _: bool) -> bool {
    true
}
