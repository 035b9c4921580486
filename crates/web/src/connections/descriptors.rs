//! File descriptors: how many the system allows, and how many of them connections may take.

/// The limit that is requested at most: each descriptor may cost memory in the kernel and here.
#[cfg(unix)]
const MAX_DESCRIPTORS: u64 = 65_536;

/// Descriptors that connections leave to the database, the tables, the runtime and log files.
const RESERVE: usize = 64;

/// Raises the limit of open files as far as the system allows. Returns the limit, if there is one.
pub(super) fn raise_limit() -> Option<usize> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        let wanted = maximum.unwrap_or(MAX_DESCRIPTORS).min(MAX_DESCRIPTORS);
        if current.is_some_and(|current| current < wanted) {
            // Some systems allow less than they say. The old limit then stays.
            let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum });
        }
        let limit = getrlimit(Resource::Nofile).current?;
        Some(usize::try_from(limit).unwrap_or(usize::MAX))
    }
    #[cfg(not(unix))]
    None
}

/// The number of descriptors for connections out of `limit`: an eighth is kept in reserve, and never
/// fewer than [`RESERVE`].
pub(super) fn for_connections(limit: usize) -> usize {
    limit.saturating_sub(RESERVE.max(limit / 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_descriptors_are_always_reserved() {
        for limit in 0..4096 {
            assert!(for_connections(limit) <= limit.saturating_sub(RESERVE));
        }
        assert_eq!(for_connections(1024), 896);
    }
}
