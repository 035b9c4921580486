//! The site as a program: it starts, it stops when asked to, it reports why it does not start, and
//! nothing that it has acknowledged is lost when it is killed.

#![allow(clippy::unwrap_used)] // the helpers of tests are no tests to clippy

#[path = "../common/mod.rs"]
mod common;
mod connections;
mod durability;
mod load;
mod monitoring;
mod permissions;
mod server;
mod shutdown;
mod startup;
mod visitor_games;
