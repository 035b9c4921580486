//! Connections: accepted up to a limit for each address and in all, cut when a client stalls, and
//! ended within a bounded time when the site stops.
//!
//! `listener` accepts them and lets each one run, `admission` counts them, `stream` and `request`
//! notice clients that stall, `descriptors` says how many connections the system allows.

mod admission;
mod descriptors;
mod listener;
mod log;
mod request;
mod stream;

pub use listener::serve;

use std::time::Duration;

/// How long clients may take, and how many connections they may have.
#[derive(Clone, Debug)]
pub struct ConnectionLimits {
    /// The time for the head of a request, from its first byte to its last.
    pub header_timeout: Duration,
    /// The time for the whole body of a request, from the end of its head.
    pub body_timeout: Duration,
    /// The time without any progress until a client that does not read its response is cut off.
    pub write_timeout: Duration,
    /// The time that a connection may wait for its first or next request.
    pub idle_timeout: Duration,
    /// Connections of one client address, and behind a trusted proxy its requests under way.
    pub per_address: usize,
    /// Connections in all. File descriptors may allow fewer.
    pub total: usize,
    /// The time for requests under way when the site stops.
    pub shutdown_grace: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> ConnectionLimits {
        ConnectionLimits {
            header_timeout: Duration::from_secs(10),
            body_timeout: Duration::from_secs(30),
            write_timeout: Duration::from_secs(30),
            idle_timeout: Duration::from_secs(60),
            per_address: 64,
            total: 16_384,
            shutdown_grace: Duration::from_millis(600),
        }
    }
}
