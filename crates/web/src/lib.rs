//! The site: solve, browse and analyse puzzles in a browser, in English and Japanese, and run studies.
//!
//! [`server`] has the routes and what surrounds every request, [`api`] the JSON interface, [`pages`]
//! what people see, [`store`] what is kept. The rules, the proofs and the grades are other crates':
//! [`solving`] only says what becomes of an attempt.

#![forbid(unsafe_code)]

pub mod api;
pub mod app;
pub mod assets;
pub mod catalogue;
pub mod client_address;
pub mod connections;
pub mod cookie_secrets;
pub mod deletion;
pub mod exposure;
pub mod extract;
pub mod gallery;
pub mod health;
pub mod identity;
pub mod log;
pub mod metrics;
pub mod pages;
pub mod play;
pub mod private_files;
pub mod problem;
pub mod query;
pub mod quota;
pub mod rate;
pub mod rating_counters;
pub mod refusals;
pub mod request_id;
pub mod request_log;
pub mod retention;
pub mod scheduler;
pub mod server;
pub mod solvers;
pub mod solving;
pub mod store;
pub mod study;
pub mod training;
pub mod words;

pub use app::{App, Options, StartError};
pub use log::Log;
pub use server::{metrics_router, router, serve, serve_metrics};
