//! What the site knows, without HTTP and without HTML: puzzles, attempts, training, studies, games,
//! ratings, background jobs, and the database.
//!
//! [`Service`] holds all of it. [`attempts`], [`games`], [`studies`], [`training`] and [`analysis`] are
//! the operations that handlers call; they return [`ServiceError`]s, which the web layer maps to HTTP.
//! [`store`] has all SQL. A [`Caller`] is whom an operation is for: every operation that costs something
//! is limited by it.

#![forbid(unsafe_code)]

pub mod analysis;
pub mod attempts;
pub mod caller;
pub mod catalogue;
pub mod deletion;
pub mod error;
pub mod exposure;
pub mod games;
pub mod glicko;
pub mod health;
pub mod log;
pub mod metrics;
pub mod operator_token;
pub mod opinions;
pub mod private_files;
pub mod query;
pub mod quota;
pub mod rate_limit;
pub mod rating_counters;
pub mod rating_policy;
pub mod request_id;
pub mod retention;
pub mod scheduler;
pub mod secrets;
mod service;
pub mod solver_pool;
pub mod store;
pub mod studies;
pub mod training;
pub mod transfers;

pub use caller::{Caller, Client};
pub use error::{ErrorKind, ServiceError};
pub use log::Log;
pub use service::{Options, Service, SharedService, StartError};
