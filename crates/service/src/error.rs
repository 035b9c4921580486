//! The error of every operation: a kind, a code for programs, and details for people and the log.

use crate::quota;
use crate::scheduler::{JobError, QueueFull};
use crate::store::StoreError;
use std::time::Duration;

/// What sort of failure an error is. The web layer maps each kind to one status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The request makes no sense.
    BadRequest,
    /// The caller may not do this.
    Forbidden,
    /// There is no such thing, or it is not the caller's.
    NotFound,
    /// The request does not fit the current state.
    Conflict,
    /// What was sent is too large.
    TooLarge,
    /// A rate limit or a quota is used up.
    TooManyRequests,
    /// The failure is ours, and may pass: the database, a full queue.
    Unavailable,
}

/// Why an operation was refused or failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceError {
    /// The kind.
    pub kind: ErrorKind,
    /// The code, which is part of the public API; `error.CODE` is its message in each language.
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

impl ServiceError {
    /// An error of this kind with this code.
    pub const fn new(kind: ErrorKind, code: &'static str) -> ServiceError {
        ServiceError { kind, code, detail: None, technical: None, retry: None, cause: None }
    }

    /// There is no such thing, or it is not the caller's.
    pub const NOT_FOUND: ServiceError = ServiceError::new(ErrorKind::NotFound, "not-found");

    /// The request makes no sense.
    pub const fn bad(code: &'static str) -> ServiceError {
        ServiceError::new(ErrorKind::BadRequest, code)
    }

    /// The request does not fit the current state.
    pub const fn conflict(code: &'static str) -> ServiceError {
        ServiceError::new(ErrorKind::Conflict, code)
    }

    /// A rate limit is used up for this long.
    pub fn too_often(wait: Duration) -> ServiceError {
        let seconds = wait.as_secs_f64().ceil() as u64;
        ServiceError::new(ErrorKind::TooManyRequests, "too-often").retry(seconds.max(1))
    }

    /// The same error with a detail for people.
    #[must_use]
    pub fn detail(self, detail: impl Into<String>) -> ServiceError {
        ServiceError { detail: Some(detail.into()), ..self }
    }

    /// The same error with a detail for programmers.
    #[must_use]
    pub fn technical(self, why: String) -> ServiceError {
        ServiceError { technical: Some(why), ..self }
    }

    /// The same error with a time after which to try again.
    #[must_use]
    pub fn retry(self, seconds: u64) -> ServiceError {
        ServiceError { retry: Some(seconds), ..self }
    }
}

impl From<StoreError> for ServiceError {
    fn from(error: StoreError) -> ServiceError {
        match error {
            StoreError::Conflict => ServiceError::conflict("changed"),
            StoreError::OverQuota => quota::over_quota(),
            error => {
                // The operator learns the cause, the visitor only that the failure is ours.
                let failed = ServiceError::new(ErrorKind::Unavailable, "store").retry(2);
                ServiceError { cause: Some(error.to_string()), ..failed }
            }
        }
    }
}

impl From<QueueFull> for ServiceError {
    fn from(QueueFull { retry_after }: QueueFull) -> ServiceError {
        let seconds = retry_after.as_secs_f64().ceil() as u64;
        ServiceError::new(ErrorKind::Unavailable, "busy").retry(seconds)
    }
}

impl From<JobError> for ServiceError {
    fn from(error: JobError) -> ServiceError {
        match error {
            JobError::QueueFull(full) => full.into(),
            JobError::Panicked => ServiceError::new(ErrorKind::Unavailable, "busy").retry(1),
        }
    }
}
