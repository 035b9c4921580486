//! Extractors whose rejections are [`Problem`]s, in the visitor's language: those of axum are
//! plain English text.

use crate::problem::Problem;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// A body as JSON.
pub struct Json<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Json<T>, Problem> {
        let refused = |status, why: String| Problem::new(status, "bad-json").technical(why);
        // An object: a list of its values, in order, would also do for a structure.
        let found = axum::Json::<Map<String, Value>>::from_request(request, state).await;
        let axum::Json(object) =
            found.map_err(|why: JsonRejection| refused(why.status(), why.body_text()))?;
        let object = Value::Object(object);
        if has_nul(&object) {
            let why = "no text has the character NUL".to_owned();
            return Err(refused(StatusCode::UNPROCESSABLE_ENTITY, why));
        }
        let read = serde_json::from_value(object).map(Json);
        read.map_err(|why| refused(StatusCode::UNPROCESSABLE_ENTITY, why.to_string()))
    }
}

/// Whether a text in it has a NUL, which no database keeps.
fn has_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(items) => items.iter().any(has_nul),
        Value::Object(fields) => fields.values().any(has_nul),
        _ => false,
    }
}

/// An id in the path. One that is no text names nothing, and neither does one with a NUL, which
/// PostgreSQL would take for an error of ours.
pub struct Path(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Path {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Path, Problem> {
        let found: Result<_, PathRejection> =
            axum::extract::Path::<String>::from_request_parts(parts, state).await;
        match found {
            Ok(axum::extract::Path(id)) if !id.contains('\0') => Ok(Path(id)),
            _ => Err(Problem::NOT_FOUND),
        }
    }
}

/// What stands behind the question mark.
pub struct Query<T>(pub T);

impl<S: Send + Sync, T> FromRequestParts<S> for Query<T>
where
    axum::extract::Query<T>: FromRequestParts<S, Rejection = QueryRejection>,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Query<T>, Problem> {
        let found = axum::extract::Query::from_request_parts(parts, state).await;
        let refused = |why: QueryRejection| Problem::bad("bad-query").technical(why.body_text());
        found.map(|axum::extract::Query(query)| Query(query)).map_err(refused)
    }
}
