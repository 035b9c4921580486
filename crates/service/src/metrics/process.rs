//! Memory and file descriptors of this process, where `/proc` has them. The names are those that
//! Prometheus's own libraries use.

use super::Exposition;
use std::fs::{read_dir, read_to_string};

pub(super) fn write(text: &mut Exposition) {
    for (name, help, value) in [
        ("process_resident_memory_bytes", "Resident memory in bytes.", resident_bytes()),
        ("process_open_fds", "Open file descriptors.", open_files()),
        ("process_max_fds", "The limit of open file descriptors.", most_files()),
    ] {
        if let Some(value) = value {
            text.gauge(name, help, value as f64);
        }
    }
}

/// The number behind a name in a file of `/proc/self`.
fn number(file: &str, name: &str) -> Option<u64> {
    let text = read_to_string(format!("/proc/self/{file}")).ok()?;
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    rest.split_whitespace().next()?.parse().ok()
}

fn resident_bytes() -> Option<u64> {
    // In kibibytes, whatever the size of a page.
    number("status", "VmRSS:").map(|kibibytes| kibibytes << 10)
}

fn open_files() -> Option<u64> {
    // The one that reads the folder is not counted.
    Some((read_dir("/proc/self/fd").ok()?.count() as u64).saturating_sub(1))
}

fn most_files() -> Option<u64> {
    number("limits", "Max open files")
}
