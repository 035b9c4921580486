//! Files that only the user of the site may read: the database and the token.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Makes a folder, and those above it, for this user alone. One that exists stays as it is.
///
/// # Errors
/// If it cannot be made.
pub fn create_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Makes an empty file for this user alone, unless there is one.
///
/// # Errors
/// If it cannot be made.
pub fn create_empty(file: &Path) -> io::Result<()> {
    match options().create_new(true).open(file) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made.map(drop),
    }
}

/// Whether other users of this machine may read or change a file.
pub fn is_open_to_others(file: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::metadata(file).is_ok_and(|found| found.permissions().mode() & 0o077 != 0)
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        false
    }
}

/// A new file under a temporary name, for this user alone and on disk. It gets its name by
/// [`Pending::publish`], whole, and is removed otherwise.
pub struct Pending<'a> {
    file: &'a Path,
    temporary: std::path::PathBuf,
}

impl Pending<'_> {
    /// Writes the file under its temporary name, which ends with `unique`.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write<'a>(file: &'a Path, unique: &str, text: &str) -> io::Result<Pending<'a>> {
        let mut name = file.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{unique}"));
        let pending = Pending { file, temporary: file.with_file_name(name) };
        let mut made = options().create_new(true).open(&pending.temporary)?;
        made.write_all(text.as_bytes())?;
        made.sync_all()?;
        Ok(pending)
    }

    /// Gives the file its name. A file that has it already is replaced.
    ///
    /// # Errors
    /// If it cannot be renamed.
    pub fn publish(self) -> io::Result<()> {
        fs::rename(&self.temporary, self.file)?;
        // The new name is on disk when the folder is.
        match self.file.parent().map(File::open) {
            Some(Ok(folder)) => folder.sync_all(),
            _ => Ok(()),
        }
    }
}

impl Drop for Pending<'_> {
    fn drop(&mut self) {
        // Nothing is there any more once the file has its name.
        let _ = fs::remove_file(&self.temporary);
    }
}
