//! Studies: researchers create them, participants solve them puzzle by puzzle, and the results are a
//! file that `spuk train` reads.

use crate::app::Shared;
use crate::context::RequestContext;
use crate::extract::{Json, Path};
use crate::problem::Problem;
use crate::refusals::why_no_study;
use axum::extract::State;
use axum::http::{HeaderName, StatusCode, header};
use serde::{Deserialize, Serialize};
use service::store::Study;
use service::studies::{self, NewStudy, Participation, participation};

/// A study as researchers see it.
#[derive(Serialize)]
pub(super) struct StudyView {
    v: u8,
    id: String,
    title: String,
    created: i64,
    puzzles: Vec<String>,
    limit_seconds: i64,
    closed: bool,
    participants: i64,
    link: String,
}

impl StudyView {
    fn new(study: Study, participants: i64) -> StudyView {
        StudyView {
            v: 1,
            link: format!("/study/{}", study.id),
            id: study.id,
            title: study.title,
            created: study.created,
            puzzles: study.puzzles,
            limit_seconds: study.limit_seconds,
            closed: study.closed,
            participants,
        }
    }
}

#[derive(Serialize)]
pub(super) struct StudiesView {
    v: u8,
    studies: Vec<StudyView>,
}

pub(super) async fn list(
    State(app): State<Shared>,
    context: RequestContext,
) -> Result<axum::Json<StudiesView>, Problem> {
    context.expect_operator()?;
    let studies = app.service.store.studies().await?.into_iter();
    let studies = studies.map(|(study, people)| StudyView::new(study, people)).collect();
    Ok(axum::Json(StudiesView { v: 1, studies }))
}

pub(super) async fn create(
    State(app): State<Shared>,
    context: RequestContext,
    Json(body): Json<NewStudy>,
) -> Result<(StatusCode, axum::Json<StudyView>), Problem> {
    context.expect_operator()?;
    let study = body.check(&app.service).map_err(|refusal| why_no_study(refusal, context.words))?;
    studies::add(&app.service, &study).await?;
    Ok((StatusCode::CREATED, axum::Json(StudyView::new(study, 0))))
}

/// Opens or closes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Close {
    closed: bool,
}

pub(super) async fn close(
    State(app): State<Shared>,
    context: RequestContext,
    Path(id): Path,
    Json(body): Json<Close>,
) -> Result<axum::Json<serde_json::Value>, Problem> {
    context.expect_operator()?;
    studies::close(&app.service, &id, body.closed).await?;
    Ok(axum::Json(serde_json::json!({ "v": 1, "closed": body.closed })))
}

pub(super) async fn one(
    State(app): State<Shared>,
    context: RequestContext,
    Path(id): Path,
) -> Result<axum::Json<Participation>, Problem> {
    Ok(axum::Json(participation(&app.service, &id, &context.visitor.id).await?))
}

pub(super) async fn consent(
    State(app): State<Shared>,
    context: RequestContext,
    Path(id): Path,
) -> Result<axum::Json<Participation>, Problem> {
    studies::consent(&app.service, &context.caller, &id).await?;
    Ok(axum::Json(participation(&app.service, &id, &context.visitor.id).await?))
}

/// The results of a study as CSV, for pages and programs alike.
pub(crate) async fn ratings(
    State(app): State<Shared>,
    context: RequestContext,
    Path(id): Path,
) -> Result<([(HeaderName, String); 2], String), Problem> {
    context.expect_operator()?;
    let csv = studies::results_csv(&app.service, &id).await?;
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"study-{id}.csv\"")),
    ];
    Ok((headers, csv))
}
