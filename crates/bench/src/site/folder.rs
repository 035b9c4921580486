//! A temporary folder.

use crate::Failure;
use std::path::{Path, PathBuf};

/// A folder that is removed when dropped.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Creates a folder for the command of this name; a process runs it only once at a time.
    pub(crate) fn new(name: &str) -> Result<Folder, Failure> {
        let folder = std::env::temp_dir().join(format!("spuk-bench-{name}-{}", std::process::id()));
        std::fs::create_dir(&folder).map_err(|error| {
            format!("cannot make the temporary folder {}: {error}", folder.display())
        })?;
        Ok(Folder(folder))
    }

    /// The path of the folder.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
