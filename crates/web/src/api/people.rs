//! The visitor: rating, progress, streaks, transfer codes, deletion.

use crate::app::Shared;
use crate::context::RequestContext;
use crate::extract::Json;
use crate::problem::Problem;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use service::deletion::delete_data;
use service::training::{
    self, HISTORY, Streak, ThemeProgress, by_theme, played_by, streak_of, to_review,
};
use service::transfers::{self, TransferCode};

/// The visitor.
#[derive(Serialize)]
pub(super) struct Me {
    v: u8,
    rating: f64,
    deviation: f64,
    attempts: i64,
    solved: i64,
    to_review: usize,
    streak_best: i64,
}

pub(super) async fn me(
    State(app): State<Shared>,
    context: RequestContext,
) -> Result<axum::Json<Me>, Problem> {
    let person = app.service.store.person(&context.visitor.id).await?;
    let played = app.service.store.played(&context.visitor.id).await?;
    Ok(axum::Json(Me {
        v: 1,
        rating: person.rating.rating,
        deviation: person.rating.deviation,
        attempts: person.counted,
        solved: person.solved,
        to_review: played.iter().filter(|played| played.to_review()).count(),
        streak_best: person.streak_best,
    }))
}

#[derive(Serialize)]
struct Point {
    at: i64,
    rating: f64,
}

/// A person's progress.
#[derive(Serialize)]
pub(super) struct Progress {
    v: u8,
    themes: Vec<ThemeProgress>,
    ratings: Vec<Point>,
    to_review: Vec<String>,
}

pub(super) async fn progress(
    State(app): State<Shared>,
    context: RequestContext,
) -> Result<axum::Json<Progress>, Problem> {
    let person = &context.visitor.id;
    let played = played_by(&app.service, person).await?;
    let history = app.service.store.rating_history(person, HISTORY).await?;
    Ok(axum::Json(Progress {
        v: 1,
        themes: by_theme(&app.service, &played),
        ratings: history.iter().map(|one| Point { at: one.at, rating: one.rating }).collect(),
        to_review: to_review(&played),
    }))
}

pub(super) async fn streak(
    State(app): State<Shared>,
    context: RequestContext,
) -> Result<axum::Json<Streak>, Problem> {
    Ok(axum::Json(streak_of(&app.service, &context.visitor.id).await?))
}

pub(super) async fn start_streak(
    State(app): State<Shared>,
    context: RequestContext,
) -> Result<axum::Json<Streak>, Problem> {
    Ok(axum::Json(training::start_streak(&app.service, &context.caller).await?))
}

/// A transfer code.
#[derive(Serialize)]
pub(super) struct Code {
    v: u8,
    code: String,
    expires: i64,
}

pub(super) async fn transfer(
    State(app): State<Shared>,
    context: RequestContext,
) -> Result<axum::Json<Code>, Problem> {
    let TransferCode { code, expires } = transfers::create(&app.service, &context.caller).await?;
    Ok(axum::Json(Code { v: 1, code, expires }))
}

/// A transfer code from another device.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Claim {
    code: String,
}

pub(super) async fn claim(
    State(app): State<Shared>,
    context: RequestContext,
    Json(body): Json<Claim>,
) -> Result<Response, Problem> {
    let person = transfers::claim(&app.service, &context.caller, &body.code).await?;
    let mut response = axum::Json(serde_json::json!({ "v": 1 })).into_response();
    if let Some(cookie) = app.signer.person_cookie(&person) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// The confirmation that everything is to be deleted.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Delete {
    confirm: bool,
}

pub(super) async fn delete(
    State(app): State<Shared>,
    context: RequestContext,
    Json(body): Json<Delete>,
) -> Result<Response, Problem> {
    if !body.confirm {
        return Err(Problem::bad("not-confirmed"));
    }
    delete_data(&app.service, &context.caller).await?;
    let cookie = app.signer.new_person_cookie();
    let mut response = axum::Json(serde_json::json!({ "v": 1 })).into_response();
    response.headers_mut().extend(cookie.map(|cookie| (header::SET_COOKIE, cookie)));
    Ok(response)
}
