//! Transfer codes, by which a person continues on another device.

use crate::caller::Caller;
use crate::error::ServiceError;
use crate::rate_limit::RateLimit;
use crate::secrets::{hash_of, random_text};
use crate::service::Service;
use crate::store::now;

/// A code is valid for a quarter of an hour: long enough to walk over to another device.
const VALID_MILLISECONDS: i64 = 15 * 60 * 1000;

/// Characters of a claimed code that are read.
const MAX_DIGITS: usize = 20;

/// A transfer code.
pub struct TransferCode {
    /// The code as people type it.
    pub code: String,
    /// When it expires, in milliseconds since 1970.
    pub expires: i64,
}

/// Makes a code for the caller.
///
/// # Errors
/// If the caller asks too often, or the database fails.
pub async fn create(service: &Service, caller: &Caller) -> Result<TransferCode, ServiceError> {
    service.check_rate(caller, RateLimit::Credential)?;
    let digits = random_text(12);
    let expires = now() + VALID_MILLISECONDS;
    service.store.add_transfer(&hash_of(&digits), caller.person(), expires).await?;
    let code = format!("{}-{}-{}", &digits[..4], &digits[4..8], &digits[8..]);
    Ok(TransferCode { code, expires })
}

/// The id of the person whose code this is. A code can be claimed once.
///
/// # Errors
/// If there is no such code, or the caller tries too often.
pub async fn claim(service: &Service, caller: &Caller, code: &str) -> Result<String, ServiceError> {
    service.check_rate(caller, RateLimit::Credential)?;
    let digits: String =
        code.chars().filter(char::is_ascii_alphanumeric).take(MAX_DIGITS).collect::<String>();
    let person = service.store.take_transfer(&hash_of(&digits.to_ascii_lowercase())).await?;
    person.ok_or(ServiceError::bad("bad-code"))
}
