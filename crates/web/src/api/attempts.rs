//! Attempts: begin, play, take back, ask for a hint or for the solution.

use crate::app::Shared;
use crate::context::RequestContext;
use crate::extract::{Json, Path};
use crate::problem::Problem;
use axum::extract::State;
use serde::Deserialize;
use service::attempts::view::AttemptView;
use service::attempts::{self, Begin};

/// A move.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Play {
    #[serde(rename = "move")]
    mv: String,
    ply: usize,
}

type AttemptResponse = Result<axum::Json<AttemptView>, Problem>;

pub(super) async fn begin(
    State(app): State<Shared>,
    context: RequestContext,
    Path(id): Path,
    Json(body): Json<Begin>,
) -> AttemptResponse {
    Ok(axum::Json(attempts::begin(&app.service, &context.caller, &id, &body).await?))
}

pub(super) async fn next_in_study(
    State(app): State<Shared>,
    context: RequestContext,
    Path(study): Path,
) -> AttemptResponse {
    Ok(axum::Json(attempts::next_in_study(&app.service, &context.caller, &study).await?))
}

pub(super) async fn get(
    State(app): State<Shared>,
    context: RequestContext,
    Path(id): Path,
) -> AttemptResponse {
    Ok(axum::Json(attempts::get(&app.service, &context.caller, &id).await?))
}

pub(super) async fn play(
    State(app): State<Shared>,
    context: RequestContext,
    Path(id): Path,
    Json(body): Json<Play>,
) -> AttemptResponse {
    let played = attempts::play(&app.service, &context.caller, &id, &body.mv, body.ply).await?;
    Ok(axum::Json(played))
}

pub(super) async fn back(
    State(app): State<Shared>,
    context: RequestContext,
    Path(id): Path,
) -> AttemptResponse {
    Ok(axum::Json(attempts::take_back(&app.service, &context.caller, &id).await?))
}

pub(super) async fn hint(
    State(app): State<Shared>,
    context: RequestContext,
    Path(id): Path,
) -> AttemptResponse {
    Ok(axum::Json(attempts::hint(&app.service, &context.caller, &id).await?))
}

pub(super) async fn solution(
    State(app): State<Shared>,
    context: RequestContext,
    Path(id): Path,
) -> AttemptResponse {
    Ok(axum::Json(attempts::show_solution(&app.service, &context.caller, &id).await?))
}
