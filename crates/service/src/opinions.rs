//! What people say about puzzles.

use crate::caller::Caller;
use crate::error::ServiceError;
use crate::rate_limit::RateLimit;
use crate::service::Service;
use crate::store::{Opinion, Opinions};
use std::ops::RangeInclusive;

/// The scale of both answers.
const SCALE: RangeInclusive<i8> = -2..=2;

/// Stores what the caller says about a puzzle, and returns what everybody says.
///
/// # Errors
/// If there is no such puzzle, a value is off the scale, or the caller has not tried the puzzle.
pub async fn set(
    service: &Service,
    caller: &Caller,
    puzzle: &str,
    study: Option<&str>,
    opinion: Opinion,
) -> Result<Opinions, ServiceError> {
    service.check_rate(caller, RateLimit::Write)?;
    service.puzzle(puzzle).await?;
    if !SCALE.contains(&opinion.interest) || !SCALE.contains(&opinion.difficulty) {
        return Err(ServiceError::bad("bad-rating"));
    }
    if !service.store.is_decided(caller.person(), puzzle, study).await? {
        return Err(ServiceError::conflict("not-tried"));
    }
    service.store.set_opinion(caller.person(), puzzle, study, opinion).await?;
    Ok(service.store.opinions(puzzle).await?)
}
