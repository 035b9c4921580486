//! Deleting one's own data, for the page and the API.

use crate::app::{Asker, Shared};
use crate::problem::Problem;
use crate::rate::Work;
use axum::http::HeaderValue;

/// Deletes everything that belongs to the asker. Returns the cookie that makes the browser a new visitor's.
///
/// # Errors
/// If the asker asks too often, or the store fails; then nothing is deleted.
pub async fn delete_data(app: &Shared, asker: &Asker) -> Result<Option<HeaderValue>, Problem> {
    asker.pay(Work::Guessing)?;
    for game in app.store.delete_person(&asker.visitor.id).await? {
        app.hall.tell(&game);
    }
    Ok(app.signer.new_person_cookie())
}
