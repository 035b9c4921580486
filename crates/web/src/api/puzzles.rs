//! Puzzles: lists, single puzzles, the next one, and opinions.

use crate::app::Shared;
use crate::context::RequestContext;
use crate::extract::{Json, Path, Query as Pairs};
use crate::problem::Problem;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use service::attempts::view::PeopleView;
use service::catalogue::Entry;
use service::exposure;
use service::opinions;
use service::query::{PAGE, Query};
use service::store::Opinion;
use service::training::{next_for, played_by, standing_of};

/// A puzzle before it is solved: what a book would print above the diagram.
#[derive(Serialize)]
pub(super) struct PuzzleView {
    v: u8,
    id: String,
    position: String,
    m_win: u32,
    revealed: &'static str,
    ghosts: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    standing: Option<&'static str>,
}

impl PuzzleView {
    fn new(entry: &Entry, standing: Option<&'static str>) -> PuzzleView {
        PuzzleView {
            v: 1,
            id: entry.id.clone(),
            position: entry.puzzle.position.to_string(),
            m_win: entry.puzzle.m_win,
            revealed: entry.revealed(),
            ghosts: entry.ghosts,
            standing,
        }
    }
}

/// A page of a list.
#[derive(Serialize)]
pub(super) struct ListView {
    v: u8,
    total: usize,
    page: usize,
    pages: usize,
    puzzles: Vec<PuzzleView>,
}

pub(super) async fn list(
    State(app): State<Shared>,
    context: RequestContext,
    Pairs(pairs): Pairs<Vec<(String, String)>>,
) -> Result<axum::Json<ListView>, Problem> {
    let query = Query::read(&pairs)?;
    let played = played_by(&app.service, &context.visitor.id).await?;
    let found = query.find(app.service.catalogue.entries(), &played);
    let page = found.iter().skip((query.page - 1) * PAGE).take(PAGE);
    exposure::note(&app.service, &context.caller, page.clone().map(|entry| entry.id.as_str()))
        .await?;
    let view = |entry: &&Entry| PuzzleView::new(entry, Some(standing_of(played.get(&entry.id))));
    Ok(axum::Json(ListView {
        v: 1,
        total: found.len(),
        page: query.page,
        pages: found.len().div_ceil(PAGE),
        puzzles: page.map(view).collect(),
    }))
}

pub(super) async fn one(
    State(app): State<Shared>,
    context: RequestContext,
    Path(id): Path,
) -> Result<axum::Json<PuzzleView>, Problem> {
    let entry = app.service.puzzle(&id).await?;
    exposure::note(&app.service, &context.caller, [entry.id.as_str()]).await?;
    Ok(axum::Json(PuzzleView::new(&entry, None)))
}

pub(super) async fn daily(
    State(app): State<Shared>,
    context: RequestContext,
) -> Result<axum::Json<PuzzleView>, Problem> {
    let entry = app.service.daily_puzzle()?;
    exposure::note(&app.service, &context.caller, [entry.id.as_str()]).await?;
    Ok(axum::Json(PuzzleView::new(entry, None)))
}

pub(super) async fn next(
    State(app): State<Shared>,
    context: RequestContext,
) -> Result<axum::Json<PuzzleView>, Problem> {
    let id = next_for(&app.service, &context.visitor.id, None).await?.ok_or(Problem::NOT_FOUND)?;
    one(State(app), context, Path(id)).await
}

/// A person's opinion.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rate {
    interest: i8,
    difficulty: i8,
    #[serde(default)]
    study: Option<String>,
}

/// The opinions of all people.
#[derive(Serialize)]
pub(super) struct Rated {
    v: u8,
    people: PeopleView,
}

pub(super) async fn rate(
    State(app): State<Shared>,
    context: RequestContext,
    Path(id): Path,
    Json(body): Json<Rate>,
) -> Result<axum::Json<Rated>, Problem> {
    let opinion = Opinion { interest: body.interest, difficulty: body.difficulty };
    let (service, study) = (&app.service, body.study.as_deref());
    let people = opinions::set(service, &context.caller, &id, study, opinion).await?;
    Ok(axum::Json(Rated { v: 1, people: people.into() }))
}
