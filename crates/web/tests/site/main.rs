//! The site through its real router, on a real SQLite file and on a real PostgreSQL server: every
//! test is written once and run on both. Every JSON answer is held against the description of the
//! interface on the way.

#![allow(clippy::unwrap_used)] // the helpers of tests are no tests to clippy
#![allow(clippy::needless_pass_by_value, reason = "a test is written where it is run")]

mod connections;
mod deletion;
mod description;
mod full_disk;
mod games;
mod group_commit;
mod harness;
mod hidden;
mod hidden_games;
mod lists;
mod logs;
mod metrics;
mod migrations;
mod opinions;
mod people;
mod quota;
mod ratings;
mod record_limits;
mod refusals;
mod retention;
mod schema;
mod side_channels;
mod solving;
mod studies;
mod surroundings;
mod tls;
mod turns;
mod upgrades;
mod versions;
