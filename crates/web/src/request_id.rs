//! The request id and the cause of a failure, as they travel with a response.

use axum::http::{HeaderName, HeaderValue};
use service::request_id::RequestId;

/// The header of every response. One that a request brings is ignored: anybody could choose it.
pub const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// The id as the value of its header.
pub fn header(id: &RequestId) -> Option<HeaderValue> {
    HeaderValue::from_str(id.as_str()).ok()
}

/// Why a request failed, for the operator's log: an extension of the response, never shown to the
/// visitor.
#[derive(Clone, Debug)]
pub struct Cause(pub String);
