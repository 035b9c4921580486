//! The JSON interface, under `/api/v1`. `openapi.json` describes it, and a test holds the two
//! together.

mod analysis;
mod attempts;
mod people;
mod puzzles;
mod studies;
mod view;

use crate::app::Shared;
use crate::problem::Problem;
use axum::Router;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts};
use axum::handler::Handler;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::routing::{MethodRouter, get, post};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The description of the interface.
pub const OPENAPI: &str = include_str!("openapi.json");

/// One thing that can be asked for: a method, a path below `/api/v1`, and what answers.
struct Endpoint {
    method: &'static str,
    path: &'static str,
    handler: MethodRouter<Shared>,
}

/// What is read and changes nothing.
fn read<H: Handler<T, Shared>, T: 'static>(path: &'static str, handler: H) -> Endpoint {
    Endpoint { method: "get", path, handler: get(handler) }
}

/// What changes something.
fn change<H: Handler<T, Shared>, T: 'static>(path: &'static str, handler: H) -> Endpoint {
    Endpoint { method: "post", path, handler: post(handler) }
}

/// The whole interface: the routes are made of this list, and a test compares it with the
/// description.
fn endpoints() -> Vec<Endpoint> {
    vec![
        read("/openapi.json", openapi),
        read("/puzzles", puzzles::list),
        read("/puzzles/daily", puzzles::daily),
        read("/puzzles/next", puzzles::next),
        read("/puzzles/{id}", puzzles::one),
        change("/puzzles/{id}/attempts", attempts::begin),
        change("/puzzles/{id}/ratings", puzzles::rate),
        read("/attempts/{id}", attempts::get),
        change("/attempts/{id}/moves", attempts::play),
        change("/attempts/{id}/back", attempts::back),
        change("/attempts/{id}/hint", attempts::hint),
        change("/attempts/{id}/solution", attempts::solution),
        read("/analysis", analysis::analyse),
        read("/board.svg", analysis::picture),
        read("/me", people::me),
        read("/progress", people::progress),
        read("/streak", people::streak),
        change("/streak", people::start_streak),
        change("/transfer", people::transfer),
        change("/transfer/claim", people::claim),
        read("/studies", studies::list),
        change("/studies", studies::create),
        read("/studies/{id}", studies::one),
        change("/studies/{id}/consent", studies::consent),
        change("/studies/{id}/close", studies::close),
        read("/studies/{id}/ratings.csv", studies::ratings),
    ]
}

/// Every method of the interface with its path.
pub fn paths() -> Vec<(&'static str, String)> {
    let full = |endpoint: Endpoint| (endpoint.method, format!("/api/v1{}", endpoint.path));
    endpoints().into_iter().map(full).collect()
}

/// The routes.
pub fn routes() -> Router<Shared> {
    let add =
        |router: Router<Shared>, endpoint: Endpoint| router.route(endpoint.path, endpoint.handler);
    endpoints().into_iter().fold(Router::new(), add)
}

async fn openapi() -> ([(axum::http::HeaderName, &'static str); 1], &'static str) {
    ([(axum::http::header::CONTENT_TYPE, "application/json")], OPENAPI)
}

/// A body as JSON, refused in our own words.
pub struct Json<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: axum::extract::Request, state: &S) -> Result<Json<T>, Problem> {
        // An object: a list of its values, in order, would also do for a structure.
        let found = axum::Json::<Map<String, Value>>::from_request(request, state).await;
        let axum::Json(object) =
            found.map_err(|why: JsonRejection| refused(why.status()).detail(why.body_text()))?;
        let object = Value::Object(object);
        if has_nul(&object) {
            let unreadable = refused(StatusCode::UNPROCESSABLE_ENTITY);
            return Err(unreadable.detail("no text has the character NUL"));
        }
        let read = serde_json::from_value(object).map(Json);
        read.map_err(|why| refused(StatusCode::UNPROCESSABLE_ENTITY).detail(why.to_string()))
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

fn refused(status: StatusCode) -> Problem {
    Problem::new(status, "bad-json")
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

/// What stands behind the question mark, refused in our own words.
pub struct Query<T>(pub T);

impl<S: Send + Sync, T> FromRequestParts<S> for Query<T>
where
    axum::extract::Query<T>: FromRequestParts<S, Rejection = QueryRejection>,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Query<T>, Problem> {
        let found = axum::extract::Query::from_request_parts(parts, state).await;
        let refused = |why: QueryRejection| Problem::bad("bad-query").detail(why.body_text());
        found.map(|axum::extract::Query(query)| Query(query)).map_err(refused)
    }
}
