//! The request log.

use crate::request_id::Cause;
use axum::http::{Method, StatusCode};
use service::log::{Level, Log, Value};
use service::request_id::RequestId;
use std::time::Duration;

/// A request that was answered.
pub struct Served {
    /// How it was sent.
    pub method: Method,
    /// The pattern of its route, never its path: ids of games and invitations are secrets.
    pub route: String,
    /// How it was answered.
    pub status: StatusCode,
    /// How long that took.
    pub time: Duration,
    /// Its id.
    pub id: RequestId,
    /// Why it failed, if the failure is ours.
    pub cause: Option<Cause>,
}

impl Served {
    /// The level: debug for pages and assets that were served, more for API requests and failures.
    fn level(&self) -> Level {
        if self.cause.is_some() {
            Level::Error
        } else if self.status.is_server_error() {
            Level::Warn
        } else if self.status.is_client_error() || self.route.starts_with("/api/") {
            Level::Info
        } else {
            Level::Debug
        }
    }

    /// Writes the line.
    pub fn log(self, log: &Log) {
        let level = self.level();
        let mut fields = vec![
            ("method", Value::Fixed(name_of(&self.method))),
            ("route", Value::Route(self.route)),
            ("status", Value::Count(self.status.as_u16().into())),
            ("ms", Value::Millis(1000.0 * self.time.as_secs_f64())),
            ("request_id", Value::Request(self.id)),
        ];
        fields.extend(self.cause.map(|Cause(cause)| ("error", Value::Error(cause))));
        log.event(level, "request", &fields);
    }
}

/// The name of a method. Others than these are a text that the client chose.
fn name_of(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        Method::PATCH => "PATCH",
        _ => "other",
    }
}
