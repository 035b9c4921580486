//! What marks a request in the log and in its answer, so that a visitor's report leads to its line.

use crate::identity::random_text;
use axum::http::{HeaderName, HeaderValue};

/// The header of every answer. One that a request brings is ignored: anybody could choose it.
pub const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// 80 bits.
const DIGITS: usize = 16;

/// The random id of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestId(String);

impl RequestId {
    /// A new one.
    pub fn random() -> RequestId {
        RequestId(random_text(DIGITS))
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// As the value of a header.
    pub fn header(&self) -> Option<HeaderValue> {
        HeaderValue::from_str(&self.0).ok()
    }
}

/// Why a request failed, for the operator's log: an extension of the answer, never shown to the visitor.
#[derive(Clone, Debug)]
pub struct Cause(pub String);
