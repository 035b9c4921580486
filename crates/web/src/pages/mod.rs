//! What people see.

use crate::app::{App, Asker, Shared};
use crate::problem::Problem;
use axum::Router;

/// The routes.
pub fn routes() -> Router<Shared> {
    Router::new()
}

/// A page that says what went wrong.
pub fn problem(_app: &App, asker: &Asker, problem: &Problem) -> String {
    problem.message(asker.words)
}
