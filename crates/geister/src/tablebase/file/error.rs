//! What can be wrong with the file of a table.

use super::{CLASS_BYTES, MAX_MOVES_TO_WIN};
use std::path::PathBuf;
use std::{fmt, io};

/// Why a table cannot be read or written. Each displays as one sentence that names the file, the
/// reason and the next step.
#[derive(Debug)]
pub enum FileError {
    /// There is no such file.
    Missing {
        /// The file.
        path: PathBuf,
        /// The class it should hold.
        class: String,
    },
    /// The operating system does not let it be read.
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The operating system does not let it be written. What was there before is still there.
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It is not, or no longer, the table that was asked for.
    Refused {
        /// The file.
        path: PathBuf,
        /// The class it should hold.
        class: String,
        /// What is wrong with it.
        reason: Reason,
    },
    /// An entry was asked for that the table does not have.
    NoEntry {
        /// The file.
        path: PathBuf,
        /// What was asked for.
        index: u64,
        /// How many there are.
        entries: u64,
    },
    /// A class that no file can hold: not plain ASCII without spaces, empty, or too long.
    Class {
        /// The file.
        path: PathBuf,
        /// The class.
        class: String,
    },
    /// A value that no file can hold.
    Value {
        /// The file.
        path: PathBuf,
        /// The value; for weighted counts, the greatest value they count.
        value: usize,
    },
    /// The caller asked to stop while it was read or written. What was there before is still there.
    Interrupted {
        /// The file.
        path: PathBuf,
    },
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A folder, a device or the like.
    NotAFile,
    /// It does not begin as tables do.
    Foreign,
    /// Another version of the layout.
    Version(u32),
    /// Shorter than it was when it was written.
    Truncated {
        /// Its length.
        bytes: u64,
        /// The length it had, as far as that is known: at least this.
        wanted: u64,
    },
    /// Longer than it was when it was written.
    Overlong {
        /// Its length.
        bytes: u64,
        /// The length it had.
        wanted: u64,
    },
    /// The head does not agree with itself or with its checksum.
    Head,
    /// A table of another class.
    Class(String),
    /// A table with another number of entries.
    Entries {
        /// How many it has.
        found: u64,
        /// How many the class has.
        wanted: u64,
    },
    /// A block does not agree with its checksum, or does not decode to what the head says.
    Block(u64),
    /// The counts of the head are not those of the values.
    Counts,
    /// It does not fit into this machine's memory.
    Memory,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::NotAFile => f.write_str("it is not a regular file"),
            Reason::Foreign => f.write_str("it does not begin as a table does"),
            Reason::Version(found) => {
                write!(f, "it has version {found} of the layout and this program reads version 1")
            }
            Reason::Truncated { bytes, wanted } => {
                write!(f, "it is cut off, with {bytes} bytes of {wanted} or more")
            }
            Reason::Overlong { bytes, wanted } => {
                write!(f, "it has {bytes} bytes and the table in it ends after {wanted}")
            }
            Reason::Head => f.write_str("its head was altered"),
            Reason::Class(found) => write!(f, "it holds the class {found}"),
            Reason::Entries { found, wanted } => {
                write!(f, "it has {found} entries and the class has {wanted}")
            }
            Reason::Block(block) => write!(f, "its block {block} was altered"),
            Reason::Counts => f.write_str("its values are not those that its head counts"),
            Reason::Memory => f.write_str("it does not fit into memory"),
        }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::Missing { path, class } => {
                write!(
                    f,
                    "{}: there is no such table; build it with {}",
                    path.display(),
                    Build(class)
                )
            }
            FileError::Read { path, source } => {
                write!(f, "{}: cannot be read ({source}); check who may read it", path.display())
            }
            FileError::Write { path, source } => write!(
                f,
                "{}: cannot be written ({source}); make room, or choose another folder with `--tables DIR`",
                path.display()
            ),
            FileError::Refused { path, class, reason: Reason::Memory } => write!(
                f,
                "{}: the table of {class} does not fit into memory; close other programs and try again",
                path.display()
            ),
            FileError::Refused { path, class, reason } => {
                write!(
                    f,
                    "{}: refused, {reason}; build it again with {}",
                    path.display(),
                    Build(class)
                )
            }
            FileError::NoEntry { path, index, entries } => write!(
                f,
                "{}: has no entry {index}, only {entries} from 0 on; ask for one of those",
                path.display()
            ),
            FileError::Class { path, class } => write!(
                f,
                "{}: not written, {class:?} is no class; name it with 1 to {CLASS_BYTES} ASCII characters and no space",
                path.display()
            ),
            FileError::Value { path, value } => write!(
                f,
                "{}: not written, a win in {value} own moves is too long; tables hold up to {MAX_MOVES_TO_WIN}",
                path.display()
            ),
            FileError::Interrupted { path } => {
                write!(f, "{}: interrupted; try again", path.display())
            }
        }
    }
}

/// The command that builds a class.
struct Build<'a>(&'a str);

impl fmt::Display for Build<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`spuk tablebase build --class {}`", self.0)
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            FileError::Read { source, .. } | FileError::Write { source, .. } => Some(source),
            _ => None,
        }
    }
}
