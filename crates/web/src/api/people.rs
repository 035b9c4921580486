//! The asker: standing, progress, streaks, and going on elsewhere.

use crate::app::{Asker, Shared};
use crate::deletion::delete_data;
use crate::extract::Json;
use crate::identity::{hash_of, random_text};
use crate::problem::Problem;
use crate::quota;
use crate::rate::Work;
use crate::store::now;
use crate::training::{
    self, HISTORY, Streak, ThemeProgress, by_theme, played_by, streak_of, to_review,
};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

/// Who asks.
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

pub(super) async fn me(State(app): State<Shared>, asker: Asker) -> Result<axum::Json<Me>, Problem> {
    let person = app.store.person(&asker.visitor.id).await?;
    let played = app.store.played(&asker.visitor.id).await?;
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

/// What somebody has done.
#[derive(Serialize)]
pub(super) struct Progress {
    v: u8,
    themes: Vec<ThemeProgress>,
    ratings: Vec<Point>,
    to_review: Vec<String>,
}

pub(super) async fn progress(
    State(app): State<Shared>,
    asker: Asker,
) -> Result<axum::Json<Progress>, Problem> {
    let person = &asker.visitor.id;
    let played = played_by(&app, person).await?;
    let history = app.store.rating_history(person, HISTORY).await?;
    Ok(axum::Json(Progress {
        v: 1,
        themes: by_theme(&app, &played),
        ratings: history.iter().map(|one| Point { at: one.at, rating: one.rating }).collect(),
        to_review: to_review(&played),
    }))
}

pub(super) async fn streak(
    State(app): State<Shared>,
    asker: Asker,
) -> Result<axum::Json<Streak>, Problem> {
    Ok(axum::Json(streak_of(&app, &asker.visitor.id).await?))
}

pub(super) async fn start_streak(
    State(app): State<Shared>,
    asker: Asker,
) -> Result<axum::Json<Streak>, Problem> {
    asker.pay(Work::Solving)?;
    // It makes a person's row, as an attempt does.
    app.store.pay(app.charge(&asker, quota::ATTEMPT)).await?;
    Ok(axum::Json(training::start_streak(&app, &asker.visitor.id).await?))
}

/// A code that lets somebody go on elsewhere.
#[derive(Serialize)]
pub(super) struct Code {
    v: u8,
    code: String,
    expires: i64,
}

/// A code holds for a quarter of an hour: long enough to walk over to another device.
const CODE_MILLISECONDS: i64 = 15 * 60 * 1000;

pub(super) async fn transfer(
    State(app): State<Shared>,
    asker: Asker,
) -> Result<axum::Json<Code>, Problem> {
    asker.pay(Work::Guessing)?;
    let digits = random_text(12);
    let expires = now() + CODE_MILLISECONDS;
    app.store.add_transfer(&hash_of(&digits), &asker.visitor.id, expires).await?;
    let code = format!("{}-{}-{}", &digits[..4], &digits[4..8], &digits[8..]);
    Ok(axum::Json(Code { v: 1, code, expires }))
}

/// A code from elsewhere.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Claim {
    code: String,
}

pub(super) async fn claim(
    State(app): State<Shared>,
    asker: Asker,
    Json(body): Json<Claim>,
) -> Result<Response, Problem> {
    asker.pay(Work::Guessing)?;
    let digits: String =
        body.code.chars().filter(char::is_ascii_alphanumeric).take(20).collect::<String>();
    let person = app.store.take_transfer(&hash_of(&digits.to_ascii_lowercase())).await?;
    let person = person.ok_or(Problem::bad("bad-code"))?;
    let mut response = axum::Json(serde_json::json!({ "v": 1 })).into_response();
    if let Some(cookie) = app.signer.person_cookie(&person) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// The wish to delete everything.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Delete {
    confirm: bool,
}

pub(super) async fn delete(
    State(app): State<Shared>,
    asker: Asker,
    Json(body): Json<Delete>,
) -> Result<Response, Problem> {
    if !body.confirm {
        return Err(Problem::bad("not-confirmed"));
    }
    let cookie = delete_data(&app, &asker).await?;
    let mut response = axum::Json(serde_json::json!({ "v": 1 })).into_response();
    response.headers_mut().extend(cookie.map(|cookie| (header::SET_COOKIE, cookie)));
    Ok(response)
}
