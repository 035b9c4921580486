//! Forms as pages send them, refused in our own words.

use crate::problem::Problem;
use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::response::IntoResponse;
use serde::de::DeserializeOwned;

/// A form that was filled in on a page.
pub(super) struct Form<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Form<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Form<T>, Problem> {
        let refused = |status| Problem::new(status, "bad-form");
        let (parts, body) = request.into_parts();
        let whole = Request::from_parts(parts.clone(), body);
        let bytes = Bytes::from_request(whole, state).await;
        let bytes = bytes.map_err(|why| refused(why.into_response().status()))?;
        // No database keeps a NUL.
        if bytes.contains(&0) || bytes.windows(3).any(|three| three == b"%00") {
            return Err(refused(StatusCode::UNPROCESSABLE_ENTITY));
        }
        let again = Request::from_parts(parts, Body::from(bytes));
        let read = axum::Form::from_request(again, state).await;
        read.map(|axum::Form(form)| Form(form)).map_err(|why| refused(why.into_response().status()))
    }
}
