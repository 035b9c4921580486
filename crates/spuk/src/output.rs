//! Output: standard output that may be closed, error messages, atomic file writes.

pub(crate) use common::excerpt::quoted;

use crate::Failure;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Whether the reader of our output is still there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    Listening,
    Gone,
}

/// Prints `text` to standard output immediately. A closed pipe is not an error.
pub(crate) fn print(text: &str) -> Result<Reader, Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(Reader::Listening),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Reader::Gone),
        Err(error) => Err(format!("cannot write to standard output: {error}")),
    }
}

/// Prints an error message to standard error, if it is open.
pub(crate) fn complain(failure: &str) {
    let _ = writeln!(io::stderr(), "spuk: {failure}");
}

/// Writes `text` to `path` atomically: after a failure the file is unchanged. A device such as
/// `/dev/null` is written to and not replaced.
pub(crate) fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    write_bytes(path, text.as_bytes())
}

/// The same with bytes.
pub(crate) fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let fail = |error: io::Error| {
        format!("cannot write {}: {error}; choose another place", quoted(&path.to_string_lossy()))
    };
    if fs::metadata(path).is_ok_and(|old| !old.is_file() && !old.is_dir()) {
        return fs::write(path, bytes).map_err(fail);
    }
    let name = path.file_name().ok_or_else(|| fail(io::ErrorKind::InvalidInput.into()))?;
    let mut part = name.to_os_string();
    part.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(part);
    let written = write_synced(&part, bytes).and_then(|()| fs::rename(&part, path));
    written.map_err(|error| {
        let _ = fs::remove_file(&part);
        fail(error)
    })
}

fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = fs::File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}
