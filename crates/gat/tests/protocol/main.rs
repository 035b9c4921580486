//! The tournament protocol over real sockets: our client, our server, and both against whatever a
//! network and other people's programs may do.

#![allow(clippy::unwrap_used)] // the helpers of tests are no tests to clippy

mod client;
mod fake;
mod hidden;
mod noise;
mod series;
mod server;
mod text;
mod wire;
