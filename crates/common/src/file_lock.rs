//! Locks on files that a command writes, so that no two runs write the same file or folder.

use std::fmt;
use std::fs::{File, TryLockError};
use std::io;

/// Why a file is not locked.
#[derive(Debug)]
pub enum LockError {
    /// Another run has the lock: its process, if the system tells.
    Held(Option<u32>),
    /// The system failed.
    Io(io::Error),
}

impl fmt::Display for LockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LockError::Held(Some(process)) => {
                write!(f, "process {process} is writing it; wait until it ends")
            }
            LockError::Held(None) => {
                f.write_str("another process is writing it; wait until it ends")
            }
            LockError::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LockError {}

/// Locks a file for this process alone, until it is closed. Filesystems without locks are not
/// refused.
///
/// # Errors
/// If another process has locked it.
pub fn lock(file: &File) -> Result<(), LockError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(LockError::Held(holder(file))),
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(()),
        Err(TryLockError::Error(error)) => Err(LockError::Io(error)),
    }
}

/// The process that has locked a file, by Linux's list of locks.
#[cfg(target_os = "linux")]
fn holder(file: &File) -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    let inode = format!(":{}", file.metadata().ok()?.ino());
    let locks = std::fs::read_to_string("/proc/locks").ok()?;
    // 1: FLOCK  ADVISORY  WRITE 1234 08:01:131 0 EOF
    let fields = |line: &str| -> Option<u32> {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let is_this = fields.get(5)?.ends_with(&inode);
        let process = fields.get(4)?.parse().ok()?;
        (is_this && process != std::process::id()).then_some(process)
    };
    locks.lines().find_map(fields)
}

#[cfg(not(target_os = "linux"))]
fn holder(_: &File) -> Option<u32> {
    None
}
