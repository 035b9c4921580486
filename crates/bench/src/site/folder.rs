//! A temporary folder.

use crate::Failure;
use std::path::{Path, PathBuf};

/// A folder that is removed with the value.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// A new folder for the command of this name, which runs in this process once at a time.
    pub(crate) fn new(name: &str) -> Result<Folder, Failure> {
        let folder = std::env::temp_dir().join(format!("spuk-bench-{name}-{}", std::process::id()));
        std::fs::create_dir(&folder).map_err(|error| {
            format!("the temporary folder {} cannot be made: {error}", folder.display())
        })?;
        Ok(Folder(folder))
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
