//! The error response: a code for programs, a sentence for people.

use crate::request_id::Cause;
use crate::words::Words;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use service::request_id::RequestId;
use service::scheduler::JobError;
use service::store::StoreError;
use service::{ErrorKind, ServiceError};

/// An error response. Its words are `error.CODE`; the middleware, which knows the language and whether
/// the request is for a page or for the API, writes the body. Its fields are those of a [`ServiceError`],
/// with any HTTP status instead of the kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The status.
    pub status: StatusCode,
    /// The code.
    pub code: &'static str,
    /// More about it for people: in their language, or a part of their input.
    pub detail: Option<String>,
    /// More about it for programmers, in English; no page shows it.
    pub technical: Option<String>,
    /// Seconds after which to try again.
    pub retry: Option<u64>,
    /// The cause, for the operator's log only.
    pub cause: Option<String>,
}

impl Problem {
    /// An error with this status and code.
    pub const fn new(status: StatusCode, code: &'static str) -> Problem {
        Problem { status, code, detail: None, technical: None, retry: None, cause: None }
    }

    /// There is no such thing, or it is not the visitor's.
    pub const NOT_FOUND: Problem = Problem::new(StatusCode::NOT_FOUND, "not-found");

    /// The request makes no sense.
    pub fn bad(code: &'static str) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, code)
    }

    /// The same with a detail for people.
    #[must_use]
    pub fn detail(self, detail: impl Into<String>) -> Problem {
        Problem { detail: Some(detail.into()), ..self }
    }

    /// The same with a detail for programmers.
    #[must_use]
    pub fn technical(self, why: String) -> Problem {
        Problem { technical: Some(why), ..self }
    }

    /// The same with the id of the request if the failure is ours, so that a report leads to its line
    /// in the log.
    #[must_use]
    pub fn of_request(self, id: &RequestId, words: &Words) -> Problem {
        if !self.status.is_server_error() {
            return self;
        }
        let more = words.with("error.request", &[("id", &id.as_str())]);
        self.detail(more)
    }

    /// The sentence for people.
    pub fn message(&self, words: &Words) -> String {
        self.sentence(self.detail.as_ref(), words)
    }

    fn sentence(&self, more: Option<&String>, words: &Words) -> String {
        let sentence = words.get(&format!("error.{}", self.code)).to_owned();
        match more {
            Some(more) => words.with("error.more", &[("sentence", &sentence), ("more", more)]),
            None => sentence,
        }
    }

    /// The body for programs.
    pub fn json(&self, words: &Words) -> String {
        let message = self.sentence(self.detail.as_ref().or(self.technical.as_ref()), words);
        json!({ "v": 1, "error": { "code": self.code, "message": message } }).to_string()
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        if let Some(seconds) = self.retry {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if let Some(cause) = self.cause.clone() {
            response.extensions_mut().insert(Cause(cause));
        }
        response.extensions_mut().insert(self);
        response
    }
}

/// The status of each kind of error.
const fn status(kind: ErrorKind) -> StatusCode {
    match kind {
        ErrorKind::BadRequest => StatusCode::BAD_REQUEST,
        ErrorKind::Forbidden => StatusCode::FORBIDDEN,
        ErrorKind::NotFound => StatusCode::NOT_FOUND,
        ErrorKind::Conflict => StatusCode::CONFLICT,
        ErrorKind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        ErrorKind::TooManyRequests => StatusCode::TOO_MANY_REQUESTS,
        ErrorKind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
    }
}

impl From<ServiceError> for Problem {
    fn from(error: ServiceError) -> Problem {
        let ServiceError { kind, code, detail, technical, retry, cause } = error;
        Problem { status: status(kind), code, detail, technical, retry, cause }
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Problem {
        ServiceError::from(error).into()
    }
}

impl From<JobError> for Problem {
    fn from(error: JobError) -> Problem {
        ServiceError::from(error).into()
    }
}
