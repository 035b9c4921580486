//! The JSON API, under `/api/v1`. `openapi.json` describes it, and a test compares the two.

mod analysis;
mod attempts;
mod games;
mod people;
mod puzzles;
pub(crate) mod studies;

use crate::app::Shared;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::handler::Handler;
use axum::routing::{MethodRouter, get, post};
use service::games::limits::IMPORT_BODY;

/// The OpenAPI description of the API.
pub const OPENAPI: &str = include_str!("openapi.json");

/// An endpoint: a method, a path below `/api/v1`, and its handler.
struct Endpoint {
    method: &'static str,
    path: &'static str,
    handler: MethodRouter<Shared>,
}

/// An endpoint that reads.
fn read<H: Handler<T, Shared>, T: 'static>(path: &'static str, handler: H) -> Endpoint {
    Endpoint { method: "get", path, handler: get(handler) }
}

/// An endpoint that changes something.
fn change<H: Handler<T, Shared>, T: 'static>(path: &'static str, handler: H) -> Endpoint {
    Endpoint { method: "post", path, handler: post(handler) }
}

/// An endpoint that changes something, with a body as long as a game's record.
fn large<H: Handler<T, Shared>, T: 'static>(path: &'static str, handler: H) -> Endpoint {
    let handler = post(handler).layer(DefaultBodyLimit::max(IMPORT_BODY));
    Endpoint { method: "post", path, handler }
}

/// All endpoints: the routes are made of this list, and a test compares it with the
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
        read("/opponents", games::opponents),
        read("/games", games::list),
        change("/games", games::begin),
        read("/games/{id}", games::one),
        read("/games/{id}/events", games::events),
        read("/games/{id}/review", games::review),
        read("/games/{id}/record", games::record),
        change("/games/{id}/puzzle", games::find),
        large("/games/import", games::import),
        change("/games/{id}/join", games::join),
        change("/games/{id}/setup", games::set_up),
        change("/games/{id}/moves", games::play),
        change("/games/{id}/undo", games::undo),
        change("/games/{id}/resign", games::resign),
        change("/games/{id}/notes", games::note),
        read("/analysis", analysis::analyse),
        read("/board.svg", analysis::picture),
        read("/me", people::me),
        change("/me/delete", people::delete),
        read("/progress", people::progress),
        read("/streak", people::streak),
        change("/streak", people::start_streak),
        change("/transfer", people::transfer),
        change("/transfer/claim", people::claim),
        read("/studies", studies::list),
        change("/studies", studies::create),
        read("/studies/{id}", studies::one),
        change("/studies/{id}/consent", studies::consent),
        change("/studies/{id}/next", attempts::next_in_study),
        change("/studies/{id}/close", studies::close),
        read("/studies/{id}/ratings.csv", studies::ratings),
    ]
}

/// Every method of the API with its path.
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
