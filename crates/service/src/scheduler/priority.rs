//! How much a thread competes for the processor.

/// Lets this thread stand back for others, as `nice` does for a process. Only Linux has that for single
/// threads; elsewhere, and where it is not allowed, everybody competes alike.
pub(super) fn stand_back(niceness: i32) {
    #[cfg(target_os = "linux")]
    {
        let thread = rustix::thread::gettid();
        let _ = rustix::process::setpriority_process(Some(thread), niceness);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = niceness;
}
