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
use axum::extract::FromRequest;
use axum::extract::rejection::JsonRejection;
use axum::routing::{get, post};

/// The description of the interface.
pub const OPENAPI: &str = include_str!("openapi.json");

/// Every path of the interface with its methods.
pub const PATHS: [(&str, &str); 22] = [
    ("get", "/api/v1/openapi.json"),
    ("get", "/api/v1/puzzles"),
    ("get", "/api/v1/puzzles/daily"),
    ("get", "/api/v1/puzzles/next"),
    ("get", "/api/v1/puzzles/{id}"),
    ("post", "/api/v1/puzzles/{id}/attempts"),
    ("post", "/api/v1/puzzles/{id}/ratings"),
    ("get", "/api/v1/attempts/{id}"),
    ("post", "/api/v1/attempts/{id}/moves"),
    ("post", "/api/v1/attempts/{id}/back"),
    ("post", "/api/v1/attempts/{id}/hint"),
    ("post", "/api/v1/attempts/{id}/solution"),
    ("get", "/api/v1/analysis"),
    ("get", "/api/v1/board.svg"),
    ("get", "/api/v1/me"),
    ("get", "/api/v1/progress"),
    ("get", "/api/v1/streak"),
    ("post", "/api/v1/streak"),
    ("post", "/api/v1/transfer"),
    ("post", "/api/v1/transfer/claim"),
    ("get", "/api/v1/studies"),
    ("post", "/api/v1/studies"),
];

/// The routes.
pub fn routes() -> Router<Shared> {
    Router::new()
        .route("/openapi.json", get(openapi))
        .route("/puzzles", get(puzzles::list))
        .route("/puzzles/daily", get(puzzles::daily))
        .route("/puzzles/next", get(puzzles::next))
        .route("/puzzles/{id}", get(puzzles::one))
        .route("/puzzles/{id}/attempts", post(attempts::begin))
        .route("/puzzles/{id}/ratings", post(puzzles::rate))
        .route("/attempts/{id}", get(attempts::get))
        .route("/attempts/{id}/moves", post(attempts::play))
        .route("/attempts/{id}/back", post(attempts::back))
        .route("/attempts/{id}/hint", post(attempts::hint))
        .route("/attempts/{id}/solution", post(attempts::solution))
        .route("/analysis", get(analysis::analyse))
        .route("/board.svg", get(analysis::picture))
        .route("/me", get(people::me))
        .route("/progress", get(people::progress))
        .route("/streak", get(people::streak).post(people::start_streak))
        .route("/transfer", post(people::transfer))
        .route("/transfer/claim", post(people::claim))
        .merge(studies::routes())
}

async fn openapi() -> ([(axum::http::HeaderName, &'static str); 1], &'static str) {
    ([(axum::http::header::CONTENT_TYPE, "application/json")], OPENAPI)
}

/// A body as JSON, refused in our own words.
pub struct Json<T>(pub T);

impl<S: Send + Sync, T> FromRequest<S> for Json<T>
where
    axum::Json<T>: FromRequest<S, Rejection = JsonRejection>,
{
    type Rejection = Problem;

    async fn from_request(request: axum::extract::Request, state: &S) -> Result<Json<T>, Problem> {
        let found = axum::Json::from_request(request, state).await;
        found.map(|axum::Json(body)| Json(body)).map_err(|rejection| {
            let problem = Problem { status: rejection.status(), ..Problem::bad("bad-json") };
            problem.detail(rejection.body_text())
        })
    }
}
