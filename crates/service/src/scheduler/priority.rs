//! The priority of worker threads.

/// Lowers the priority of this thread, as `nice` does for a process. Only Linux has that for single
/// threads; elsewhere, and where it is not allowed, all threads have the same priority.
pub(super) fn stand_back(niceness: i32) {
    #[cfg(target_os = "linux")]
    {
        let thread = rustix::thread::gettid();
        let _ = rustix::process::setpriority_process(Some(thread), niceness);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = niceness;
}
