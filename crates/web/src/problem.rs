//! What is answered when something cannot be done: a code for programs, a sentence for people.

use crate::request_id::{Cause, RequestId};
use crate::scheduler::{Full, Refusal};
use crate::store::StoreError;
use crate::words::Words;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// A refusal. Its words are `error.CODE`; the middleware that knows the language and whether a page
/// or a program asked writes the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The status.
    pub status: StatusCode,
    /// The code.
    pub code: &'static str,
    /// More about it, in the asker's words or as the asker wrote it: what is wrong with a position,
    /// say.
    pub detail: Option<String>,
    /// More about it for those who write programs, in plain English as their libraries say it; no
    /// page shows it.
    pub technical: Option<String>,
    /// Seconds after which to ask again.
    pub retry: Option<u64>,
    /// Why it failed, for the operator's log; no answer shows it.
    pub cause: Option<String>,
}

impl Problem {
    /// A refusal with this status and code.
    pub const fn new(status: StatusCode, code: &'static str) -> Problem {
        Problem { status, code, detail: None, technical: None, retry: None, cause: None }
    }

    /// There is no such thing, or it is not the asker's.
    pub const NOT_FOUND: Problem = Problem::new(StatusCode::NOT_FOUND, "not-found");

    /// The request does not make sense.
    pub fn bad(code: &'static str) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, code)
    }

    /// The request does not fit how things stand.
    pub fn conflict(code: &'static str) -> Problem {
        Problem::new(StatusCode::CONFLICT, code)
    }

    /// The same with more about it.
    #[must_use]
    pub fn detail(self, detail: impl Into<String>) -> Problem {
        Problem { detail: Some(detail.into()), ..self }
    }

    /// The same with more about it for those who write programs.
    #[must_use]
    pub fn technical(self, why: String) -> Problem {
        Problem { technical: Some(why), ..self }
    }

    /// The same with a time to ask again.
    #[must_use]
    pub fn retry(self, seconds: u64) -> Problem {
        Problem { retry: Some(seconds), ..self }
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

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Problem {
        match error {
            StoreError::Conflict => Problem::conflict("changed"),
            StoreError::OverQuota => crate::quota::over_quota(),
            error => {
                // The operator learns why, the visitor that it is not their fault.
                let problem = Problem::new(StatusCode::SERVICE_UNAVAILABLE, "store").retry(2);
                Problem { cause: Some(error.to_string()), ..problem }
            }
        }
    }
}

impl From<Full> for Problem {
    fn from(Full { retry_after }: Full) -> Problem {
        let seconds = retry_after.as_secs_f64().ceil() as u64;
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "busy").retry(seconds)
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Problem {
        match refusal {
            Refusal::Full(full) => full.into(),
            Refusal::Panicked => Problem::new(StatusCode::SERVICE_UNAVAILABLE, "busy").retry(1),
        }
    }
}
