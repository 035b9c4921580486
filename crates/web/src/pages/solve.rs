//! The page of a puzzle. It is the same for all visitors and cheap to make; who the visitor is
//! matters only once a move is made.

use super::browse::{picture, win_title};
use super::layout::{Page, html};
use crate::app::{App, Shared};
use crate::context::RequestContext;
use crate::extract::{Path, Query};
use crate::problem::Problem;
use axum::extract::State;
use maud::{Markup, html as markup};
use puzzle::export::diagram::describe;
use serde::Deserialize;
use service::catalogue::Entry;
use service::exposure;
use service::training::streak_of;

/// The query of a puzzle's page.
#[derive(Deserialize)]
pub(super) struct PuzzleQuery {
    #[serde(default)]
    mode: String,
    /// Whether to resume the open attempt.
    resume: Option<String>,
}

pub(super) async fn puzzle(
    State(app): State<Shared>,
    context: RequestContext,
    Path(id): Path,
    Query(query): Query<PuzzleQuery>,
) -> Result<Markup, Problem> {
    let entry = app.service.puzzle(&id).await?;
    exposure::note(&app.service, &context.caller, [entry.id.as_str()]).await?;
    let mode = if query.mode == "review" { "review" } else { "puzzle" };
    Ok(page(&app, &context, &entry, mode, query.resume.is_some()))
}

pub(super) async fn daily(
    State(app): State<Shared>,
    context: RequestContext,
) -> Result<Markup, Problem> {
    let entry = app.service.daily_puzzle()?;
    exposure::note(&app.service, &context.caller, [entry.id.as_str()]).await?;
    Ok(page(&app, &context, entry, "daily", false))
}

fn page(app: &App, context: &RequestContext, entry: &Entry, mode: &str, resume: bool) -> Markup {
    let words = context.words;
    let position = &entry.puzzle.position;
    let legal: Vec<String> = position.legal_moves().iter().map(ToString::to_string).collect();
    let win = win_title(entry.puzzle.m_win, words);
    let name = words.with("puzzle.title", &[("id", &entry.id)]);
    let (title, at) = match mode {
        "daily" => (words.get("home.daily").to_owned(), "/daily"),
        _ => (format!("{win} · {name}"), "/puzzles"),
    };
    let content = markup! {
        h1.unseen { (title) }
        div #solve data-puzzle=(entry.id) data-position=(position) data-plies=(entry.puzzle.m_win)
            data-legal=(legal.join(" ")) data-mode=(mode)
            data-resume=[resume.then_some("")]
        {
            div.play {
                div #board {
                    noscript { (picture(entry, words)) p { (words.get("puzzle.no-script")) } }
                }
                div #panel {}
            }
            p.note { a href={ "/puzzle/" (entry.id) } { (name) } }
        }
    };
    let address = if mode == "daily" { "/daily".into() } else { format!("/puzzle/{}", entry.id) };
    let description = format!("{win}. {}", describe(position, words.language()));
    let page = Page {
        at,
        modules: &["solve.js"],
        description: Some(description),
        picture: Some(format!("/puzzle/{}/preview.png", entry.id)),
        board: true,
        address: &address,
        ..Page::new(&title)
    };
    html(app, context, &page, &content)
}

pub(super) async fn streak(
    State(app): State<Shared>,
    context: RequestContext,
) -> Result<Markup, Problem> {
    let words = context.words;
    let streak = streak_of(&app.service, &context.visitor.id).await?;
    let content = markup! {
        h1.unseen { (words.get("streak.title")) }
        div #solve data-mode="streak" data-puzzle=[streak.puzzle.as_deref()] data-count=(streak.count) data-best=(streak.best) {
            div.play {
                div #board { noscript { p { (words.get("puzzle.no-script")) } } }
                div #panel {}
            }
        }
    };
    let page = Page {
        at: "/streak",
        modules: &["solve.js"],
        board: true,
        address: "/streak",
        ..Page::new(words.get("streak.title"))
    };
    Ok(html(&app, &context, &page, &content))
}
