//! The site: handlers, pages, assets and translations over the `service` crate.
//!
//! [`server`] has the routes, [`middleware`] what surrounds every request, [`api`] the JSON interface,
//! [`pages`] the HTML pages. What the site knows and does is in `service`: this crate has no SQL and no
//! search.

#![forbid(unsafe_code)]

pub mod api;
pub mod app;
pub mod assets;
pub mod client_address;
pub mod connections;
pub mod context;
pub mod cookie_secrets;
pub mod csrf;
pub mod extract;
pub mod gallery;
pub mod identity;
pub mod middleware;
pub mod pages;
pub mod problem;
pub mod refusals;
pub mod request_id;
pub mod request_log;
pub mod security_headers;
pub mod server;
pub mod words;

pub use app::{App, Options};
pub use server::{metrics_router, router, serve, serve_metrics};
