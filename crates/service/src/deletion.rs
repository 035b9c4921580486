//! Deleting a person's data.

use crate::caller::Caller;
use crate::error::ServiceError;
use crate::rate_limit::RateLimit;
use crate::service::Service;

/// Deletes everything that belongs to the caller.
///
/// # Errors
/// If the caller asks too often, or the database fails; then nothing is deleted.
pub async fn delete_data(service: &Service, caller: &Caller) -> Result<(), ServiceError> {
    service.check_rate(caller, RateLimit::Credential)?;
    for game in service.store.delete_person(caller.person()).await? {
        service.games.notify(&game);
    }
    Ok(())
}
